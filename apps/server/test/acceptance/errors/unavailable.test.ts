import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertFailure, assertNothingInternal } from '../../support/failure.ts';
import { cliJson, createTestDatabase, eventually, seed, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { startPrivatePostgres } from '../../support/postgres.ts';

const LEADS = '/api/v1/insertion/leads';

describe('a store that is out of reach', async () => {
  const postgres = await startPrivatePostgres();
  after(() => postgres.close());

  it('is a 503 with Retry-After on everything that needs it, and the service recovers by itself', async () => {
    const server = await startServer({ env: postgres.env });
    try {
      const create = (name: string) =>
        cliJson(
          [
            'keys',
            'create',
            '--account',
            'default',
            '--name',
            name,
            '--scopes',
            'leads:read,leads:write',
          ],
          postgres.env,
        );
      const [key, unseen] = await Promise.all([create('seen'), create('unseen')]);
      const before = newLead();
      assert.equal((await server.call('POST', LEADS, { key, body: before })).status, 201);

      await postgres.stop();
      const meanwhile = newLead();
      const path = `${LEADS}/${before.external_lead_id}`;
      const answers = await Promise.all([
        server.call('POST', LEADS, { key, body: meanwhile }),
        server.call('POST', LEADS, { hmac: key, body: meanwhile }),
        server.call('POST', `${LEADS}/batch`, { key, body: { leads: [meanwhile] } }),
        server.call('GET', LEADS, { key }),
        server.call('GET', path, { key }),
        server.call('GET', `${path}/history`, { key }),
        server.call('PATCH', path, { key, body: { first_name: 'A' } }),
        server.call('GET', '/api/v1/leads', { key }),
        server.call('GET', LEADS, { key: unseen }),
        server.call('GET', LEADS, { hmac: unseen }),
        server.call('GET', '/readyz'),
      ]);
      answers.forEach((answer, index) => {
        assertFailure(answer, 503, 'unavailable', `request ${index}:`);
        assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      });
      assert.equal((await server.call('GET', '/healthz')).status, 200, 'the process is up');
      assertFailure(await server.call('GET', '/nope'), 404, 'not_found');
      assertFailure(await server.call('GET', LEADS), 401, 'missing_auth');

      await postgres.start();
      await eventually(async () => assert.equal((await server.call('GET', '/readyz')).status, 200));
      assert.equal((await server.call('GET', path, { key })).status, 200, 'acknowledged before');
      const again = await server.call('POST', LEADS, { key, body: meanwhile });
      assert.ok(again.status === 201 || again.status === 200, again.text);
      assert.equal((await server.call('GET', LEADS, { key: unseen })).status, 200);
      assert.ok(server.alive());
    } finally {
      await server.stop();
    }
  });
});

describe('a defect', async () => {
  const database = await createTestDatabase();
  const server = await startServer({ database });
  after(() => server.stop());

  it('is a 500 that tells nothing of the inside, nor does the log tell of the lead', async () => {
    const key = seed().ours.full;
    const secretive = newLead({ first_name: 'Xylophonia', email: 'xylo@phonia.example' });
    await database.query('ALTER TABLE leads RENAME TO gone');
    const answers = await Promise.all([
      server.call('POST', LEADS, { key, body: secretive }),
      server.call('GET', LEADS, { key }),
      server.call('GET', `${LEADS}/x`, { key }),
      server.call('PATCH', `${LEADS}/x`, { key, body: { first_name: 'Xylophonia' } }),
      server.call('GET', '/api/v1/leads', { key }),
    ]);
    for (const answer of answers) assertFailure(answer, 500, 'internal_error');
    const batch = await server.call('POST', `${LEADS}/batch`, {
      key,
      body: { leads: [secretive] },
    });
    assertNothingInternal(batch.text);
    assert.ok(batch.status === 500 || batch.json.counts.failed === 1, batch.text);
    await database.query('ALTER TABLE gone RENAME TO leads');
    await eventually(async () => {
      const answer = await server.call('POST', LEADS, { key, body: secretive });
      assert.equal(answer.status, 201, answer.text);
    });
    await eventually(() =>
      assert.ok(server.logLines().filter(({ level }) => level === 'error').length >= 5),
    );
    assert.doesNotMatch(server.logs(), /xylo/i);
  });
});
