import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createIds, firstUuidAt } from '../../../platform/ids/index.ts';
import { cutoffOf, dayAt, daysBefore, daysFrom } from './days.ts';

const time = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2200, 0) });

describe('a day of the log', () => {
  test('is named by its date in UTC and bounded by its first millisecond and the next day’s', () => {
    const day = dayAt(Date.UTC(2026, 10, 21, 23, 59, 59, 999));
    assert.equal(day.table, 'delivery_attempts_20261121');
    assert.equal(day.from, firstUuidAt(Date.UTC(2026, 10, 21)));
    assert.equal(day.to, firstUuidAt(Date.UTC(2026, 10, 22)));
    assert.match(day.from, /^[0-9a-f]{8}-[0-9a-f]{4}-0000-0000-000000000000$/);
  });

  test('holds every id that is made on it, and none of another', () => {
    fc.assert(
      fc.property(time, (ms) => {
        const id = createIds(() => ms)();
        const day = dayAt(ms);
        assert.ok(day.from <= id && id < day.to, `${id} on ${day.table}`);
      }),
    );
  });

  test('ends where the next begins', () => {
    fc.assert(
      fc.property(time, fc.nat(40), (ms, ahead) => {
        const days = daysFrom(ms, ahead);
        assert.equal(new Set(days.map(({ table }) => table)).size, ahead + 1);
        days.slice(1).forEach((day, i) => {
          assert.equal(day.from, days[i]?.to);
        });
      }),
    );
  });
});

describe('retention', () => {
  test('drops days of which the last moment is too old, and no other', () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const tables = daysFrom(Date.UTC(2026, 9, 18), 40).map(({ table }) => table);
    const old = daysBefore(tables, cutoffOf(now, 30)).map(({ table }) => table);
    // 30 days before noon of the 21st is noon of October 22nd, which is still within that day.
    assert.deepEqual(old, [
      'delivery_attempts_20261018',
      'delivery_attempts_20261019',
      'delivery_attempts_20261020',
      'delivery_attempts_20261021',
    ]);
  });

  test('never names a table that is no day', () => {
    const others = [
      'delivery_attempts',
      'delivery_attempts_other',
      'delivery_attempts_20201332',
      'delivery_attempts_20200101_old',
      'delivery_attempts_20200101; DROP TABLE leads',
      'leads',
    ];
    assert.deepEqual(daysBefore(others, Date.UTC(2100, 0)), []);
  });
});
