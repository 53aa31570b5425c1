import { tzOffset } from '@date-fns/tz';
import type { DateOrder } from '@leadwire/contract/dashboard';
import { normalizeTimestamp } from '../../../platform/clock/index.ts';

export type TimeResult = { time: string } | { code: string; message: string };

const DATE = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:(?:[T ]|, )(.+))?$/i;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?(?:\s*([ap])\.?m\.?)?$/i;
const PLACES = { iso: 'ymd', ymd: 'ymd', dmy: 'dmy', mdy: 'mdy' } as const;
const HOUR_MS = 3_600_000;

const wrong = (code: string, message: string): TimeResult => ({ code, message });

/**
 * A time as files have it: ISO 8601 with an offset always; without one in `timeZone` (IANA), and in the order that was chosen
 * for the file. A date alone is its midnight. What could be two times is none.
 */
export function readTime(text: string, order: DateOrder, timeZone: string | null): TimeResult {
  const exact = normalizeTimestamp(text);
  if (exact) return { time: exact };
  const wall = readWall(text, order);
  if (!wall) return wrong('format', messageFor(order));
  if (timeZone === null) {
    return wrong('time_zone_needed', 'has no offset from UTC: choose the time zone of such times');
  }
  return inZone(wall, timeZone);
}

const FORMS = { ymd: '2026-01-31', dmy: '31.01.2026 or 31/01/2026', mdy: '01/31/2026' };

const messageFor = (order: DateOrder): string =>
  order === 'iso'
    ? 'must be an ISO 8601 time such as 2026-01-31T09:30:00Z; for days written in another way choose the order of day, month and year'
    : `must be a date such as ${FORMS[order]}, with or without a time such as 09:30`;

type Wall = { ms: number; micros: string };

function readWall(text: string, order: DateOrder): Wall | null {
  const parts = DATE.exec(text);
  if (!parts) return null;
  const [, first = '', mark, second = '', third = '', rest] = parts;
  if (order === 'iso' && mark !== '-') return null;
  const places = PLACES[order];
  const at = (letter: string) => [first, second, third][places.indexOf(letter)] as string;
  if (at('y').length !== 4 || at('m').length > 2 || at('d').length > 2) return null;
  const [year, month, day] = [Number(at('y')), Number(at('m')), Number(at('d'))];
  const clock = readClock(rest);
  if (!clock) return null;
  const ms = Date.UTC(year, month - 1, day, clock.hour, clock.minute, clock.second);
  const date = new Date(ms);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1900;
  return exists ? { ms, micros: clock.micros } : null;
}

function readClock(text: string | undefined) {
  if (text === undefined) return { hour: 0, minute: 0, second: 0, micros: '000000' };
  const parts = CLOCK.exec(text.trim());
  if (!parts) return null;
  const [, hours = '', minutes, seconds = '0', fraction = '', half] = parts;
  let hour = Number(hours);
  if (half && (hour < 1 || hour > 12)) return null;
  if (half) hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const [minute, second] = [Number(minutes), Number(seconds)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  return { hour, minute, second, micros: fraction.padEnd(6, '0') };
}

/** When clocks change, an hour is missing or comes twice. */
function inZone({ ms, micros }: Wall, timeZone: string): TimeResult {
  const offsets = [ms - 24 * HOUR_MS, ms + 24 * HOUR_MS].map((near) =>
    tzOffset(timeZone, new Date(near)),
  );
  const moments = [...new Set(offsets)]
    .map((offset) => ({ offset, at: ms - offset * 60_000 }))
    .filter(({ offset, at }) => tzOffset(timeZone, new Date(at)) === offset);
  const [moment] = moments;
  if (!moment)
    return wrong('no_such_time', `did not exist in ${timeZone}: clocks went forward then`);
  if (moments.length > 1) {
    return wrong('ambiguous', `came twice in ${timeZone}: clocks went back then. Write its offset`);
  }
  return { time: `${new Date(moment.at).toISOString().slice(0, 19)}.${micros}Z` };
}
