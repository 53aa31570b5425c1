import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTestDatabase, eventually, seed, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const database = await createTestDatabase();
const server = await startServer({ database });

const withId = (id: string | string[]) => ({ 'x-request-id': id });

describe('X-Request-Id', () => {
  after(() => server.stop());

  it('is on every answer, another one each time', async () => {
    const key = seed().ours.full;
    const answers = [
      await server.call('POST', LEADS, { key, body: newLead() }),
      await server.call('GET', LEADS, { key }),
      await server.call('GET', LEADS),
      await server.call('GET', '/healthz'),
      await server.call('GET', '/metrics'),
      await server.call('GET', '/openapi.json'),
      await server.call('GET', '/nope'),
      await server.call('PUT', LEADS),
      await server.call('HEAD', LEADS),
      await server.call('GET', '/%zz'),
    ];
    const ids = answers.map((answer) => answer.headers['x-request-id']);
    for (const id of ids) assert.match(String(id), /^[\w.:/+=-]{1,128}$/);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('of the client is kept, with up to 128 safe characters', async () => {
    const key = seed().ours.full;
    for (const id of [
      'a',
      'req-2026.01_15',
      'a'.repeat(128),
      '01a1fc55-aa82-7009-b2c3-2cd88fc2a57e',
    ]) {
      for (const path of [LEADS, `${LEADS}/missing`, '/nope', '/healthz']) {
        const answer = await server.call('GET', path, { key, headers: withId(id) });
        assert.equal(answer.headers['x-request-id'], id, path);
        if (answer.status >= 400) assert.equal(answer.json.request_id, id);
      }
      const put = await server.call('PUT', LEADS, { headers: withId(id) });
      assert.equal(put.json.request_id, id);
      await eventually(() =>
        assert.ok(
          server.logLines().some((line) => line.request_id === id),
          'in the log',
        ),
      );
    }
  });

  it('of the client is replaced where it is longer or unsafe', async () => {
    const unsafe = [
      'a'.repeat(129),
      'a b',
      '"><script>alert(1)</script>',
      'a\tb',
      '{"a":1}',
      'ada@example.com',
      '\u00e9',
      "'; DROP TABLE leads; --",
      '',
    ];
    for (const id of [...unsafe, ['one', 'two']]) {
      const answer = await server.call('GET', '/nope', { headers: withId(id) });
      const given = String(answer.headers['x-request-id']);
      assert.match(given, /^[\w.:/+=-]{1,128}$/);
      assert.notEqual(given, String(id));
      assert.equal(answer.json.request_id, given);
    }
  });

  it('stands in the audit record of what the request changed', async () => {
    const key = seed().ours.full;
    const body = newLead();
    const headers = withId('audit-me');
    await server.call('POST', LEADS, { key, body, headers });
    const path = `${LEADS}/${body.external_lead_id}/history`;
    const { json } = await server.call('GET', path, { key });
    assert.equal(json.history[0].request_id, 'audit-me');
  });
});
