const MAX_MS = 24 * 60 * 60 * 1000;

/** The three forms of an HTTP date (RFC 9110, 5.6.7); all of them are in GMT, the last without saying so. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * How long a Retry-After header (RFC 9110, 10.2.3) asks to wait, in milliseconds, at most a day; null where it says
 * nothing that can be read.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_MS);
  const date = ASCTIME_DATE.test(text) ? `${text} GMT` : HTTP_DATE.test(text) ? text : '';
  const at = Date.parse(date);
  return Number.isNaN(at) ? null : Math.min(Math.max(at - nowMs, 0), MAX_MS);
}
