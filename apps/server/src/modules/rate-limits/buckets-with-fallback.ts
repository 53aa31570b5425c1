import type { Buckets } from './memory-buckets.ts';
import type { RedisBuckets } from './redis-buckets.ts';

export type FallbackDeps = {
  open: (onLost: (reason: Error) => void) => RedisBuckets;
  local: Buckets;
  /** Called when counting moves into this process, and when it is shared again. */
  onAway: (reason: Error) => void;
  onBack: () => void;
  /** The longest that a request waits for Redis. */
  waitMs: number;
  /** Between losing Redis and dialling it again. */
  retryMs: number;
};

/** The longest that one attempt to reach Redis may take, beside the requests. */
const OPEN_TIMEOUT_MS = 2000;

/**
 * Buckets in Redis, or in this process while Redis is away: a request is never refused, nor held
 * for longer than `waitMs`, because of Redis. After the first failure no request waits until a new
 * connection has proved that it counts. Counts are not carried over: each move to this process
 * starts its buckets where it last left them, which is usually empty.
 */
export function createBucketsWithFallback(deps: FallbackDeps): Buckets & { close(): void } {
  const { local, waitMs, retryMs } = deps;
  let current: RedisBuckets | null = null;
  let serving: RedisBuckets | null = null;
  let retry: NodeJS.Timeout | undefined;
  let away = false;
  let closed = false;

  function announceAway(reason: Error) {
    if (away || closed) return;
    away = true;
    deps.onAway(reason);
  }

  function lost(connection: RedisBuckets, reason: Error) {
    if (connection !== current || closed) return;
    current = null;
    serving = null;
    connection.end();
    announceAway(reason);
    retry = setTimeout(connect, retryMs);
    retry.unref();
  }

  function proved(connection: RedisBuckets) {
    if (connection !== current || closed) return;
    serving = connection;
    if (away) deps.onBack();
    away = false;
  }

  async function connect() {
    const connection = deps.open((reason) => lost(connection, reason));
    current = connection;
    try {
      await withinDeadline(connection.ready, OPEN_TIMEOUT_MS);
      proved(connection);
    } catch (error) {
      lost(connection, error as Error);
    }
  }

  // Requests that come before the first connection stands wait for it: the count is shared from
  // the first request on. The wait begins with the first of them, not now: a service that is busy
  // starting must not take its own pause for a silent Redis.
  let starting: Promise<void> | null = connect().finally(() => {
    starting = null;
  });
  let firstWait: Promise<void> | null = null;
  function started(first: Promise<void>): Promise<void> {
    firstWait ??= withinDeadline(first, waitMs)
      .catch(announceAway)
      .finally(() => {
        starting = null;
      });
    return firstWait;
  }

  return {
    async take(bucket, limit, cost) {
      if (starting !== null) await started(starting);
      const connection = serving;
      if (connection === null) return local.take(bucket, limit, cost);
      try {
        return await withinDeadline(connection.take(bucket, limit, cost), waitMs);
      } catch (error) {
        lost(connection, error as Error);
        return local.take(bucket, limit, cost);
      }
    },
    close() {
      closed = true;
      clearTimeout(retry);
      current?.end();
      current = null;
      serving = null;
    },
  };
}

function withinDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${timeoutMs} ms`));
    // After a pause of this process the answer may lie unread in the socket: let it be read first.
    const timer = setTimeout(() => setImmediate(late), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
