import { firstUuidAt } from '../../../platform/ids/index.ts';

const DAY_MS = 86_400_000;
const TABLE = 'delivery_attempts';
const NAME = new RegExp(`^${TABLE}_(\\d{4})(\\d{2})(\\d{2})$`);

/** A day in UTC as a partition of the log of attempts: its table, and its bounds as ids (from inclusive, to exclusive). */
export type Day = { table: string; from: string; to: string; endMs: number };

export function dayAt(ms: number): Day {
  const startMs = Math.floor(ms / DAY_MS) * DAY_MS;
  const endMs = startMs + DAY_MS;
  const date = new Date(startMs).toISOString().slice(0, 10).replaceAll('-', '');
  return { table: `${TABLE}_${date}`, from: firstUuidAt(startMs), to: firstUuidAt(endMs), endMs };
}

/** The day of `nowMs` and `ahead` days after it. */
export const daysFrom = (nowMs: number, ahead: number): Day[] =>
  Array.from({ length: ahead + 1 }, (_, days) => dayAt(nowMs + days * DAY_MS));

/** Of the tables' names those of days that ended before `cutoffMs`; made anew from their dates, so that no other name is ever given back. */
export const daysBefore = (tables: string[], cutoffMs: number): Day[] =>
  tables.flatMap((table) => {
    const [, year, month, date] = NAME.exec(table) ?? [];
    if (!year) return [];
    const day = dayAt(Date.UTC(Number(year), Number(month) - 1, Number(date)));
    return day.table === table && day.endMs <= cutoffMs ? [day] : [];
  });

/** The moment before which nothing is kept. */
export const cutoffOf = (nowMs: number, retentionDays: number): number =>
  nowMs - retentionDays * DAY_MS;
