import { createBucketsWithFallback } from './buckets-with-fallback.ts';
import { assertCountable, type RateDecision, type RateLimit, unlimited } from './decision.ts';
import { createMemoryBuckets } from './memory-buckets.ts';
import { openRedisBuckets } from './redis-buckets.ts';
import { parseRedisUrl } from './redis-url.ts';

export { clientNetwork } from './client-network.ts';
export { MAX_WINDOW_SECONDS, rateLimitHeaders } from './decision.ts';
export type { FailedAuthLimit } from './failed-auth-limit.ts';
export { createFailedAuthLimit } from './failed-auth-limit.ts';
export type { RateDecision, RateLimit };

export type RateLimits = {
  /**
   * Takes `cost` units (whole) from a bucket, all or none. A cost of 0 takes nothing and answers
   * whether anything is left. Rejects with a RangeError for a limit or a cost that is no whole
   * number in range, and for nothing else: without Redis the count goes on in this process.
   */
  consume(bucket: string, limit: RateLimit, cost: number): Promise<RateDecision>;
  /** Drops the connection to Redis and all timers. */
  close(): Promise<void>;
};

export type RateLimitsDeps = {
  /** redis:// or rediss://; absent: buckets in this process alone. */
  redisUrl?: string | undefined;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  /** Told true when counting falls back into this process, false when it is shared again. */
  onFallback?: ((away: boolean) => void) | undefined;
  /** The longest that a request waits for Redis. */
  redisWaitMs?: number;
  /** Between losing Redis and dialling it again. */
  redisRetryMs?: number;
};

/**
 * The buckets behind every key's rate limit: fixed windows, in this process or shared by all nodes
 * through Redis. Throws where `redisUrl` is no Redis address; a Redis that cannot be reached is no
 * error (one warning, counts in this process, one info when it is back).
 */
export function createRateLimits(deps: RateLimitsDeps): RateLimits {
  const buckets = deps.redisUrl ? createRedisBacked(deps, deps.redisUrl) : createMemoryBuckets();
  return {
    async consume(bucket, limit, cost) {
      assertCountable(limit, cost);
      return limit.max === 0 ? unlimited(limit) : buckets.take(bucket, limit, cost);
    },
    async close() {
      if ('close' in buckets) buckets.close();
    },
  };
}

function createRedisBacked(deps: RateLimitsDeps, redisUrl: string) {
  const { log, onFallback, redisWaitMs = 250, redisRetryMs = 1000 } = deps;
  const redis = parseRedisUrl(redisUrl);
  return createBucketsWithFallback({
    open: (onLost) => openRedisBuckets(redis.url, onLost),
    local: createMemoryBuckets(),
    waitMs: redisWaitMs,
    retryMs: redisRetryMs,
    onAway(error) {
      // The message alone: the client's errors carry the command, and AUTH carries the password.
      log.warn(
        { redis: redis.shown, reason: redis.redacted(reasonOf(error)) },
        'Redis is out of reach: rate limits are counted in this process until it is back',
      );
      onFallback?.(true);
    },
    onBack() {
      log.info({ redis: redis.shown }, 'Redis is back: rate limits are shared again');
      onFallback?.(false);
    },
  });
}

function reasonOf(error: Error & { code?: string }): string {
  // A host with several addresses fails with an AggregateError, whose message is empty.
  return error.message || error.code || error.name;
}
