import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertFailure, assertNothingInternal } from '../../support/failure.ts';
import { cliJson, createTestDatabase, eventually, seed, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { startPrivatePostgres } from '../../support/postgres.ts';

const LEADS = '/api/v1/insertion/leads';
const URL_ENCODED = 'application/x-www-form-urlencoded';

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

      const form = await makeForm(key.public_key);
      await postgres.stop();
      const meanwhile = newLead();
      const unread = { campaign_id: 1, external_lead_id: 'a', content_hash: '0'.repeat(64) };
      const path = `${LEADS}/${before.external_lead_id}`;
      const answers = await Promise.all([
        server.call('POST', LEADS, { key, body: meanwhile }),
        server.call('POST', LEADS, { hmac: key, body: meanwhile }),
        server.call('POST', `${LEADS}/batch`, { key, body: { leads: [meanwhile] } }),
        server.call('POST', `${LEADS}?validate_only=true`, { key, body: meanwhile }),
        server.call('POST', `${LEADS}/batch?validate_only=true`, {
          ...{ key, body: { leads: [meanwhile] } },
        }),
        server.call('POST', `${LEADS}/reconcile`, { key, body: { leads: [unread] } }),
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
      const submit = (body: string, accept: string) =>
        server.call('POST', form, { body, headers: { accept, 'content-type': URL_ENCODED } });
      assertFailure(await submit('mail=a%40example.com', '*/*'), 503, 'unavailable');
      const kept = await submit('mail=kept%40example.com&note=%3Cb%3E', 'text/html');
      assert.equal(kept.status, 503);
      assert.match(kept.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      assert.match(kept.text, new RegExp(`<form method="post" action="${form}"`));
      assert.match(kept.text, /name="mail" value="kept@example.com"/);
      assert.match(kept.text, /name="note" value="&lt;b&gt;"/);
      assert.equal((await server.call('GET', '/healthz')).status, 200, 'the process is up');
      assertFailure(await server.call('GET', '/nope'), 404, 'not_found');
      assertFailure(await server.call('GET', LEADS), 401, 'missing_auth');

      await postgres.start();
      await eventually(async () => assert.equal((await server.call('GET', '/readyz')).status, 200));
      assert.equal((await server.call('GET', path, { key })).status, 200, 'acknowledged before');
      const again = await server.call('POST', LEADS, { key, body: meanwhile });
      assert.ok(again.status === 201 || again.status === 200, again.text);
      assert.equal((await server.call('GET', LEADS, { key: unseen })).status, 200);
      assert.equal((await submit('mail=kept%40example.com', 'text/html')).status, 303);
      assert.ok(server.alive());
    } finally {
      await server.stop();
    }
  });

  /** @returns the path that it is sent to */
  async function makeForm(publicKey: string): Promise<string> {
    const [form] = await postgres.query(
      `INSERT INTO forms (account_id, id, name, campaign_id, key_id, fields, min_fill_seconds, allowed_origins,
         per_address_a_minute, created_at, updated_at)
       SELECT account_id, gen_random_uuid(), 'Form', 1, id,
         '[{"name":"mail","label":"Mail","to":"email","required":true}]', 0, '{}', 0, now(), now()
       FROM api_keys WHERE public_key = $1 RETURNING replace(id::text, '-', '') AS id`,
      [publicKey],
    );
    return `/forms/form_${form.id}`;
  }
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
