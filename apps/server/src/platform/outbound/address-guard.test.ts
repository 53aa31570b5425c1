import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import { createConnections } from './connections.ts';
import { createDial } from './dial.ts';
import { runExchange } from './exchange.ts';
import type { TransportFailure } from './failure.ts';
import { createOutbound } from './index.ts';
import type { Resolve } from './names.ts';
import { readTarget } from './target.ts';
import { answer, CERTIFICATE, type Receiver, startReceiver } from './testing/receiver.ts';

describe('without leave for private targets', () => {
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver({ tls: true, onRequest: (s) => s.write(answer(200)) });
  });
  after(() => receiver.close());

  async function postTo(host: string, resolve: () => Promise<string[]>) {
    const tls = { ca: CERTIFICATE };
    const outbound = createOutbound({ allowPrivate: false, timeoutMs: 500, resolve, tls });
    const url = `https://${host}:${receiver.port}/`;
    const result = await outbound.post({ url, headers: {}, body: '' });
    outbound.close();
    assert.equal(result.status, null);
    return result;
  }

  const neverAsked = () => assert.fail('a literal is not resolved') as never;

  test('no spelling of a private address is dialled', async () => {
    const spellings = [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1'],
      ...['127.0.0.1.', '%31%32%37.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '0', '0.0.0.0', '10.0.0.1'],
      ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]'],
      ...['[0:0:0:0:0:ffff:7f00:0001]', '[::127.0.0.1]', '[2002:7f00:1::]', '[fe80::1]'],
      ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'intranet'],
    ];
    for (const host of spellings) {
      assert.equal((await postTo(host, neverAsked)).error, 'address_refused', host);
    }
    assert.equal(receiver.opened(), 0);
  });

  test('a name that leads to private addresses alone is refused', async () => {
    const lists = [['127.0.0.1'], ['::1', '127.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']];
    for (const list of [...lists, ['fe80::1%lo'], ['not an address'], []]) {
      const result = await postTo('receiver.test', async () => list);
      assert.equal(result.error, 'address_refused', list.join());
      assert.doesNotMatch(result.detail ?? '', /\d/, 'what an inner name leads to is not told');
    }
    assert.equal(receiver.opened(), 0);
  });

  test('a URL that was saved where more was allowed is refused', async () => {
    const outbound = createOutbound({ allowPrivate: false, timeoutMs: 300 });
    const refused = [
      'http://example.com/',
      'https://a:b@example.com/',
      'https://example.com:0/',
      '',
    ];
    for (const url of refused) {
      const result = await outbound.post({ url, headers: {}, body: '' });
      assert.equal(result.error, 'address_refused', url);
    }
    outbound.close();
  });
});

describe('where one address is allowed and others are not', () => {
  /** Everything of 127.0.0.0/8 reaches the receiver; only 127.0.0.1 is allowed. */
  async function start(t: TestContext, resolve: Resolve) {
    const receiver = await startReceiver({
      host: '0.0.0.0',
      onRequest: (socket) => socket.end(answer(200, '', 'connection: close\r\n')),
    });
    const isAllowed = (address: string) => address === '127.0.0.1';
    const connections = createConnections(createDial({ resolve, isAllowed }));
    t.after(() => {
      connections.close();
      receiver.close();
    });
    const target = readTarget(`http://receiver.test:${receiver.port}/`);
    const limits = { maxAnswerBytes: 1000, keepAnswerBytes: 100 };
    const post = () =>
      runExchange({ target, headers: {}, body: '', timeoutMs: 1000 }, connections, limits);
    return { receiver, post };
  }

  test('a name that changes its mind after the first request gets no second one (rebinding)', async (t) => {
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']];
    const { receiver, post } = await start(t, async () => answers.shift() ?? []);
    const errors: (string | null)[] = [];
    for (let n = 0; n < 3; n++) errors.push((await post()).error);
    assert.deepEqual(errors, [null, 'address_refused', null]);
    assert.equal(receiver.opened(), 2);
  });

  test('of a name that leads to both only the allowed address is tried', async (t) => {
    const list = ['127.0.0.2', '::ffff:127.0.0.1', '127.0.0.3', '127.0.0.1', '127.0.0.4'];
    const { receiver, post } = await start(t, async () => list);
    const dialled: string[] = [];
    const watch = (message: unknown) => {
      const { socket } = message as { socket: Socket };
      socket.on('connectionAttempt', (address: string) => dialled.push(address));
    };
    subscribe('net.client.socket', watch);
    t.after(() => unsubscribe('net.client.socket', watch));
    receiver.close();
    assert.equal((await post()).error, 'connection_failed');
    assert.deepEqual(dialled, ['127.0.0.1']);
  });
});

test('the address really reached is judged too, before anything is sent', async (t) => {
  const receiver = await startReceiver({ onRequest: (socket) => socket.write(answer(200)) });
  t.after(() => receiver.close());
  const judged: string[] = [];
  const dial = createDial({
    resolve: async () => ['127.0.0.1'],
    isAllowed: (address) => judged.push(address) === 1,
  });
  const { port } = receiver;
  const target = { origin: 'x', isSecure: false, host: 'receiver.test', port, path: '/' };
  const [failure, socket] = await new Promise<[TransportFailure | null, Socket | null]>((done) => {
    dial(target, (...dialled) => done(dialled));
  });
  assert.deepEqual([failure?.kind, socket], ['address_refused', null]);
  assert.deepEqual(judged, ['127.0.0.1', '127.0.0.1']);
});

test('a name that is resolved after the time is dialled no more', async (t) => {
  const receiver = await startReceiver({ onRequest: (socket) => socket.write(answer(200)) });
  t.after(() => receiver.close());
  let resolved = (_addresses: string[]) => {};
  const late = new Promise<string[]>((resolve) => {
    resolved = resolve;
  });
  const outbound = createOutbound({
    ...{ allowPrivate: true, timeoutMs: 2000 },
    resolve: (name) => (name === 'late.test' ? late : Promise.resolve(['127.0.0.1'])),
  });
  t.after(() => outbound.close());
  const at = (name: string) => `http://${name}:${receiver.port}/`;
  const request = { headers: {}, body: '', timeoutMs: 50 };
  const result = await outbound.post({ ...request, url: at('late.test') });
  assert.deepEqual([result.error, result.detail], ['timeout', 'connecting']);
  resolved(['127.0.0.1']);
  assert.equal(
    (await outbound.post({ ...request, timeoutMs: 2000, url: at('b.test') })).status,
    200,
  );
  assert.equal(receiver.opened(), 1);
});

test('a second address is tried where the first one refuses', async (t) => {
  const receiver = await startReceiver({ onRequest: (socket) => socket.write(answer(200)) });
  t.after(() => receiver.close());
  const outbound = createOutbound({
    ...{ allowPrivate: true, timeoutMs: 2000 },
    resolve: async () => ['127.0.0.9', '::1', '127.0.0.1'],
  });
  t.after(() => outbound.close());
  const url = `http://receiver.test:${receiver.port}/`;
  assert.equal((await outbound.post({ url, headers: {}, body: '' })).status, 200);
});
