const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const RELATIVE_FOR = 30 * DAY;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const localDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** `2026-01-15 10:30:00.123456 UTC`: the time exactly as the service keeps it. */
export const exactUtc = (value: string): string =>
  `${value.replace('T', ' ').replace(/(Z|\+00:00)$/, '')} UTC`;

/** "3 minutes ago", "in 2 days"; older or later than 30 days: the day. */
export function relativeTime(value: string, nowMs: number): string {
  const distance = Date.parse(value) - nowMs;
  const size = Math.abs(distance);
  if (size < 5_000) return 'now';
  if (size < MINUTE) return relative.format(Math.round(distance / 1000), 'second');
  if (size < HOUR) return relative.format(Math.round(distance / MINUTE), 'minute');
  if (size < DAY) return relative.format(Math.round(distance / HOUR), 'hour');
  if (size < RELATIVE_FOR) return relative.format(Math.round(distance / DAY), 'day');
  return localDay.format(new Date(value));
}
