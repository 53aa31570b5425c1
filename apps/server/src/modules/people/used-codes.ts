import type { RateLimits } from '../rate-limits/index.ts';

// A code is good in its own half minute, the one before and the one after.
const ONCE = { max: 1, windowSeconds: 120 };

export type UsedCodes = {
  /** Whether this code of this person has not been used yet; it is used then (RFC 6238 section 5.2). */
  isFirst(personId: string, code: string): Promise<boolean>;
};

/** Where limits are shared so is this; else it is of one process, and of several nodes each takes a code once. */
export const createUsedCodes = (rateLimits: RateLimits): UsedCodes => ({
  async isFirst(personId, code) {
    return (await rateLimits.consume(`people:code:${personId}:${code}`, ONCE, 1)).allowed;
  },
});
