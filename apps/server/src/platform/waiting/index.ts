/**
 * What waits to be written: the newest `perKey` of each key, at most `max` in all. Where that is full a key's newest takes the place of
 * its own oldest; one that has none there is dropped.
 */
export function createWaiting<Item>({
  perKey,
  max,
  keyOf,
}: {
  perKey: number;
  max: number;
  keyOf: (item: Item) => string;
}) {
  type Ring = { items: Item[]; next: number };
  let rings = new Map<string, Ring>();
  let total = 0;
  let dropped = 0;

  return {
    add(item: Item): void {
      const key = keyOf(item);
      let ring = rings.get(key);
      if ((ring?.items.length ?? 0) < perKey && total < max) {
        if (!ring) {
          ring = { items: [], next: 0 };
          rings.set(key, ring);
        }
        ring.items.push(item);
        total++;
      } else if (ring) {
        ring.items[ring.next] = item;
        ring.next = (ring.next + 1) % ring.items.length;
      } else dropped++;
    },

    /** Takes all out; those of a key in their order. */
    take(): { items: Item[]; dropped: number } {
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
