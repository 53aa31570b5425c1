import type { Range } from '@leadwire/contract/dashboard';

type Words = { label: string; within: string; before: string };

export const RANGE_WORDS: Readonly<Record<Range, Words>> = {
  hour: { label: 'Hour', within: 'in the last hour', before: 'the hour before' },
  day: { label: 'Day', within: 'in the last 24 hours', before: 'the 24 hours before' },
  week: { label: 'Week', within: 'in the last 7 days', before: 'the 7 days before' },
  month: { label: 'Month', within: 'in the last 30 days', before: 'the 30 days before' },
};

const isRange = (value: unknown): value is Range =>
  typeof value === 'string' && Object.hasOwn(RANGE_WORDS, value);

/** The range stands in the URL; the day needs no word. */
export const readOverviewSearch = (search: Record<string, unknown>): { range?: Range } =>
  isRange(search.range) && search.range !== 'day' ? { range: search.range } : {};

/** `12 % more than`, `3 times as many as`, `as many as`: how `now` compares; null where nothing was before. */
export function comparison(now: number, before: number): string | null {
  if (before === 0) return null;
  const ratio = now / before;
  if (ratio >= 3) return `${Math.round(ratio)} times as many as`;
  const percent = Math.round(Math.abs(ratio - 1) * 100);
  if (percent === 0) return 'as many as';
  return `${percent} % ${ratio > 1 ? 'more' : 'fewer'} than`;
}
