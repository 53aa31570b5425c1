import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { eventually } from '../../../test/support/index.ts';
import { createOutbound, type Outbound, type OutboundOptions } from './index.ts';
import { answer, CERTIFICATE, startReceiver, writeEndlessly } from './testing/receiver.ts';

function open(t: TestContext, options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ allowPrivate: true, timeoutMs: 2000, ...options });
  t.after(() => outbound.close());
  return outbound;
}

async function receive(t: TestContext, behaviour: Parameters<typeof startReceiver>[0]) {
  const receiver = await startReceiver(behaviour);
  t.after(() => receiver.close());
  return receiver;
}

const post = (outbound: Outbound, url: string, timeoutMs?: number) =>
  outbound.post({ url, headers: {}, body: '{}', ...(timeoutMs && { timeoutMs }) });

describe('a request', () => {
  test('is a POST of the body with the headers, to the path and query of the URL', async (t) => {
    const receiver = await receive(t, {
      onRequest: (socket) => socket.write(answer(202, 'thanks')),
    });
    const url = `${receiver.url}/a%20b?c=d&c=e#f`;
    const headers = { 'content-type': 'application/json', 'x-y': 'z' };
    const result = await open(t).post({ url, headers, body: '{"ü":1}' });
    const { durationMs, ...rest } = result;
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
    assert.deepEqual(rest, {
      ...{ status: 202, error: null, detail: null, retryAfter: null },
      answer: Buffer.from('thanks'),
    });
    const [head = '', body = ''] = (receiver.requests[0] ?? '').split('\r\n\r\n');
    assert.deepEqual(head.split('\r\n'), [
      'POST /hook/a%20b?c=d&c=e HTTP/1.1',
      `host: 127.0.0.1:${receiver.port}`,
      'connection: keep-alive',
      'content-type: application/json',
      'x-y: z',
      'content-length: 8',
    ]);
    assert.equal(Buffer.from(body, 'latin1').toString(), '{"ü":1}');
  });

  test('that has no answer has no status and no answer', async (t) => {
    const receiver = await receive(t, {});
    receiver.close();
    const result = await post(open(t), receiver.url);
    assert.deepEqual(
      { ...result, durationMs: 0 },
      {
        ...{ status: null, error: 'connection_failed', detail: 'ECONNREFUSED', durationMs: 0 },
        ...{ answer: null, retryAfter: null },
      },
    );
  });

  test('that cannot be written is a failure and no exception', async (t) => {
    const headers = { 'x-y': 'a\r\nb: c' };
    const receiver = await receive(t, { onRequest: (socket) => socket.write(answer(200)) });
    const result = await open(t).post({ url: receiver.url, headers, body: '' });
    assert.equal(result.status, null);
    assert.notEqual(result.error, null);
    assert.deepEqual(receiver.requests, []);
  });
});

describe('connections', () => {
  test('are kept and used again, one request at a time', async (t) => {
    const receiver = await receive(t, { onRequest: (socket) => socket.write(answer(200)) });
    const outbound = open(t);
    for (let n = 0; n < 20; n++) await post(outbound, receiver.url);
    assert.equal(receiver.opened(), 1);
    await Promise.all(Array.from({ length: 50 }, () => post(outbound, receiver.url)));
    assert.equal(receiver.opened(), 50);
    await Promise.all(Array.from({ length: 50 }, () => post(outbound, receiver.url)));
    assert.equal(receiver.opened(), 50);
    assert.equal(receiver.requests.length, 120);
  });

  test('are not kept where the endpoint says so', async (t) => {
    const receiver = await receive(t, {
      onRequest: (socket) => socket.write(answer(200, '', 'connection: close\r\n')),
    });
    const outbound = open(t);
    for (let n = 1; n <= 3; n++) {
      assert.equal((await post(outbound, receiver.url)).status, 200);
      assert.equal(receiver.opened(), n);
    }
    await eventually(() => assert.equal(receiver.open(), 0));
  });

  test('that were closed while idle are not used again', async (t) => {
    const receiver = await receive(t, {
      onRequest: (socket) => socket.write(answer(200), () => socket.end()),
    });
    const outbound = open(t);
    for (let n = 0; n < 5; n++) {
      assert.equal((await post(outbound, receiver.url)).error, null);
      await eventually(() => assert.equal(receiver.open(), 0));
    }
    assert.equal(receiver.requests.length, 5);
  });

  for (const way of ['end', 'resetAndDestroy'] as const) {
    test(`a request is sent again when its kept connection was closed under it (${way})`, async (t) => {
      const receiver = await receive(t, {
        onRequest: (socket, n) => (n === 1 ? socket.write(answer(200)) : socket[way]()),
      });
      const outbound = open(t);
      for (let n = 0; n < 5; n++) {
        const { status, error } = await post(outbound, receiver.url);
        assert.deepEqual({ status, error }, { status: 200, error: null });
      }
      // The first one alone found no kept connection.
      assert.equal(receiver.opened(), 5);
      assert.equal(receiver.requests.length, 9);
    });
  }

  test('a request is sent again over a new connection, not over the next kept one', async (t) => {
    const receiver = await receive(t, {
      onRequest: (socket, n) => (n === 1 ? socket.write(answer(200)) : socket.destroy()),
    });
    const outbound = open(t);
    await Promise.all([1, 2, 3].map(() => post(outbound, receiver.url)));
    assert.equal(receiver.opened(), 3);
    assert.equal((await post(outbound, receiver.url)).status, 200);
    assert.deepEqual([receiver.opened(), receiver.requests.length], [4, 5]);
  });

  test('a request is sent again once and no more', async (t) => {
    let answers = 1;
    const receiver = await receive(t, {
      onRequest: (socket) => (answers-- > 0 ? socket.write(answer(200)) : socket.destroy()),
    });
    const outbound = open(t);
    await post(outbound, receiver.url);
    assert.equal((await post(outbound, receiver.url)).error, 'connection_lost');
    assert.equal(receiver.requests.length, 3);
  });

  test('a request whose answer had begun is not sent again', async (t) => {
    const receiver = await receive(t, {
      onRequest: (socket, n) => (n === 1 ? socket.write(answer(200)) : socket.end('HTTP/1.1 20')),
    });
    const outbound = open(t);
    await post(outbound, receiver.url);
    assert.equal((await post(outbound, receiver.url)).error, 'connection_lost');
    assert.equal(receiver.requests.length, 2);
  });

  test('a second attempt has the time that is left of the first', async (t) => {
    const receiver = await receive(t, {
      onConnection(socket) {
        // The first connection answers once and is closed under the second request; others hang.
        if (receiver.opened() > 1) socket.removeAllListeners('data');
      },
      onRequest(socket, n) {
        if (receiver.opened() > 1) return;
        if (n === 1) socket.write(answer(200));
        else socket.destroy();
      },
    });
    const outbound = open(t);
    await post(outbound, receiver.url);
    const result = await post(outbound, receiver.url, 200);
    assert.equal(result.error, 'timeout');
    assert.equal(receiver.opened(), 2);
    await eventually(() => assert.equal(receiver.open(), 0));
  });

  test('an answer that came without a question is never taken for the next one', async (t) => {
    const receiver = await receive(t, {
      onRequest: (socket, n) =>
        socket.write(n === 1 ? answer(200, 'first') + answer(200, 'forged') : answer(500, 'true')),
    });
    const outbound = open(t);
    assert.equal((await post(outbound, receiver.url)).answer?.toString(), 'first');
    const second = await post(outbound, receiver.url);
    assert.notEqual(second.answer?.toString(), 'forged');
  });

  test('an endpoint that hangs holds no other request of its origin', async (t) => {
    const receiver = await receive(t, {
      onRequest: (socket) => {
        if (!receiver.requests.at(-1)?.startsWith('POST /hook/hang')) socket.write(answer(200));
      },
    });
    const outbound = open(t);
    const hanging = Array.from({ length: 20 }, () => post(outbound, `${receiver.url}/hang`, 300));
    assert.equal((await post(outbound, receiver.url)).status, 200);
    for (const { error } of await Promise.all(hanging)) assert.equal(error, 'timeout');
    await eventually(() => assert.equal(receiver.open(), 1));
  });
});

describe('TLS', () => {
  const tls = { ca: CERTIFICATE };

  test('a certificate that nobody vouches for is refused before anything is sent', async (t) => {
    const receiver = await receive(t, { tls: true, onRequest: (s) => s.write(answer(200)) });
    const result = await post(open(t), receiver.url);
    assert.deepEqual([result.error, result.detail], ['tls_failed', 'DEPTH_ZERO_SELF_SIGNED_CERT']);
    assert.deepEqual(receiver.requests, []);
    await eventually(() => assert.equal(receiver.open(), 0));
  });

  test('a certificate of another name is refused, also when its session is resumed', async (t) => {
    const receiver = await receive(t, { tls: true, onRequest: (s) => s.write(answer(200)) });
    const outbound = open(t, { tls, resolve: async () => ['127.0.0.1'] });
    for (let n = 0; n < 3; n++) {
      const result = await post(outbound, `https://other.test:${receiver.port}/`);
      assert.deepEqual(
        [result.error, result.detail],
        ['tls_failed', 'ERR_TLS_CERT_ALTNAME_INVALID'],
      );
    }
    assert.deepEqual(receiver.requests, []);
  });

  test('a certificate of the name or of the address is taken, and connections are kept', async (t) => {
    const receiver = await receive(t, { tls: true, onRequest: (s) => s.write(answer(200)) });
    const outbound = open(t, { tls, resolve: async () => ['127.0.0.1'] });
    for (const host of ['127.0.0.1', 'receiver.test', 'receiver.test.', 'RECEIVER.test']) {
      const result = await post(outbound, `https://${host}:${receiver.port}/`);
      assert.deepEqual([result.status, result.detail], [200, null], host);
    }
    assert.equal((await post(outbound, `https://receiver.test:${receiver.port}/b`)).status, 200);
    assert.equal(receiver.opened(), 3);
  });

  test('an endless answer is read to a bound', async (t) => {
    const receiver = await receive(t, {
      tls: true,
      onRequest(socket) {
        socket.write('HTTP/1.1 200 ');
        writeEndlessly(socket, 'x'.repeat(1000));
      },
    });
    const result = await post(open(t, { tls }), receiver.url);
    assert.deepEqual([result.error, result.detail], ['bad_answer', 'too long']);
    await eventually(() => assert.equal(receiver.open(), 0));
  });

  test('an endpoint that does not speak TLS', async (t) => {
    const receiver = await receive(t, { onConnection: (s) => s.end('HTTP/1.1 400 X\r\n\r\n') });
    const { error } = await post(open(t), receiver.url.replace('http:', 'https:'));
    assert.equal(error, 'tls_failed');
  });

  test('a handshake that hangs is over with the time, and so is its connection', async (t) => {
    const receiver = await receive(t, { onConnection: () => undefined });
    const result = await post(open(t), receiver.url.replace('http:', 'https:'), 200);
    assert.deepEqual([result.error, result.detail], ['timeout', 'connecting']);
    assert.equal(receiver.opened(), 1);
    await eventually(() => assert.equal(receiver.open(), 0));
  });

  test('a handshake that is hung up on', async (t) => {
    const receiver = await receive(t, { onConnection: (socket) => socket.destroy() });
    const result = await post(open(t), receiver.url.replace('http:', 'https:'));
    assert.deepEqual([result.error, result.detail], ['tls_failed', 'ECONNRESET']);
  });
});

describe('closing', () => {
  test('ends what is in flight and what is kept, and leaves nothing open', async (t) => {
    const receiver = await receive(t, {
      onRequest: (socket) => {
        if (!receiver.requests.at(-1)?.startsWith('POST /hook/hang')) socket.write(answer(200));
      },
    });
    const outbound = open(t);
    await Promise.all([post(outbound, receiver.url), post(outbound, receiver.url)]);
    const hanging = post(outbound, `${receiver.url}/hang`);
    const resolving = post(
      open(t, { resolve: () => new Promise(() => undefined) }),
      'http://never.test/',
      200,
    );
    await eventually(() => assert.equal(receiver.requests.length, 3));
    outbound.close();
    assert.equal((await hanging).error, 'connection_lost');
    assert.equal((await resolving).error, 'timeout');
    assert.notEqual((await post(outbound, receiver.url)).error, null);
    await eventually(() => assert.equal(receiver.open(), 0));
    receiver.close();
    await eventually(() => {
      const left = process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Query/.test(name));
      assert.deepEqual(left, []);
    });
  });
});
