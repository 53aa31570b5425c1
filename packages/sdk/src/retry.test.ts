import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LeadwireError, NetworkError, RateLimitError, ServerError } from './index.ts';
import { DEDUPED, LEAD, openScene } from './testing/scene.ts';
import { failure, type Step } from './testing/scripted-server.ts';

const { server, client } = await openScene();
const unavailable = failure(503, 'unavailable');
const asking = (status: number, retryAfter: string) =>
  failure(status, 'later', { headers: { 'retry-after': retryAfter } });

describe('what passes is tried again', () => {
  const passing: [string, Step][] = [
    ['500', failure(500, 'internal_error')],
    ['502 with HTML', { status: 502, body: '<html>Bad gateway</html>' }],
    ['503', unavailable],
    ['504 without a body', { status: 504, body: '' }],
    ['a cut connection', 'cut'],
    ['half a body', 'half'],
    ['a body that ends early', 'short'],
    ['a page of HTML with 200', { status: 200, body: '<html>Sign in to this network</html>' }],
  ];
  for (const [name, step] of passing) {
    test(`${name}: after 1, 2, 4 and 8 s`, async () => {
      server.play(step, step, step, step, DEDUPED);
      const { leads, clock } = client();
      assert.equal((await leads.insert(LEAD)).status, 'deduped');
      assert.deepEqual(clock.waits, [1000, 2000, 4000, 8000]);
      assert.equal(clock.running, 0);
    });

    test(`${name}: five attempts and no more`, async () => {
      server.play(...Array(9).fill(step));
      const { leads, clock } = client();
      await assert.rejects(leads.insert(LEAD), (error) => {
        assert.ok(error instanceof ServerError || error instanceof NetworkError);
        assert.equal(error.attempts, 5);
        assert.equal(error.requestId, step === 'cut' ? undefined : 'req-from-script');
        return true;
      });
      assert.equal(server.seen.length, 5);
      assert.deepEqual(clock.waits, [1000, 2000, 4000, 8000]);
    });
  }

  test('a longer Retry-After of a 503 is waited for, a shorter one is not', async () => {
    server.play(asking(503, '7'), asking(503, '1'), DEDUPED);
    const { leads, clock } = client();
    await leads.insert(LEAD);
    assert.deepEqual(clock.waits, [7000, 2000]);
  });

  test('every try is signed anew, for its time', async () => {
    server.play(unavailable, asking(429, '3'), DEDUPED);
    await client().leads.insert(LEAD);
    const stamps = server.seen.map(({ headers }) => Number(headers['x-leadwire-timestamp']));
    const first = stamps[0] ?? 0;
    assert.deepEqual(stamps, [first, first + 1, first + 4]);
    assert.equal(new Set(server.seen.map((one) => one.headers['x-leadwire-signature'])).size, 3);
  });
});

describe('a 429', () => {
  test('is waited out as long as it takes, and is no attempt', async () => {
    server.play(...Array(7).fill(asking(429, '60')), ...Array(4).fill(unavailable), DEDUPED);
    const { leads, clock } = client();
    await leads.insert(LEAD);
    assert.deepEqual(clock.waits, [...Array(7).fill(60_000), 1000, 2000, 4000, 8000]);
  });

  test('with a date is waited for until then', async () => {
    const { leads, clock } = client();
    server.play(asking(429, new Date(clock.nowMs() + 25_000).toUTCString()), DEDUPED);
    await leads.insert(LEAD);
    assert.deepEqual(clock.waits, [25_000]);
  });

  test('without Retry-After backs off up to 30 s', async () => {
    server.play(...Array(7).fill(failure(429, 'rate_limited')), DEDUPED);
    const { leads, clock } = client();
    await leads.insert(LEAD);
    assert.deepEqual(clock.waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  test('that would take longer than the call may is thrown at once', async () => {
    server.play(asking(429, '60'), DEDUPED);
    const { leads, clock } = client();
    await assert.rejects(leads.insert(LEAD, { deadlineMs: 60_000 }), (error) => {
      assert.ok(error instanceof RateLimitError);
      assert.equal(error.retryAfterMs, 60_000);
      return true;
    });
    assert.deepEqual(clock.waits, []);
    assert.equal(server.seen.length, 1);
  });
});

describe('no other answer is tried again', () => {
  for (const [status, kind] of [
    [302, 'LeadwireError'],
    [400, 'ValidationError'],
    [401, 'AuthenticationError'],
    [403, 'ScopeError'],
    [404, 'NotFoundError'],
    [405, 'LeadwireError'],
    [408, 'LeadwireError'],
    [409, 'ConflictError'],
    [413, 'LeadwireError'],
    [425, 'LeadwireError'],
  ] as const) {
    test(`a ${status} is thrown at once as a ${kind}`, async () => {
      const code = `code_${status}`;
      server.play(failure(status, code, { headers: { location: server.url } }), DEDUPED);
      const { leads, clock } = client();
      await assert.rejects(leads.insert(LEAD), (error) => {
        assert.ok(error instanceof LeadwireError);
        assert.equal(error.name, kind);
        assert.deepEqual([error.code, error.status, error.attempts], [code, status, 1]);
        assert.deepEqual([error.message, error.requestId], [`m: ${code}`, 'req-from-script']);
        return true;
      });
      assert.equal(server.seen.length, 1);
      assert.deepEqual(clock.waits, []);
    });
  }

  test('a 404 of a proxy is a NotFoundError, too', async () => {
    server.play({ status: 404, body: 'nothing here' });
    await assert.rejects(client().leads.get('a'), { name: 'NotFoundError', code: 'http_404' });
  });
});

describe('a post that makes something new each time', () => {
  const posts: [string, (webhooks: ReturnType<typeof client>['webhooks']) => Promise<unknown>][] = [
    ['create', (webhooks) => webhooks.create({ url: 'https://example.com', events: [] })],
    ['rotateSecret', (webhooks) => webhooks.rotateSecret('wh_1')],
    ['test', (webhooks) => webhooks.test('wh_1')],
    ['replay', (webhooks) => webhooks.replay('wh_1', { from: '', to: '' })],
  ];
  for (const [name, post] of posts) {
    test(`webhooks.${name} is not tried again where it may have been carried out`, async () => {
      for (const step of [unavailable, failure(500, 'internal_error'), 'cut', 'half'] as Step[]) {
        server.play(step, DEDUPED);
        await assert.rejects(post(client().webhooks), { attempts: 1 });
        assert.equal(server.seen.length, 1);
      }
    });

    test(`webhooks.${name} is tried again after 429, since nothing was done`, async () => {
      server.play(asking(429, '5'), DEDUPED);
      const { webhooks, clock } = client();
      await post(webhooks);
      assert.deepEqual(clock.waits, [5000]);
    });
  }

  test('sending a delivery again is none of them', async () => {
    server.play('cut', DEDUPED);
    await client().webhooks.retryDelivery('wh_1', 'dlv_1');
    assert.equal(server.seen.length, 2);
  });
});
