/** A fixed window: `max` units in `windowSeconds` (whole seconds). `max` 0 is unlimited. */
export type RateLimit = { max: number; windowSeconds: number };

/**
 * The answer to one request for units. `left` counts what remains after the answer and is never
 * negative (Infinity when unlimited); `resetSeconds` is whole and at least 1, fit for Retry-After.
 */
export type RateDecision = {
  allowed: boolean;
  max: number;
  windowSeconds: number;
  left: number;
  resetSeconds: number;
};

/** Node's timers end at 2^31-1 ms; a longer one would fire at once and empty the bucket. */
export const MAX_WINDOW_SECONDS = 2_147_483;

/** Throws a RangeError for a limit or a cost that cannot be counted exactly. */
export function assertCountable(limit: RateLimit, cost: number): void {
  const { max, windowSeconds } = limit;
  if (!Number.isSafeInteger(max) || max < 0) {
    throw new RangeError(`a rate limit's max must be a whole number from 0, not ${max}`);
  }
  if (!Number.isInteger(windowSeconds) || windowSeconds < 1 || windowSeconds > MAX_WINDOW_SECONDS) {
    throw new RangeError(
      `a rate limit's window must be 1 to ${MAX_WINDOW_SECONDS} whole seconds, not ${windowSeconds}`,
    );
  }
  if (!Number.isSafeInteger(cost) || cost < 0) {
    throw new RangeError(`a rate limit's cost must be a whole number from 0, not ${cost}`);
  }
}

/** `used` is what the bucket holds after the answer; `windowLeftMs` the rest of its window. */
export function decided(
  limit: RateLimit,
  allowed: boolean,
  used: number,
  windowLeftMs: number,
): RateDecision {
  const { max, windowSeconds } = limit;
  // The wall clock may be set back under a running window: never promise more than the window.
  const resetSeconds = Math.min(windowSeconds, Math.max(1, Math.ceil(windowLeftMs / 1000)));
  return { allowed, max, windowSeconds, left: Math.max(0, max - used), resetSeconds };
}

export function unlimited(limit: RateLimit): RateDecision {
  const { windowSeconds } = limit;
  return { allowed: true, max: 0, windowSeconds, left: Number.POSITIVE_INFINITY, resetSeconds: 1 };
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers for an answer: the policy and what is left
 * of it. Null when unlimited: there is no policy to name.
 */
export function rateLimitHeaders(
  decision: RateDecision,
): { 'RateLimit-Policy': string; RateLimit: string } | null {
  if (decision.max === 0) return null;
  return {
    'RateLimit-Policy': `"default";q=${decision.max};w=${decision.windowSeconds}`,
    RateLimit: `"default";r=${decision.left};t=${decision.resetSeconds}`,
  };
}
