import { LRUCache } from 'lru-cache';

type Window = { count: number; endsAt: number };

const WINDOW_MS = 60_000;
const REMEMBERED = 50_000;

/**
 * Counts what one address sends to one form, in windows of a minute, in this process alone: whoever sends too much must not be able to
 * make the service ask Redis. Beyond so many addresses the one seen longest ago is forgotten.
 */
export function createAddressLimit(monotonicMs: () => number) {
  const windows = new LRUCache<string, Window>({ max: REMEMBERED });
  return {
    /** @param max a minute; 0: any number. @returns null, or how long to wait where there were too many */
    take(who: string, max: number): { resetSeconds: number } | null {
      if (max === 0) return null;
      const now = monotonicMs();
      let window = windows.get(who);
      if (!window || window.endsAt <= now) {
        window = { count: 0, endsAt: now + WINDOW_MS };
        windows.set(who, window);
      }
      if (window.count < max) {
        window.count += 1;
        return null;
      }
      return { resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)) };
    },
  };
}

export type AddressLimit = ReturnType<typeof createAddressLimit>;
