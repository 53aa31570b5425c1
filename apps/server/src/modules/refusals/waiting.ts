import type { Failure } from './redact.ts';

/** A request, or a row of a batch, that was refused. */
export type Refused = {
  accountId: string;
  keyId: string;
  /** Milliseconds since the Unix epoch. */
  atMs: number;
  requestId: string;
  address: string;
  method: string;
  /** The pattern of the route: a URL can hold personal data. */
  route: string;
  row: number | null;
  failure: Failure;
};

/**
 * What waits to be written: the newest `perKey` of each key, at most `max` in all. Where that is full a key's newest takes the place of
 * its own oldest; one that has none there is dropped.
 */
export function createWaiting({ perKey, max }: { perKey: number; max: number }) {
  type Ring = { items: Refused[]; next: number };
  let rings = new Map<string, Ring>();
  let total = 0;
  let dropped = 0;

  return {
    add(refused: Refused): void {
      let ring = rings.get(refused.keyId);
      if ((ring?.items.length ?? 0) < perKey && total < max) {
        if (!ring) {
          ring = { items: [], next: 0 };
          rings.set(refused.keyId, ring);
        }
        ring.items.push(refused);
        total++;
      } else if (ring) {
        ring.items[ring.next] = refused;
        ring.next = (ring.next + 1) % ring.items.length;
      } else dropped++;
    },

    /** Takes all out; those of a key in their order. */
    take(): { items: Refused[]; dropped: number } {
      const items = [...rings.values()].flatMap((ring) => [
        ...ring.items.slice(ring.next),
        ...ring.items.slice(0, ring.next),
      ]);
      const taken = { items, dropped };
      rings = new Map();
      total = 0;
      dropped = 0;
      return taken;
    },
  };
}
