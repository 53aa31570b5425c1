import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createOutbound, type OutboundResult } from '../../../platform/outbound/index.ts';
import { type AttemptResult, createAttempt } from './index.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = '{"id":"evt_1","type":"lead.created"}';
const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);

describe('an attempt over the wire', () => {
  const outbound = createOutbound({ allowPrivate: true, timeoutMs: 300 });
  after(() => outbound.close());

  async function attemptTo(t: TestContext, respond: RequestListener, nowMs = () => Date.now()) {
    const requests: { request: IncomingMessage; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        requests.push({ request, body });
        respond(request, response);
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const attempt = createAttempt({ outbound, nowMs });
    const send = () => attempt({ url, eventId: 'evt_1', body: BODY, secrets: [SECRET] });
    return { requests, send };
  }

  test('is a signed POST of the body as it is', async (t) => {
    const { requests, send } = await attemptTo(t, (_, response) => response.end('thanks'));
    const { durationMs, ...result } = await send();
    assert.ok(durationMs >= 0);
    assert.deepEqual(result, {
      ...{ succeeded: true, error: null, status: 200, detail: null, answer: Buffer.from('thanks') },
      ...{ retryAfterMs: null, isGone: false },
    });
    const [{ request, body }] = requests as [{ request: IncomingMessage; body: string }];
    assert.equal(request.method, 'POST');
    assert.equal(body, BODY);
    assert.equal(request.headers['content-type'], 'application/json');
    assert.equal(request.headers['user-agent'], 'Leadwire');
    assert.equal(request.headers['webhook-id'], 'evt_1');
    const headers = request.headers as Record<string, string>;
    assert.deepEqual(new Webhook(SECRET).verify(body, headers), JSON.parse(BODY));
  });

  test('has a time and a signature of its own and the id of the event', async (t) => {
    let now = NOW;
    const { requests, send } = await attemptTo(
      t,
      (_, response) => response.end(),
      () => now,
    );
    await send();
    now += 5000;
    await send();
    const [first, second] = requests.map(({ request }) => request.headers);
    assert.equal(first?.['webhook-id'], second?.['webhook-id']);
    assert.equal(first?.['webhook-timestamp'], String(NOW / 1000));
    assert.equal(second?.['webhook-timestamp'], String(NOW / 1000 + 5));
    assert.notEqual(first?.['webhook-signature'], second?.['webhook-signature']);
  });

  test('to an endpoint that hangs fails', async (t) => {
    const { send } = await attemptTo(t, () => undefined);
    const { succeeded, error, status } = await send();
    assert.deepEqual(
      { succeeded, error, status },
      { succeeded: false, error: 'timeout', status: null },
    );
  });
});

describe('an answer', () => {
  const answered: OutboundResult = {
    ...{ status: 200, error: null, detail: null, durationMs: 3, retryAfter: null },
    answer: Buffer.from('x'),
  };

  async function read(result: Partial<OutboundResult>): Promise<AttemptResult> {
    const outbound = { post: async () => ({ ...answered, ...result }) };
    const attempt = createAttempt({ outbound, nowMs: () => NOW });
    return attempt({ url: 'https://a.b/', eventId: 'evt_1', body: BODY, secrets: [SECRET] });
  }

  test('of 2xx, and no other, is success', async () => {
    const expected = [
      ...[200, 201, 202, 204, 226, 299].map((status) => [status, true, null]),
      ...[300, 301, 302, 304, 307, 308, 399].map((status) => [status, false, 'redirect']),
      ...[400, 401, 404, 410, 429, 500, 503, 599, 999].map((status) => [status, false, 'status']),
    ];
    for (const [status, succeeded, error] of expected) {
      const result = await read({ status: status as number });
      assert.deepEqual([result.status, result.succeeded, result.error], [status, succeeded, error]);
    }
  });

  test('of 2xx that did not come whole is a failure', async () => {
    const result = await read({ error: 'timeout', detail: 'reading the answer' });
    assert.deepEqual([result.succeeded, result.error, result.status], [false, 'timeout', 200]);
  });

  test('of 410, and no other, says that the endpoint is gone', async () => {
    assert.equal((await read({ status: 410 })).isGone, true);
    for (const status of [200, 404, 411]) assert.equal((await read({ status })).isGone, false);
    assert.equal((await read({ status: null, error: 'timeout' })).isGone, false);
  });

  test('asks to wait with 429 and 503 alone', async () => {
    for (const status of [200, 301, 400, 410, 500, 502, 504]) {
      assert.equal((await read({ status, retryAfter: '7' })).retryAfterMs, null, `${status}`);
    }
    for (const status of [429, 503]) {
      assert.equal((await read({ status, retryAfter: '7' })).retryAfterMs, 7000);
      assert.equal((await read({ status })).retryAfterMs, null);
    }
  });

  test('asks to wait in seconds or until an HTTP date, for a day at most', async () => {
    const day = 24 * 60 * 60 * 1000;
    const waits: [string, number | null][] = [
      ...([
        ['0', 0],
        [' 120 ', 120_000],
        ['86400', day],
        ['86401', day],
        ['9'.repeat(400), day],
      ] as [string, number][]),
      ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
      ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
      ['Sat Nov 21 12:00:30 2026', 30_000],
      ['Sat Nov  7 12:00:30 2026', 0],
      ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
      ['Fri, 31 Dec 9999 23:59:59 GMT', day],
      ...([
        '',
        '-1',
        '1.5',
        '1e3',
        'soon',
        '2026-11-21T12:00:30Z',
        'Sat, 99 Foo 2026 12:00:30 GMT',
      ].map((text) => [text, null]) as [string, null][]),
    ];
    for (const [retryAfter, expected] of waits) {
      assert.equal((await read({ status: 429, retryAfter })).retryAfterMs, expected, retryAfter);
    }
  });
});
