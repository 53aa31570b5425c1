import type { KeyUsage } from '@leadwire/contract/dashboard';

type Range = KeyUsage['range'];

export const RANGES: readonly { value: Range; label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
];

/** What of a key's page stands in its address. */
export type KeySearch = { range?: Range };

export function readKeySearch(search: Record<string, unknown>): KeySearch {
  const range = RANGES.find(({ value }) => value === search.range)?.value;
  return range ? { range } : {};
}
