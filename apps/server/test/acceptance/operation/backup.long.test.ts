import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { cli, createKey, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const run = promisify(execFile);
const root = await mkdtemp(join(tmpdir(), 'leadwire-backup-'));
const at = (name: string) => join(root, name);
const env = (name: string) => ({ LEADWIRE_DATA_DIR: at(name) });
/** As the guide says it: owners and modes stay. */
const copy = (from: string, to: string) => run('cp', ['-a', at(from), at(to)]);

const first = await startServer({ env: env('data') });
const key = await createKey(env('data'), 'default');
const leads = Array.from({ length: 20 }, () => newLead());
const posts = leads.map((body) => first.call('POST', LEADS, { hmac: key, body }));
const stored = (await Promise.all(posts)).map((answer) => answer.json.lead);
await first.stop();
await copy('data', 'backup');
// Nothing of the original may be what the copy lives on.
await rm(at('data'), { recursive: true });

describe('a copy of the data directory of a service that was stopped', () => {
  after(() => rm(root, { recursive: true, force: true }));

  it('starts at another place with every lead, event and key, and goes on', async () => {
    await copy('backup', 'restored');
    const server = await startServer({ env: env('restored') });
    try {
      for (const lead of stored) {
        const answer = await server.call('GET', `${LEADS}/${lead.id}`, { hmac: key });
        assert.deepEqual(answer.json.lead, lead);
      }
      const events = await server.call('GET', '/api/v1/events?limit=100', { key });
      assert.equal(events.json.data.length, stored.length);
      const [known] = leads;
      const again = await server.call('POST', LEADS, { hmac: key, body: known });
      assert.equal(again.json.status, 'deduped');
      const body = newLead();
      assert.equal((await server.call('POST', LEADS, { hmac: key, body })).status, 201);
    } finally {
      await server.stop();
    }
  });

  it('does not start without its encryption key, and says which file is missing', async () => {
    await copy('backup', 'incomplete');
    await rm(join(at('incomplete'), 'encryption.key'));
    const { code, stderr } = await cli([], { ...env('incomplete'), PORT: '0' });
    assert.equal(code, 1);
    assert.ok(stderr.includes(join(at('incomplete'), 'encryption.key')), stderr);
  });
});
