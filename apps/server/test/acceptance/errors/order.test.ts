import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import {
  cliJson,
  createAccount,
  createCampaign,
  createKey,
  createTestDatabase,
  eventually,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const database = await createTestDatabase({ from: 'migrated' });
const { env } = database;
const [server, account] = await Promise.all([
  startServer({ database }),
  createAccount(env, 'Order'),
]);
const [usedUp, reader, writer, full] = await Promise.all([
  createKey(env, account.id, { scopes: 'leads:read', rateLimit: '1/3600' }),
  createKey(env, account.id, { scopes: 'leads:read' }),
  createKey(env, account.id, { scopes: 'leads:write' }),
  createKey(env, account.id),
  createCampaign(env, account.id, 'One'),
  cliJson(['features', 'set', '--account', account.id, 'insertion=off'], env),
]);

describe('of everything that is wrong with a request the first is answered', () => {
  after(() => server.stop());

  const missing = `${LEADS}/missing`;
  const large = Buffer.alloc(256 * 1024 + 1, ' ');

  it('1. no such route: 404', async () => {
    const answer = await server.call('PUT', `${missing}/nope`, { body: '{' });
    assertFailure(answer, 404, 'not_found');
  });

  it('2. a method that it does not have: 405', async () => {
    assertFailure(await server.call('PUT', missing, { body: '{' }), 405, 'method_not_allowed');
  });

  it('3. nobody known: 401, also where the body is too large or broken', async () => {
    assertFailure(await server.call('PATCH', missing, { body: '{' }), 401, 'missing_auth');
    const unknown = { headers: { authorization: 'Bearer x' }, body: large };
    assertFailure(await server.call('PATCH', missing, unknown), 401, 'invalid_bearer');
  });

  it('4. a used-up rate limit: 429', async () => {
    assertFailure(await server.call('GET', LEADS, { key: usedUp }), 404, 'not_found');
    for (const body of ['{', large]) {
      const answer = await server.call('PATCH', missing, { key: usedUp, body });
      assertFailure(answer, 429, 'rate_limited');
      const signed = await server.call('PATCH', missing, { hmac: usedUp, body: '{' });
      assertFailure(signed, 429, 'rate_limited');
      for (const route of ['batch', 'batch?validate_only=x', 'reconcile']) {
        const batch = await server.call('POST', `${LEADS}/${route}`, { key: usedUp, body });
        assertFailure(batch, 429, 'rate_limited');
      }
    }
  });

  it('5. a feature that is off: 404', async () => {
    for (const body of ['{', large]) {
      const answer = await server.call('PATCH', missing, { key: reader, body });
      assertFailure(answer, 404, 'not_found');
    }
    assertFailure(await server.call('POST', LEADS, { hmac: reader, body: '{' }), 404, 'not_found');
    assertFailure(await server.call('GET', `${LEADS}?limit=0`, { key: full }), 404, 'not_found');
  });

  it('6. a scope that is missing: 403', async () => {
    await cliJson(['features', 'set', '--account', account.id, 'insertion=on'], env);
    await eventually(async () => {
      for (const key of [reader, full]) {
        assert.equal((await server.call('GET', LEADS, { key })).status, 200);
        assert.equal((await server.call('GET', LEADS, { hmac: key })).status, 200);
      }
    });
    const forbidden = 'scope_required:leads:write';
    for (const body of ['{', large]) {
      assertFailure(await server.call('PATCH', missing, { key: reader, body }), 403, forbidden);
      const batch = { key: reader, body };
      for (const route of ['/batch', '/batch?validate_only=x', '?validate_only=x']) {
        assertFailure(await server.call('POST', `${LEADS}${route}`, batch), 403, forbidden);
      }
      const compared = await server.call('POST', `${LEADS}/reconcile`, { key: writer, body });
      assertFailure(compared, 403, 'scope_required:leads:read');
    }
    assertFailure(await server.call('POST', LEADS, { hmac: reader, body: '{' }), 403, forbidden);
  });

  it('7. a body or a parameter: 400', async () => {
    const key = full;
    assertFailure(await server.call('PATCH', missing, { key, body: '{' }), 400, 'malformed_json');
    assertFailure(await server.call('PATCH', missing, { key, body: '{}' }), 400, 'empty_body');
    assertFailure(await server.call('PATCH', missing, { key }), 400, 'empty_body');
    assertFailure(await server.call('PATCH', missing, { key, body: { phone: 1 } }), 400, /^phone /);
    const history = await server.call('GET', `${missing}/history?limit=0`, { key });
    assertFailure(history, 400, /^limit /);
    const tooLarge = await server.call('PATCH', missing, { key, body: large });
    assertFailure(tooLarge, 413, 'payload_too_large');
  });

  it('8. no such record: 404, whatever If-Match says', async () => {
    const headers = { 'if-match': '"x"' };
    const body = { first_name: 'A' };
    assertFailure(
      await server.call('PATCH', missing, { key: full, body, headers }),
      404,
      'not_found',
    );
  });

  it('9. a record that has changed: 409; and then nothing is wrong any more', async () => {
    const lead = newLead();
    assert.equal((await server.call('POST', LEADS, { key: full, body: lead })).status, 201);
    const path = `${LEADS}/${lead.external_lead_id}`;
    const body = { first_name: 'A' };
    const headers = { 'if-match': '"x"' };
    assertFailure(await server.call('PATCH', path, { key: full, body, headers }), 409, 'conflict');
    assert.equal((await server.call('PATCH', path, { key: full, body })).status, 200);
  });
});
