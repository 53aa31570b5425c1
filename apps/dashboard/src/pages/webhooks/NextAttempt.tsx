import { None, RelativeTime } from '../../parts/index.ts';

/** When something is sent next. @param at null: never. */
export function NextAttempt({ at, isActive = true }: { at: string | null; isActive?: boolean }) {
  if (at === null) return <None />;
  if (!isActive) return 'When activated';
  return Date.parse(at) <= Date.now() ? 'Due' : <RelativeTime value={at} />;
}
