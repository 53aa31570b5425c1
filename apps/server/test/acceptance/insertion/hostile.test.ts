import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import {
  cli,
  createKey,
  createTestDatabase,
  eventually,
  seed,
  startServer,
} from '../../support/index.ts';

const BATCH = '/api/v1/insertion/leads/batch';
const database = await createTestDatabase();
const server = await startServer({ database });
const key = seed().ours.full;
const lead = (id: unknown) => ({ campaign_id: 1, external_lead_id: id, phone: '+14155550132' });

describe('a hostile request', () => {
  after(() => server.stop());

  const ndjson = { 'content-type': 'application/x-ndjson' };
  for (const [what, body, headers] of [
    ['of two million bad lines', 'x\n'.repeat(2_500_000), ndjson],
    ['of nothing but line ends', '\n'.repeat(5_000_000), ndjson],
    ['that is one long string', JSON.stringify('x'.repeat(5_000_000)), {}],
    ['with more leads than may be', JSON.stringify({ leads: Array(400_000).fill(1) }), {}],
  ] as const) {
    it(`${what} is refused as a whole, and the service goes on`, async () => {
      const answer = await server.call('POST', BATCH, { key, body, headers });
      assert.equal(answer.status, 400, answer.text.slice(0, 200));
      assert.equal((await server.call('GET', '/healthz')).status, 200);
    });
  }

  it('with one row that cannot be a lead fails in that row alone', async () => {
    let nested: unknown = 'x';
    for (let depth = 0; depth < 4000; depth++) nested = [nested];
    const address = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`a${i}`, '\u0000']),
    );
    const leads = [lead('good'), lead(nested), { ...lead('address'), address }, lead('good too')];
    const answer = await server.call('POST', BATCH, { key, body: { leads } });
    assert.equal(answer.status, 200, answer.text.slice(0, 200));
    assert.deepEqual(answer.json.counts, { inserted: 2, patched: 0, deduped: 0, failed: 2 });
    assert.ok(answer.text.length < 5_000, 'the answer repeats what was sent');
  });

  it('whose key is revoked while its body is on the way is refused', async () => {
    const revoked = await createKey(database.env, seed().ours.id);
    const body = JSON.stringify(lead('late'));
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(
      `POST /api/v1/insertion/leads HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
        `Authorization: Bearer ${revoked.secret_key}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    assert.equal((await server.call('GET', '/healthz')).status, 200);
    const { code } = await cli(['keys', 'revoke', revoked.public_key], database.env);
    assert.equal(code, 0);
    // The contract gives a revocation one second.
    await eventually(async () => {
      const answer = await server.call('GET', '/api/v1/leads', { key: revoked });
      assert.equal(answer.status, 401);
    });
    socket.write(body);
    await eventually(() => assert.match(received, /^HTTP\/1\.1 401 [\s\S]*invalid_bearer/));
  });

  it('to no address is refused before its body is read', async () => {
    const answer = await server.call('POST', '/nope', { body: ' '.repeat(400_000) });
    assert.equal(answer.status, 404);
  });

  it('of very many changes of one lead at once is answered, each once', async () => {
    const changes = Array.from({ length: 120 }, (_, n) => ({ ...lead('busy'), source: `s${n}` }));
    const answers = await Promise.all(
      changes.map((body) => server.call('POST', '/api/v1/insertion/leads', { key, body })),
    );
    const statuses = answers.map((answer) => answer.json.status);
    assert.equal(statuses.filter((status) => status === 'inserted').length, 1);
    assert.equal(statuses.filter((status) => status === 'patched').length, 119);
    const [{ count }] = await database.query(
      `SELECT count(*)::int FROM lead_audit_records JOIN leads ON leads.id = lead_id
       WHERE external_lead_id = 'busy'`,
    );
    assert.equal(count, 120);
  });
});
