import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import {
  createKey,
  createTestDatabase,
  eventually,
  seed,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const [database, elsewhere] = await Promise.all([createTestDatabase(), createTestDatabase()]);
const [server, stranger] = await Promise.all([
  startServer({ database }),
  // A key of another deployment: well-formed, and never issued by this one.
  createKey(elsewhere.env, seed().ours.id),
]);
describe('Bearer authentication', () => {
  after(() => server.stop());

  const withAuthorization = (authorization: string) =>
    server.call('GET', LEADS, { headers: { authorization } });

  it('lets a key in on every route, reading and writing', async () => {
    const key = seed().ours.full;
    const posted = await server.call('POST', LEADS, { key, body: newLead() });
    assert.equal(posted.status, 201, posted.text);
    const id = posted.json.lead.id;
    const answers = await Promise.all([
      server.call('GET', LEADS, { key }),
      server.call('GET', `${LEADS}/${id}`, { key }),
      server.call('GET', `${LEADS}/${id}/history`, { key }),
      server.call('PATCH', `${LEADS}/${id}`, { key, body: { first_name: 'Ada' } }),
      server.call('POST', `${LEADS}/batch`, { key, body: { leads: [newLead()] } }),
      server.call('GET', '/api/v1/leads', { key }),
    ]);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 200, 200, 200, 200],
    );
  });

  it('reads the name of the scheme without regard to case (RFC 9110, 11.1)', async () => {
    const { secret_key } = seed().ours.full;
    assert.equal((await withAuthorization(`bearer ${secret_key}`)).status, 200);
  });

  it('answers missing_auth where nothing at all is brought', async () => {
    for (const path of [LEADS, `${LEADS}/x`, `${LEADS}/x/history`, '/api/v1/leads']) {
      assertFailure(await server.call('GET', path), 401, 'missing_auth');
    }
    assertFailure(await server.call('POST', LEADS, { body: newLead() }), 401, 'missing_auth');
  });

  it('answers invalid_bearer for an Authorization header that holds no key', async () => {
    const { public_key, secret_key } = seed().ours.full;
    const wrong = [
      '',
      'Bearer',
      'Bearer lwsk_',
      'Bearer nonsense',
      'Basic dXNlcjpwYXNz',
      secret_key,
      `Token ${secret_key}`,
      `Bearer ${public_key}`,
      `Bearer ${secret_key} ${secret_key}`,
      `Bearer ${secret_key}, Bearer ${secret_key}`,
      `Bearer ${secret_key}x`,
      `Bearer ${secret_key.slice(0, -1)}`,
      `Bearer ${secret_key.toLowerCase()}`,
      `Bearer ${'lwsk_'.padEnd(4000, 'a')}`,
      'Bearer lwsk_\u00e9\u00e9\u00e9',
    ];
    for (const authorization of wrong) {
      assertFailure(await withAuthorization(authorization), 401, 'invalid_bearer');
    }
  });

  it('answers invalid_bearer for a key with a wrong checksum', async () => {
    const { secret_key } = seed().ours.full;
    const last = secret_key.at(-1) === 'a' ? 'b' : 'a';
    const changed = secret_key.slice(0, -1) + last;
    assertFailure(await withAuthorization(`Bearer ${changed}`), 401, 'invalid_bearer');
  });

  it('answers invalid_bearer for a well-formed key that was never issued here', async () => {
    const answer = await withAuthorization(`Bearer ${stranger.secret_key}`);
    assertFailure(answer, 401, 'invalid_bearer');
  });

  it('names the scheme that it takes in WWW-Authenticate (RFC 9110, 11.6.1)', async () => {
    const answer = await server.call('GET', LEADS);
    assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer\b/);
  });

  it('refuses a key from the moment of its expiry', async () => {
    const expiresAt = Date.now() + 4000;
    const expires = new Date(expiresAt).toISOString();
    const key = await createKey(database.env, seed().ours.id, { expires });
    assert.equal((await server.call('GET', LEADS, { key })).status, 200);
    await eventually(async () => assert.ok(Date.now() > expiresAt), { deadlineMs: 6000 });
    assertFailure(await server.call('GET', LEADS, { key }), 401, 'invalid_bearer');
    const hmac = key;
    assertFailure(await server.call('GET', LEADS, { hmac }), 401, 'invalid_public_key');
  });

  it('refuses a key without the scope by scope_required:<scope>, and lets it do the rest', async () => {
    const { reader, writer } = seed().ours;
    const body = newLead();
    const write = { key: reader, body };
    const forbidden = [
      await server.call('POST', LEADS, write),
      await server.call('POST', `${LEADS}/batch`, { key: reader, body: { leads: [body] } }),
      await server.call('PATCH', `${LEADS}/x`, { key: reader, body: { email: 'a@example.com' } }),
    ];
    for (const answer of forbidden) assertFailure(answer, 403, 'scope_required:leads:write');
    for (const path of [LEADS, `${LEADS}/x`, `${LEADS}/x/history`, '/api/v1/leads']) {
      const answer = await server.call('GET', path, { key: writer });
      assertFailure(answer, 403, 'scope_required:leads:read');
    }
    assert.equal((await server.call('POST', LEADS, { key: writer, body })).status, 201);
    const found = await server.call('GET', `${LEADS}/${body.external_lead_id}`, { key: reader });
    assert.equal(found.status, 200);
  });
});
