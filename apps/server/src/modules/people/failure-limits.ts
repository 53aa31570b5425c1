import { hash } from 'node:crypto';
import { clientNetwork, type RateLimit, type RateLimits } from '../rate-limits/index.ts';
import { tooManyTries } from './errors.ts';

const WINDOW_SECONDS = 15 * 60;
const OF_AN_ADDRESS: RateLimit = { max: 30, windowSeconds: WINDOW_SECONDS };
const OF_A_NAME: RateLimit = { max: 10, windowSeconds: WINDOW_SECONDS };
// Made-up names and addresses share this many counts, so that no flood of them fills the memory.
const SLOTS = 2 ** 17;

export type FailureLimits = ReturnType<typeof createFailureLimits>;

/**
 * Counts failures, not tries: who gets in costs nobody anything. `name` is counted alike whether it exists or not; a
 * `browser` that got in with this name before has a count of its own, so that a stranger cannot lock its owner out.
 */
export function createFailureLimits(rateLimits: RateLimits) {
  const running = new Map<string, number>();

  async function enter(counts: [bucket: string, limit: RateLimit][]): Promise<void> {
    const left = await Promise.all(
      counts.map(([bucket, limit]) => rateLimits.consume(bucket, limit, 0)),
    );
    // Those that are still tried may fail too: a hundred at once are not a hundred tries for one.
    const full = left.filter((one, i) => one.left <= (running.get(counts[i]?.[0] as string) ?? 0));
    if (full.length > 0) throw tooManyTries(Math.max(...full.map((one) => one.resetSeconds)));
    for (const [bucket] of counts) running.set(bucket, (running.get(bucket) ?? 0) + 1);
  }

  function leave(counts: [bucket: string, limit: RateLimit][]): void {
    for (const [bucket] of counts) {
      const rest = (running.get(bucket) ?? 1) - 1;
      if (rest > 0) running.set(bucket, rest);
      else running.delete(bucket);
    }
  }

  return {
    /** Runs `work`; where it rejects with what `isFailure` says is one, that counts. @throws AppError 429 */
    async guard<T>(
      who: { address?: string; name: string; browser?: string | null },
      work: () => Promise<T>,
      isFailure: (error: unknown) => boolean,
    ): Promise<T> {
      const counts = countsOf(who);
      await enter(counts);
      try {
        return await work();
      } catch (error) {
        if (isFailure(error)) {
          await Promise.all(counts.map(([bucket, limit]) => rateLimits.consume(bucket, limit, 1)));
        }
        throw error;
      } finally {
        leave(counts);
      }
    },

    /** Counts each call, whatever comes of it. @throws AppError 429 */
    async count(who: { address: string; name: string }): Promise<void> {
      for (const [bucket, limit] of countsOf(who)) {
        const { allowed, resetSeconds } = await rateLimits.consume(`all:${bucket}`, limit, 1);
        if (!allowed) throw tooManyTries(resetSeconds);
      }
    },
  };
}

function countsOf(who: {
  address?: string;
  name: string;
  browser?: string | null;
}): [string, RateLimit][] {
  const named: [string, RateLimit] = who.browser
    ? [bucketOf('browser', who.browser), OF_A_NAME]
    : [bucketOf('name', who.name), OF_A_NAME];
  if (who.address === undefined) return [named];
  return [[bucketOf('address', clientNetwork(who.address)), OF_AN_ADDRESS], named];
}

const bucketOf = (kind: string, text: string): string =>
  `people:${kind}:${hash('sha256', text, 'buffer').readUInt32BE() % SLOTS}`;
