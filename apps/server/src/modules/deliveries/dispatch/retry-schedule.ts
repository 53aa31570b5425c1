const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Before the second attempt, the third, …: the schedule of contract section 8. */
const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const JITTER = 0.2;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

/**
 * How long to wait after a failure, or null where it was the last attempt. `attempts` counts those that were made;
 * `retryAfterMs` is what the endpoint asked for, honoured where it is longer; `random` gives 0 up to 1.
 */
export function retryDelayMs(
  attempts: number,
  retryAfterMs: number | null,
  random: () => number,
): number | null {
  const delayMs = DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const spread = delayMs * (1 + JITTER * (2 * random() - 1));
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS)));
}
