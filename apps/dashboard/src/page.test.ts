import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { addressOf } from './api/call.ts';
import { ApiError, errorOf, fieldErrors, isPassing, isSignedOut } from './api/errors.ts';
import { isOwnPath } from './pages/entry/own-path.ts';
import { browserOf } from './pages/profile/browser-name.ts';
import { labelEvery, niceTicks } from './parts/chart/scale.ts';
import { GUIDES } from './parts/guides.ts';
import { exactUtc, relativeTime } from './parts/relative-time.ts';

const refusal = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  errorOf(new Response(JSON.stringify(body), { status, headers }));

describe('a call of the API', () => {
  test('encodes what it puts into the path, and leaves out what is not given', () => {
    const address = addressOf(
      '/accounts/:account/leads/:lead',
      { account: 'a', lead: 'x/y?z #' },
      {},
    );
    assert.equal(address, '/dashboard/api/accounts/a/leads/x%2Fy%3Fz%20%23');
    const query = { search: 'a&b=c', status: undefined, cursor: '', limit: 50 };
    assert.equal(addressOf('/me', {}, query), '/dashboard/api/me?search=a%26b%3Dc&limit=50');
  });

  test('that is refused keeps what the service said', async () => {
    const body = { error: 'too_many_tries', message: 'Wait.', details: { a: 1 } };
    const error = await refusal(429, body, { 'retry-after': '7', 'x-request-id': 'r1' });
    assert.deepEqual(
      [error.status, error.error, error.message, error.retryAfterSeconds, error.requestId],
      [429, 'too_many_tries', 'Wait.', 7, 'r1'],
    );
    assert.ok(isPassing(error));
  });

  test('that something before the service refused still says what to do', async () => {
    const error = await errorOf(new Response('<html>', { status: 502 }));
    assert.equal(error.error, 'http_502');
    assert.match(error.message, /again/);
    assert.equal(error.retryAfterSeconds, null);
  });

  test('is over with the session only where the service says so', async () => {
    assert.ok(isSignedOut(await refusal(401, { error: 'session_required' })));
    assert.ok(!isSignedOut(await refusal(401, { error: 'sign_in_refused' })));
    assert.ok(!isSignedOut(new TypeError('x')));
  });

  test('puts errors at their fields, the first of each, without the name that the label shows', () => {
    const error = new ApiError({
      ...{ status: 400, error: 'x', message: 'x', requestId: null, retryAfterSeconds: null },
      errors: [
        { path: 'changes.phone', code: 'a', message: 'phone must be short' },
        { path: 'changes.phone', code: 'b', message: 'phone is bad' },
        { path: 'version', code: 'c', message: 'version is required' },
      ],
    });
    assert.deepEqual(fieldErrors(error, 'changes'), { phone: 'Must be short' });
    assert.equal(fieldErrors(error).version, 'Is required');
    assert.deepEqual(fieldErrors(new Error('x')), {});
  });
});

describe('the way back after signing in', () => {
  test('leads to this page alone', () => {
    for (const path of ['/', '/a/x/leads?status=new&search=%2F%2Fx', '/profile#x']) {
      assert.ok(isOwnPath(path), path);
    }
    const others = [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'https://evil.example',
    ];
    for (const path of [...others, 'javascript:alert(1)', '', 'a/b', '/\n//evil.example']) {
      assert.ok(!isOwnPath(path), JSON.stringify(path));
    }
  });
});

test('the guides that pages lead to are there', () => {
  for (const guide of GUIDES) {
    const path = new URL(`../../../docs/guides/${guide}.md`, import.meta.url);
    assert.match(readFileSync(path, 'utf8'), /^# /, guide);
  }
});

describe('what is shown', () => {
  test('of a time says how long ago, and exactly when with all its decimals', () => {
    const now = Date.parse('2026-01-15T10:00:00Z');
    const at = (ms: number) => relativeTime(new Date(now + ms).toISOString(), now);
    assert.equal(at(-1_000), 'now');
    assert.equal(at(-30_000), '30 seconds ago');
    assert.equal(at(-3 * 60_000), '3 minutes ago');
    assert.equal(at(7 * 86_400_000 - 5_000), 'in 7 days');
    assert.equal(at(-86_400_000), 'yesterday');
    assert.match(at(-90 * 86_400_000), /2025/);
    assert.equal(exactUtc('2026-01-15T10:30:00.123456Z'), '2026-01-15 10:30:00.123456 UTC');
  });

  test('of counts has whole, round steps that reach the highest', () => {
    assert.deepEqual(niceTicks(0), [0, 1]);
    assert.deepEqual(niceTicks(3), [0, 1, 2, 3]);
    assert.deepEqual(niceTicks(7), [0, 2, 4, 6, 8]);
    assert.deepEqual(niceTicks(1_000_000), [0, 500_000, 1_000_000]);
    for (let highest = 1; highest < 5_000; highest += 7) {
      const ticks = niceTicks(highest);
      assert.ok((ticks.at(-1) ?? 0) >= highest && ticks.length <= 6, String(highest));
    }
    assert.equal(labelEvery(60, 600, 60), 6);
    assert.equal(labelEvery(5, 10, 60), 5);
  });

  test('of a session names the browser, and what is none as it calls itself', () => {
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0';
    assert.equal(browserOf(firefox), 'Firefox on Windows');
    assert.equal(browserOf('curl/8.1'), 'curl/8.1');
    assert.equal(browserOf(null), 'Unknown');
  });
});
