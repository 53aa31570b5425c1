import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTime } from './times.ts';

const BERLIN = 'Europe/Berlin';
type Case = [text: string, order: 'iso' | 'ymd' | 'dmy' | 'mdy', zone: string | null, read: string];

const CASES: Case[] = [
  ['2026-01-31T09:30:00+02:00', 'mdy', null, '2026-01-31T07:30:00.000000Z'],
  ['2026-01-31T09:30:00.123456Z', 'iso', null, '2026-01-31T09:30:00.123456Z'],
  ['2026-01-31 09:30', 'iso', BERLIN, '2026-01-31T08:30:00.000000Z'],
  ['2026-07-31', 'iso', BERLIN, '2026-07-30T22:00:00.000000Z'],
  ['31.1.2026 9:30', 'dmy', BERLIN, '2026-01-31T08:30:00.000000Z'],
  ['31/01/2026 09:30:15.5', 'dmy', 'UTC', '2026-01-31T09:30:15.500000Z'],
  ['01/31/2026, 9:30 PM', 'mdy', 'America/New_York', '2026-02-01T02:30:00.000000Z'],
  ['1/31/2026 12:05 am', 'mdy', 'UTC', '2026-01-31T00:05:00.000000Z'],
  ['2026/01/31', 'ymd', 'Asia/Kolkata', '2026-01-30T18:30:00.000000Z'],
  // What could be two times, or is none.
  ['2026-01-31 09:30', 'iso', null, 'time_zone_needed'],
  ['01/02/2025', 'iso', BERLIN, 'format'],
  ['31/01/2026', 'mdy', BERLIN, 'format'],
  ['2026-01-31', 'dmy', BERLIN, 'format'],
  ['31.01.26', 'dmy', BERLIN, 'format'],
  ['30.02.2026', 'dmy', BERLIN, 'format'],
  ['31.01-2026', 'dmy', BERLIN, 'format'],
  ['31.01.2026 24:00', 'dmy', BERLIN, 'format'],
  ['13:30 pm', 'dmy', BERLIN, 'format'],
  ['29.03.2026 02:30', 'dmy', BERLIN, 'no_such_time'],
  ['25.10.2026 02:30', 'dmy', BERLIN, 'ambiguous'],
  ['45000.5', 'dmy', BERLIN, 'format'],
];

for (const [text, order, zone, expected] of CASES) {
  test(`${text} by ${order} in ${zone} is ${expected}`, () => {
    const read = readTime(text, order, zone);
    assert.equal('time' in read ? read.time : read.code, expected);
  });
}
