import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { createTestDatabase, eventually, seed, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';
const ALLOWED = 300;

const database = await createTestDatabase();
const server = await startServer({ database });

/** One GET from another address of the loopback network. */
const statusFrom = (localAddress: string, authorization: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization };
    const { port } = server;
    const outgoing = request({ host: '127.0.0.1', port, path: LEADS, localAddress, headers });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      incoming.resume();
      incoming.on('end', () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.end();
  });

describe('failed authentication', () => {
  after(() => server.stop());

  it('is limited per client address, and spares keys that were in use there', async () => {
    const { full, reader, writer } = seed().ours;
    assert.equal((await server.call('POST', LEADS, { key: full, body: newLead() })).status, 201);
    assert.equal((await server.call('GET', LEADS, { hmac: reader })).status, 200);

    const failures = [
      () => server.call('GET', LEADS),
      () => server.call('GET', '/api/v1/leads', { headers: { authorization: 'Bearer x' } }),
      () => server.call('GET', LEADS, { headers: { 'x-leadwire-public-key': 'lwpk_x' } }),
      () => server.call('GET', LEADS, { hmac: { ...writer, timestamp: 1 } }),
      // Whoever is no trusted proxy cannot choose an address.
      () => server.call('GET', LEADS, { headers: { 'x-forwarded-for': '203.0.113.9' } }),
    ];
    for (let count = 1; count <= ALLOWED; count++) {
      const answer = await failures[count % failures.length]?.();
      assert.equal(answer?.status, 401, `failure ${count}`);
    }
    for (const fail of failures) {
      const answer = await fail();
      assertFailure(answer, 429, 'rate_limited');
      assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      assert.ok(Number(answer.headers['retry-after']) <= 60);
    }

    const inUse = [
      await server.call('POST', LEADS, { key: full, body: newLead() }),
      await server.call('GET', '/api/v1/leads', { key: full }),
      await server.call('GET', LEADS, { hmac: reader }),
    ];
    assert.deepEqual(
      inUse.map((answer) => answer.status),
      [201, 200, 200],
    );
    assert.equal((await server.call('GET', '/healthz')).status, 200);

    const fresh = `Bearer ${seed().theirs.full.secret_key}`;
    assert.equal(
      await statusFrom('127.0.0.2', 'Bearer x'),
      401,
      'another address has its own count',
    );
    assert.equal(await statusFrom('127.0.0.2', fresh), 200);
  });

  it('is counted in the metrics, not for each key', async () => {
    await eventually(async () => {
      const { text } = await server.call('GET', '/metrics');
      assert.match(text, /^leadwire_rate_limited_total\{reason="address"\} [1-9]/m);
    });
  });
});
