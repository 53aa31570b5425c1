/**
 * The Retry-After of an answer in milliseconds: seconds, or an HTTP date (RFC 9110 section 10.2.3).
 * @returns 0 where there is none that can be read
 */
export function retryAfterMs(value: string | null, nowMs: number): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs);
}
