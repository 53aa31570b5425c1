/** A timestamptz as PostgreSQL prints it under DateStyle ISO and TimeZone UTC: `2026-01-15 10:30:00.12+00`. */
export type TimestampText = string;

/** The same moment as ISO 8601 with six decimals: `2026-01-15T10:30:00.120000Z`. */
export function timestampToIso(text: TimestampText): string {
  const fraction = text.length > 22 ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(6, '0')}Z`;
}
