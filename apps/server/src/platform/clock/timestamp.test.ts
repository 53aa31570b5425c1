import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formatMicros, normalizeTimestamp } from './index.ts';

const two = (n: number) => String(n).padStart(2, '0');
const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysIn = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** A time in UTC with six decimals, as the service writes it. */
const utcText = (years: { min: number; max: number }) =>
  fc
    .record({
      year: fc.integer(years),
      month: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 31 }),
      second: fc.integer({ min: 0, max: 86_399 }),
      micros: fc.oneof(fc.integer({ min: 0, max: 999_999 }), fc.constantFrom(0, 1, 999_999)),
    })
    .map(({ year, month, day, second, micros }) => {
      const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(Math.min(day, daysIn(year, month)))}`;
      const clock = [second / 3600, (second / 60) % 60, second % 60].map((n) => two(Math.floor(n)));
      return `${date}T${clock.join(':')}.${String(micros).padStart(6, '0')}Z`;
    });

describe('a time', () => {
  test('in UTC with six decimals stays as it is, in every year from 0001 to 9999', () => {
    fc.assert(
      fc.property(utcText({ min: 1, max: 9999 }), (text) =>
        assert.equal(normalizeTimestamp(text), text),
      ),
      {
        numRuns: 2000,
        examples: [['9999-12-31T23:59:59.999999Z'], ['0001-01-01T00:00:00.000000Z']],
      },
    );
  });

  test('in any offset is the same moment as in UTC', () => {
    const offset = fc.tuple(fc.constantFrom(-1, 1), fc.nat(23), fc.nat(59), fc.boolean());
    fc.assert(
      fc.property(utcText({ min: 2, max: 9998 }), offset, (text, [sign, h, m, colon]) => {
        const shifted = new Date(Date.parse(text) + sign * (h * 60 + m) * 60_000);
        const local = shifted.toISOString().slice(0, 19) + text.slice(19, -1);
        const zone = `${sign < 0 ? '-' : '+'}${two(h)}${colon ? ':' : ''}${two(m)}`;
        assert.equal(normalizeTimestamp(local + zone), text);
      }),
      { numRuns: 2000 },
    );
  });

  test('in fewer or more than six decimals is filled up or cut off, never rounded', () => {
    const at = '2026-01-15T10:30:59';
    assert.equal(normalizeTimestamp(`${at}.1Z`), `${at}.100000Z`);
    assert.equal(normalizeTimestamp(`${at}.1234567Z`), `${at}.123456Z`);
    assert.equal(normalizeTimestamp(`${at}.999999999Z`), `${at}.999999Z`);
  });
});

describe('a stamp in microseconds', () => {
  const stamp = fc.integer({ min: -8_000_000_000_000_000, max: 9_000_000_000_000_000 });

  test('is printed as the time that it is', () => {
    fc.assert(
      fc.property(stamp, (micros) => {
        const text = formatMicros(micros);
        assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        const back =
          BigInt(Date.parse(`${text.slice(0, 19)}Z`)) * 1000n + BigInt(text.slice(20, -1));
        assert.equal(back, BigInt(micros));
        assert.equal(normalizeTimestamp(text), text);
      }),
      { numRuns: 2000 },
    );
  });

  test('that is later sorts later as text', () => {
    fc.assert(
      fc.property(stamp, stamp, (a, b) => assert.equal(a < b, formatMicros(a) < formatMicros(b))),
    );
  });

  test('before 1970 keeps its microseconds', () => {
    assert.equal(formatMicros(-1), '1969-12-31T23:59:59.999999Z');
    assert.equal(formatMicros(-1_000_001), '1969-12-31T23:59:58.999999Z');
  });
});

describe('the day of a time', () => {
  test('is read exactly when the calendar has it', () => {
    const date = fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.nat(13), fc.nat(32));
    fc.assert(
      fc.property(date, ([year, month, day]) => {
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T12:00:00Z`;
        const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
        assert.equal(normalizeTimestamp(text) !== null, exists, text);
      }),
      { numRuns: 3000 },
    );
  });

  for (const [day, exists] of [
    ['2024-02-29', true],
    ['2000-02-29', true],
    ['1900-02-29', false],
    ['2026-02-29', false],
    ['2026-02-30', false],
    ['2026-04-31', false],
    ['2026-00-10', false],
    ['2026-13-01', false],
    ['2026-01-00', false],
  ] as const) {
    test(`${day} is ${exists ? 'a day' : 'no day'}`, () =>
      assert.equal(normalizeTimestamp(`${day}T00:00:00Z`) !== null, exists));
  }
});

describe('the form of a time', () => {
  const same = [
    '2026-01-15T10:30:00Z',
    '2026-01-15t10:30:00z',
    '2026-01-15 10:30:00Z',
    '2026-01-15T10:30Z',
    '2026-01-15T10:30:00.000Z',
    '2026-01-15T10:30:00,000Z',
    '2026-01-15T10:30:00.000000999Z',
    '2026-01-15T12:00:00+01:30',
    '2026-01-15T12:30:00+02',
    '2026-01-15T05:00:00-0530',
    '2026-01-14T11:30:00-23:00',
  ];
  for (const text of same) {
    test(`${text} is half past ten on the 15th in UTC`, () =>
      assert.equal(normalizeTimestamp(text), '2026-01-15T10:30:00.000000Z'));
  }

  const refused = [
    '',
    '2026-01-15',
    '2026-01-15T10:30:00',
    '2026-01-15T24:00:00Z',
    '2026-01-15T10:60:00Z',
    '2026-01-15T10:30:61Z',
    '2026-01-15T10:30:00+24:00',
    '2026-01-15T10:30:00+01:60',
    '2026-01-15T10:30:00.Z',
    '2026-01-15T10:30:00.0000000000Z',
    '2026-01-15T10:30:00Z ',
    '2026-01-15T10:30:00Z\n',
    ' 2026-01-15T10:30:00Z',
    '+002026-01-15T10:30:00Z',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '２０２６-01-15T10:30:00Z',
    'now',
    '1768473000',
  ];
  for (const text of refused) {
    test(`${JSON.stringify(text)} is refused`, () => assert.equal(normalizeTimestamp(text), null));
  }

  test('a time whose offset carries it over a year is read in UTC', () => {
    assert.equal(normalizeTimestamp('2025-12-31T23:30:00-01:00'), '2026-01-01T00:30:00.000000Z');
    assert.equal(normalizeTimestamp('2024-03-01T00:30:00+01:00'), '2024-02-29T23:30:00.000000Z');
  });
});
