import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { createRateLimits, MAX_WINDOW_SECONDS, rateLimitHeaders } from './index.ts';
import { createMemoryBuckets } from './memory-buckets.ts';
import { createRecordingLog } from './testing.ts';

const minute = (max: number) => ({ max, windowSeconds: 60 });
const inProcess = () => createRateLimits({ log: createRecordingLog() });

describe('buckets in this process', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date', 'setTimeout'] }));
  afterEach(() => mock.timers.reset());

  test('a breach is refused until the window rolls over', async () => {
    const limits = inProcess();
    for (const left of [2, 1, 0]) {
      const taken = await limits.consume('key', minute(3), 1);
      assert.deepEqual(taken, { allowed: true, ...minute(3), left, resetSeconds: 60 });
    }
    mock.timers.tick(59_999);
    const breach = await limits.consume('key', minute(3), 1);
    assert.deepEqual(breach, { allowed: false, ...minute(3), left: 0, resetSeconds: 1 });
    mock.timers.tick(1);
    assert.equal((await limits.consume('key', minute(3), 1)).left, 2);
  });

  test('the window is fixed: requests and refusals do not prolong it', async () => {
    const limits = inProcess();
    await limits.consume('key', minute(1), 1);
    for (let second = 1; second < 60; second++) {
      mock.timers.tick(1000);
      const refused = await limits.consume('key', minute(1), 1);
      assert.deepEqual([refused.allowed, refused.resetSeconds], [false, 60 - second]);
    }
    mock.timers.tick(1000);
    assert.equal((await limits.consume('key', minute(1), 1)).allowed, true);
  });

  test('a cost that does not fit takes nothing, and the rest stays usable', async () => {
    const limits = inProcess();
    await limits.consume('key', minute(10), 4);
    const refused = await limits.consume('key', minute(10), 7);
    assert.deepEqual([refused.allowed, refused.left], [false, 6]);
    assert.equal((await limits.consume('key', minute(10), 6)).allowed, true);
  });

  test('a cost above the whole limit is refused and begins no window', async () => {
    const limits = inProcess();
    const refused = await limits.consume('key', minute(10), 11);
    assert.deepEqual([refused.allowed, refused.left, refused.resetSeconds], [false, 10, 60]);
    mock.timers.tick(30_000);
    assert.equal((await limits.consume('key', minute(10), 10)).resetSeconds, 60);
  });

  test('requests at the same moment are decided exactly, one after the other', async () => {
    const costs = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(costs, fc.integer({ min: 1, max: 40 }), async (wanted, max) => {
        const limits = inProcess();
        const answers = await Promise.all(
          wanted.map((cost) => limits.consume('key', minute(max), cost)),
        );
        let left = max;
        for (const [index, cost] of wanted.entries()) {
          const allowed = cost === 0 ? left > 0 : cost <= left;
          if (allowed) left -= cost;
          assert.deepEqual([answers[index]?.allowed, answers[index]?.left], [allowed, left]);
        }
      }),
    );
  });

  test('a cost of 0 looks and takes nothing', async () => {
    const limits = inProcess();
    await limits.consume('key', minute(1), 0);
    assert.equal((await limits.consume('key', minute(1), 0)).allowed, true);
    await limits.consume('key', minute(1), 1);
    assert.equal((await limits.consume('key', minute(1), 0)).allowed, false);
  });

  test('two buckets are independent', async () => {
    const limits = inProcess();
    await limits.consume('one', minute(1), 1);
    assert.equal((await limits.consume('one', minute(1), 1)).allowed, false);
    assert.equal((await limits.consume('two', minute(1), 1)).allowed, true);
  });

  test('an edited limit holds at once, for what the bucket has already given', async () => {
    const limits = inProcess();
    await limits.consume('key', minute(5), 5);
    for (let refused = 0; refused < 50; refused++) await limits.consume('key', minute(5), 1);
    const raised = await limits.consume('key', minute(8), 1);
    assert.deepEqual([raised.allowed, raised.left], [true, 2]);
    const lowered = await limits.consume('key', minute(2), 1);
    assert.deepEqual([lowered.allowed, lowered.left], [false, 0]);
    const longer = await limits.consume('key', { max: 5, windowSeconds: 3600 }, 1);
    assert.deepEqual([longer.allowed, longer.resetSeconds], [true, 3600]);
  });

  test('a clock set back never makes the window longer than it is', async () => {
    const limits = inProcess();
    mock.timers.setTime(10_000_000);
    await limits.consume('key', minute(1), 1);
    mock.timers.setTime(1_000_000);
    assert.equal((await limits.consume('key', minute(1), 1)).resetSeconds, 60);
  });

  test('buckets leave memory when their window ends', async () => {
    const buckets = createMemoryBuckets();
    for (let key = 0; key < 1000; key++) await buckets.take(`key ${key}`, minute(5), 1);
    assert.equal(buckets.size(), 1000);
    mock.timers.tick(60_000);
    assert.equal(buckets.size(), 0);
  });

  test('max 0 is unlimited and keeps no bucket', async () => {
    const limits = inProcess();
    const taken = await limits.consume('key', minute(0), 1_000_000);
    assert.deepEqual([taken.allowed, taken.left], [true, Number.POSITIVE_INFINITY]);
    assert.equal(rateLimitHeaders(taken), null);
  });

  test('a window longer than a timer, or a fraction, is an error and no free pass', async () => {
    const limits = inProcess();
    const bad = [
      [{ max: 1, windowSeconds: MAX_WINDOW_SECONDS + 1 }, 1],
      [{ max: 1, windowSeconds: 0 }, 1],
      [{ max: 1.5, windowSeconds: 60 }, 1],
      [{ max: -1, windowSeconds: 60 }, 1],
      [minute(1), -1],
      [minute(1), Number.NaN],
    ] as const;
    for (const [limit, cost] of bad) {
      await assert.rejects(limits.consume('key', limit, cost), RangeError);
    }
    const longest = { max: 1, windowSeconds: MAX_WINDOW_SECONDS };
    await limits.consume('key', longest, 1);
    mock.timers.tick(MAX_WINDOW_SECONDS * 1000 - 1);
    assert.equal((await limits.consume('key', longest, 1)).allowed, false);
  });
});

test('the headers follow draft-ietf-httpapi-ratelimit-headers', () => {
  const decision = { allowed: true, ...minute(6000), left: 5999, resetSeconds: 17 };
  assert.deepEqual(rateLimitHeaders(decision), {
    'RateLimit-Policy': '"default";q=6000;w=60',
    RateLimit: '"default";r=5999;t=17',
  });
});
