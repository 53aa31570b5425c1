import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { assertFailure, parseAnswers } from '../../support/failure.ts';
import { createTestDatabase, eventually, seed, startServer } from '../../support/index.ts';
import { startLoad } from '../../support/load.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const database = await createTestDatabase();
const key = seed().ours.full;

const missingOf = (externalIds: string[]) =>
  database.query(
    `SELECT sent.id FROM unnest($1::text[]) AS sent (id)
     WHERE NOT EXISTS (SELECT 1 FROM leads WHERE external_lead_id = sent.id)`,
    [externalIds],
  );

describe('a graceful stop', () => {
  for (const round of [1, 2, 3]) {
    it(`under load loses no acknowledged lead and cuts no request, ends with 0 (round ${round})`, async () => {
      const server = await startServer({ database });
      const load = startLoad({ url: server.url, key, senders: 24 });
      await eventually(() => assert.ok(load.acknowledged.length > 300));
      const before = load.acknowledged.length;
      const stoppedAt = performance.now();
      assert.equal(await server.stop(), 0, 'exit code');
      await load.end();

      assert.ok(load.acknowledged.length >= before);
      assert.deepEqual(
        await missingOf(load.acknowledged),
        [],
        'acknowledged, and not in the store',
      );
      const cut = load.failures.filter(({ sentAt }) => sentAt !== null && sentAt < stoppedAt);
      assert.deepEqual(cut, [], 'sent before the stop, and not answered');
      for (const answer of load.refused) {
        assert.ok(answer.sentAt >= stoppedAt, `refused before the stop: ${answer.text}`);
        assertFailure(answer, 503, 'unavailable');
        assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
      }
    });
  }

  it('waits for a request whose body is still on its way', async () => {
    const server = await startServer({ database });
    const lead = newLead();
    const body = JSON.stringify(lead);
    const head = `POST ${LEADS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret_key}`;
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    const closed = once(socket, 'close');
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`);
    // An answer on another connection that was asked for later: the head above has been read by now.
    assert.equal((await server.call('GET', LEADS, { key })).status, 200);
    const ended = server.stop();
    await eventually(() => assert.match(server.logs(), /stopping/));
    socket.write(body.slice(20));
    await closed;
    const [answer] = parseAnswers(received);
    assert.equal(answer?.status, 201, received);
    assert.equal(answer?.headers.connection, 'close', 'else nobody would close it');
    assert.equal(await ended, 0);
    assert.deepEqual(await missingOf([lead.external_lead_id]), []);
  });

  it('does not wait for connections that are idle, and takes no new ones', async () => {
    const server = await startServer({ database });
    const idle = connect(server.port, '127.0.0.1');
    await once(idle, 'connect');
    const gone = once(idle, 'close');
    assert.equal((await server.call('GET', LEADS, { key })).status, 200);
    assert.equal(await server.stop(), 0);
    await gone;
    await assert.rejects(server.call('GET', '/healthz'), { code: 'ECONNREFUSED' });
  });

  it('is what SIGINT does too', async () => {
    const server = await startServer({ database });
    await server.kill('SIGINT');
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });

  it('writes the last use of keys before it ends', async () => {
    const { reader } = seed().ours;
    const server = await startServer({ database });
    await server.call('GET', LEADS, { key: reader });
    await server.stop();
    const sql = 'SELECT last_used_at FROM api_keys WHERE public_key = $1';
    const [row] = await database.query(sql, [reader.public_key]);
    assert.ok(row.last_used_at);
  });
});
