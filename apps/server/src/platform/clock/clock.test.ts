import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createClock } from './index.ts';

describe('the clock', () => {
  test('gives strictly rising stamps, whatever the machine clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4e15 }), { minLength: 2 }), (wall) => {
        let turn = 0;
        const clock = createClock(() => wall[turn++] as number);
        const stamps = wall.map(() => clock.nowMicros());
        for (let i = 1; i < stamps.length; i++) {
          assert.ok((stamps[i] as number) > (stamps[i - 1] as number));
        }
        // It runs ahead of the machine's clock only where it must.
        stamps.forEach((stamp, i) => {
          const before = i === 0 ? 0 : (stamps[i - 1] as number);
          assert.equal(stamp, Math.max(wall[i] as number, before + 1));
        });
      }),
    );
  });

  test('gives milliseconds of the machine clock, also after it stepped back', () => {
    let wall = 2_000_999;
    const clock = createClock(() => wall);
    assert.equal(clock.nowMs(), 2_000);
    clock.nowMicros();
    wall = 1_500_000;
    assert.equal(clock.nowMs(), 1_500);
  });

  test('agrees with the time of the machine', () => {
    const before = Date.now();
    const clock = createClock();
    const [ms, micros] = [clock.nowMs(), clock.nowMicros()];
    // Two clocks of one machine, read one after the other: a second apart would be a wrong unit or origin.
    assert.ok(Math.abs(ms - before) < 1_000);
    assert.ok(Math.abs(micros / 1000 - before) < 1_000);
    assert.ok(Number.isInteger(micros));
  });

  test('follows the machine clock when that is set, or has slept, while the process runs', (t) => {
    const clock = createClock();
    const anHourLater = clock.nowMs() + 3_600_000;
    t.mock.timers.enable({ apis: ['Date'], now: anHourLater });
    assert.ok(Math.abs(clock.nowMs() - anHourLater) < 60_000);
  });
});
