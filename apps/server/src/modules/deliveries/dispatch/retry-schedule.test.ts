import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { retryDelayMs } from './retry-schedule.ts';

const HOUR = 3_600_000;
const SCHEDULE = [5_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((h) => h * HOUR)];
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the wait after a failed attempt', () => {
  test('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, each ±20 % at random', () => {
    SCHEDULE.forEach((ms, index) => {
      const attempts = index + 1;
      assert.equal(
        retryDelayMs(attempts, null, () => 0.5),
        ms,
      );
      assert.equal(
        retryDelayMs(attempts, null, () => 0),
        ms * 0.8,
      );
      fc.assert(
        fc.property(random, (r) => {
          const delay = retryDelayMs(attempts, null, () => r) as number;
          assert.ok(delay >= ms * 0.8 && delay <= ms * 1.2);
        }),
      );
    });
  });

  test('does not come after the tenth attempt', () => {
    assert.equal(
      retryDelayMs(10, null, () => 0.5),
      null,
    );
    assert.equal(
      retryDelayMs(10, HOUR, () => 0.5),
      null,
    );
  });

  test('is what Retry-After asks for where that is longer, up to 24 h', () => {
    const after = (ms: number) => retryDelayMs(1, ms, () => 0.5);
    assert.equal(after(60_000), 60_000);
    assert.equal(after(1_000), 5_000);
    assert.equal(after(24 * HOUR), 24 * HOUR);
    assert.equal(after(240 * HOUR), 24 * HOUR);
  });
});
