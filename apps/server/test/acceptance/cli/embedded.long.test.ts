import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import {
  cli,
  cliJson,
  createAccount,
  createCampaign,
  createKey,
  eventually,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const dataDir = await mkdtemp(join(tmpdir(), 'leadwire-cli-'));
const env = { LEADWIRE_DATA_DIR: dataDir };

describe('the command line, with a data directory', () => {
  after(() => rm(dataDir, { recursive: true, force: true }));

  it('works where no service runs, and what it made is there when one starts', async () => {
    const migrated = await cli(['migrate'], env);
    assert.equal(migrated.code, 0, migrated.stderr);
    assert.match(migrated.stdout, /^Applied: .+\n$/, 'nothing but its own sentence');
    const account = await createAccount(env, 'Before');
    // Two that come together wait for each other.
    const [key, campaign] = await Promise.all([
      createKey(env, account.id),
      createCampaign(env, account.id, 'One'),
    ]);
    const server = await startServer({ env });
    try {
      const body = newLead({ campaign_id: campaign.id });
      const answer = await server.call('POST', LEADS, { hmac: key, body });
      assert.equal(answer.status, 201, answer.text);
    } finally {
      await server.stop();
    }
  });

  it('works beside a running service: accounts, campaigns, keys, features, migrations', async () => {
    const server = await startServer({ env });
    try {
      const [key, campaign] = await Promise.all([
        createKey(env, 'default'),
        createCampaign(env, 'default', 'Two'),
        createAccount(env, 'Beside'),
      ]);
      const body = newLead({ campaign_id: campaign.id });
      assert.equal((await server.call('POST', LEADS, { key, body })).status, 201);
      const [migrated, started] = await Promise.all([
        cliJson(['migrate'], env),
        cli(['campaigns', 'start', '--account', 'default', String(campaign.id)], env),
        cliJson(['features', 'set', '--account', 'default', 'legacy_leads=off'], env),
      ]);
      assert.deepEqual(migrated, { applied: [] });
      assert.equal(started.code, 0, started.stderr);
      await eventually(async () => {
        const answer = await server.call('GET', '/api/v1/leads', { key });
        assertFailure(answer, 404, 'not_found');
      });
      const revoked = await cli(['keys', 'revoke', key.public_key], env);
      assert.equal(revoked.code, 0, revoked.stderr);
      await eventually(async () => {
        assertFailure(await server.call('GET', LEADS, { key }), 401, 'invalid_bearer');
      });
      assert.equal(
        (await server.call('GET', '/readyz')).status,
        200,
        'the commands left it running',
      );
    } finally {
      assert.equal(await server.stop(), 0);
    }
  });
});
