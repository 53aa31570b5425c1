import { LRUCache } from 'lru-cache';

const REMEMBERED = 10_000;

/**
 * Remembers a looked-up key for `maxAgeMs`, counted from before the look-up began, so that a revocation is never outlived by
 * more. Look-ups of one key that come together share one query. What was not found is not remembered.
 */
export function createVerifiedKeys<T extends object>(deps: {
  maxAgeMs: number;
  monotonicMs: () => number;
  /** What is not is answered and not remembered. */
  isGood: (value: T) => boolean;
}) {
  const found = new LRUCache<string, { value: T; askedAt: number }>({ max: REMEMBERED });
  const asking = new Map<string, Promise<T | null>>();

  async function ask(id: string, lookUp: () => Promise<T | null>): Promise<T | null> {
    const askedAt = deps.monotonicMs();
    try {
      const value = await lookUp();
      if (value && deps.isGood(value)) found.set(id, { value, askedAt });
      else found.delete(id);
      return value;
    } finally {
      asking.delete(id);
    }
  }

  return {
    get(id: string, lookUp: () => Promise<T | null>): T | Promise<T | null> {
      const known = found.get(id);
      if (known && deps.monotonicMs() - known.askedAt < deps.maxAgeMs) return known.value;
      const running = asking.get(id) ?? ask(id, lookUp);
      asking.set(id, running);
      return running;
    },
    /** True for a key that was good when last looked up, however long ago. */
    wasGood: (id: string): boolean => found.has(id),
  };
}
