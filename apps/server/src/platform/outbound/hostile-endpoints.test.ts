import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { eventually } from '../../../test/support/index.ts';
import { createOutbound, type OutboundResult } from './index.ts';
import { answer, drip, startReceiver, writeEndlessly } from './testing/receiver.ts';

const outbound = createOutbound({ allowPrivate: true, timeoutMs: 200 });
after(() => outbound.close());

type Ended = Pick<OutboundResult, 'status' | 'error' | 'detail'>;

/** Posts to an endpoint that does `onRequest`, and sees that nothing of the connection stays. */
async function postTo(
  t: TestContext,
  onRequest: (socket: Socket, n: number) => void,
): Promise<OutboundResult> {
  const receiver = await startReceiver({ onRequest });
  t.after(() => receiver.close());
  const result = await outbound.post({ url: receiver.url, headers: {}, body: '{"a":1}' });
  await eventually(() => assert.equal(receiver.open(), 0, 'the connection is closed'));
  assert.equal(receiver.opened(), 1, 'nothing was sent again');
  return result;
}

function ended({ status, error, detail }: OutboundResult): Ended {
  return { status, error, detail };
}

const OK_HEAD = 'HTTP/1.1 200 OK\r\n';

describe('an endpoint that wants its connection for ever loses it when the time is over', () => {
  const cases: [string, (socket: Socket) => void, Ended][] = [
    [
      'hangs before its answer',
      () => undefined,
      { status: null, error: 'timeout', detail: 'waiting for the answer' },
    ],
    [
      'hangs within the head',
      (socket) => socket.write(`${OK_HEAD}content-le`),
      { status: null, error: 'timeout', detail: 'waiting for the answer' },
    ],
    [
      'hangs within the body',
      (socket) => socket.write(`${OK_HEAD}content-length: 100\r\n\r\nten bytes.`),
      { status: 200, error: 'timeout', detail: 'reading the answer' },
    ],
    [
      'drips its reason phrase',
      (socket) => {
        socket.write('HTTP/1.1 200 ');
        drip(socket, 'O');
      },
      { status: null, error: 'timeout', detail: 'waiting for the answer' },
    ],
    [
      'drips header lines',
      (socket) => {
        socket.write(OK_HEAD);
        drip(socket, 'x: y\r\n');
      },
      { status: null, error: 'timeout', detail: 'waiting for the answer' },
    ],
    [
      'drips a body without a length',
      (socket) => {
        socket.write(`${OK_HEAD}\r\n`);
        drip(socket, 'x');
      },
      { status: 200, error: 'timeout', detail: 'reading the answer' },
    ],
    [
      'drips chunks',
      (socket) => {
        socket.write(`${OK_HEAD}transfer-encoding: chunked\r\n\r\n`);
        drip(socket, '1\r\nx\r\n');
      },
      { status: 200, error: 'timeout', detail: 'reading the answer' },
    ],
    [
      'drips interim answers',
      (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
      { status: null, error: 'timeout', detail: 'waiting for the answer' },
    ],
  ];
  for (const [name, onRequest, expected] of cases) {
    test(`one that ${name}`, async (t) => {
      assert.deepEqual(ended(await postTo(t, onRequest)), expected);
    });
  }

  test('one that says no and then does not end its body is taken at its word', async (t) => {
    const result = await postTo(t, (socket) => {
      socket.write('HTTP/1.1 429 X\r\nretry-after: 7\r\ncontent-length: 100\r\n\r\nslow down');
    });
    assert.deepEqual(ended(result), { status: 429, error: null, detail: null });
    assert.equal(result.retryAfter, '7');
    assert.equal(result.answer?.toString(), 'slow down');
  });
});

describe('an endpoint that answers without end is read to a bound', () => {
  const endless = (head: string, chunk: string) => (socket: Socket) => {
    socket.write(head);
    writeEndlessly(socket, chunk);
  };
  const tooLong: Ended = { status: null, error: 'bad_answer', detail: 'too long' };
  const byStatus: Ended = { status: 200, error: null, detail: null };
  const cases: [string, (socket: Socket) => void, Ended][] = [
    ['a body without a length', endless(`${OK_HEAD}\r\n`, 'x'.repeat(1000)), byStatus],
    [
      'a body of a terabyte',
      endless(`${OK_HEAD}content-length: 1000000000000\r\n\r\n`, 'x'.repeat(1000)),
      byStatus,
    ],
    [
      'chunks',
      endless(`${OK_HEAD}transfer-encoding: chunked\r\n\r\n`, '5\r\nxxxxx\r\n'.repeat(100)),
      byStatus,
    ],
    [
      'the extension of a chunk',
      endless(`${OK_HEAD}transfer-encoding: chunked\r\n\r\n5;e=`, 'x'.repeat(1000)),
      byStatus,
    ],
    [
      'interim answers',
      endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(20)),
      tooLong,
    ],
    ['a reason phrase', endless('HTTP/1.1 200 ', 'x'.repeat(1000)), tooLong],
    [
      'header lines',
      endless(OK_HEAD, 'x: y\r\n'.repeat(100)),
      { status: null, error: 'bad_answer', detail: 'Headers Overflow Error' },
    ],
    [
      'one header line',
      endless(`${OK_HEAD}x: `, 'y'.repeat(1000)),
      { status: null, error: 'bad_answer', detail: 'Headers Overflow Error' },
    ],
    [
      'trailers',
      endless(`${OK_HEAD}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n'.repeat(100)),
      { status: 200, error: 'bad_answer', detail: 'Headers Overflow Error' },
    ],
  ];
  for (const [name, onRequest, expected] of cases) {
    test(name, async (t) => {
      assert.deepEqual(ended(await postTo(t, onRequest)), expected);
    });
  }

  for (const [bytes, expected] of [
    [65_536, 'timeout'],
    [65_537, null],
  ] as const) {
    test(`${bytes} bytes of a body that hangs then: ${expected ?? 'read no further'}`, async (t) => {
      const { status, error } = await postTo(t, (socket) => {
        socket.write(`${OK_HEAD}content-length: 100000\r\n\r\n${'x'.repeat(bytes)}`);
      });
      assert.deepEqual({ status, error }, { status: 200, error: expected });
    });
  }

  test('the first 4 KiB are kept of 64 KiB', async (t) => {
    const body = Array.from({ length: 20_000 }, (_, n) => `${n},`).join('');
    const { answer: kept } = await postTo(t, (socket) => {
      socket.write(`${OK_HEAD}\r\n`);
      writeEndlessly(socket, body);
    });
    assert.equal(kept?.toString(), body.slice(0, 4096));
  });

  test('a compressed answer is kept as it came: what it would unpack to costs nothing', async (t) => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const {
      status,
      error,
      answer: kept,
    } = await postTo(t, (socket) => {
      socket.write(`${OK_HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n`);
      socket.write('connection: close\r\n\r\n');
      socket.write(bomb);
    });
    assert.deepEqual({ status, error }, { status: 200, error: null });
    assert.deepEqual(kept, bomb.subarray(0, 4096));
  });
});

describe('an endpoint that does not speak HTTP as it should', () => {
  const bad = (detail: string, status: number | null = null): Ended => ({
    ...{ status, error: 'bad_answer', detail },
  });
  const notHttp = (reason: string, status: number | null = null) =>
    bad(`Response does not match the HTTP/1.1 protocol (${reason})`, status);
  const lost = (detail: string, status: number | null = null): Ended => ({
    ...{ status, error: 'connection_lost', detail },
  });
  const says = (text: string) => (socket: Socket) => socket.end(text);
  const cases: [string, (socket: Socket) => void, Ended][] = [
    ['resets', (socket) => socket.resetAndDestroy(), lost('ECONNRESET')],
    ['hangs up', (socket) => socket.end(), lost('other side closed')],
    ['hangs up within the head', says(`${OK_HEAD}content-le`), lost('other side closed')],
    [
      'hangs up within a body with a length',
      says(`${OK_HEAD}content-length: 10\r\n\r\nabc`),
      lost('other side closed', 200),
    ],
    [
      'hangs up within a chunk',
      says(`${OK_HEAD}transfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\nabc`),
      lost('Response does not match the HTTP/1.1 protocol (Invalid EOF state)', 200),
    ],
    [
      'resets within the body',
      (socket) => {
        socket.write(`${OK_HEAD}content-length: 10\r\n\r\nabc`, () => socket.resetAndDestroy());
      },
      lost('ECONNRESET', 200),
    ],
    ['speaks SSH', says('SSH-2.0-OpenSSH_9.6\r\n'), notHttp('Expected HTTP/, RTSP/ or ICE/')],
    [
      'answers with noise',
      says('\u0000\u0001\u0002\u0003'),
      notHttp('Expected HTTP/, RTSP/ or ICE/'),
    ],
    ['speaks HTTP/0.9', says('<html>hello</html>'), notHttp('Expected HTTP/, RTSP/ or ICE/')],
    ['has no number for a status', says('HTTP/1.1 OK\r\n\r\n'), notHttp('Invalid status code')],
    [
      'answers 100, which nobody asked for',
      says('HTTP/1.1 100 Continue\r\n\r\n'),
      bad('bad response'),
    ],
    [
      'changes the protocol, which nobody asked for',
      says('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
      bad('bad upgrade'),
    ],
    [
      'gives two lengths',
      says(`${OK_HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
      bad('Response body length does not match content-length header'),
    ],
    [
      'gives a chunk no size',
      says(`${OK_HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`),
      notHttp('Invalid character in chunk size', 200),
    ],
  ];
  for (const [name, onRequest, expected] of cases) {
    test(`one that ${name}`, async (t) => {
      assert.deepEqual(ended(await postTo(t, onRequest)), expected);
    });
  }

  test('a 2xx counts as soon as it is whole, however its connection ends', async (t) => {
    const result = await postTo(t, (socket) => socket.end(`${OK_HEAD}\r\nall of it`));
    assert.deepEqual(ended(result), { status: 200, error: null, detail: null });
    assert.equal(result.answer?.toString(), 'all of it');
  });

  test('a redirect is an answer: nobody goes where it points', async (t) => {
    const inside = await startReceiver({ onRequest: (socket) => socket.end(answer(200)) });
    t.after(() => inside.close());
    for (const status of [301, 302, 303, 307, 308]) {
      const result = await postTo(t, (socket) =>
        socket.end(answer(status, '', `location: ${inside.url}\r\nconnection: close\r\n`)),
      );
      assert.deepEqual(ended(result), { status, error: null, detail: null });
    }
    assert.equal(inside.opened(), 0);
  });

  test('one that answers before it has read a large body', async (t) => {
    const receiver = await startReceiver({
      onConnection: (socket) => socket.end(answer(413, 'too large', 'connection: close\r\n')),
    });
    t.after(() => receiver.close());
    const body = 'x'.repeat(5_000_000);
    const { status, error } = await outbound.post({ url: receiver.url, headers: {}, body });
    assert.ok(status === 413 || error === 'connection_lost', `${status} ${error}`);
    await eventually(() => assert.equal(receiver.open(), 0));
  });
});
