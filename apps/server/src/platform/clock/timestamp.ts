export { normalizeTimestamp } from '@leadwire/contract/stored';

/** Microseconds since the Unix epoch as ISO 8601 in UTC with six decimals: 2026-01-15T10:30:00.123456Z. */
export function formatMicros(micros: number): string {
  const ms = Math.floor(micros / 1000);
  const rest = micros - ms * 1000;
  const iso = new Date(ms).toISOString();
  return `${iso.slice(0, -1)}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`;
}
