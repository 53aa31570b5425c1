import { LRUCache } from 'lru-cache';
import { type Database, isUnavailable } from '../../../platform/database/index.ts';
import { createGroup } from '../../../platform/grouping/index.ts';
import { composeEvent } from '../../events/index.ts';
import { type EventReference, readEvents } from './repository/bodies.ts';

export type Bodies = ReturnType<typeof createBodies>;

const REMEMBERED_CHARACTERS = 16 * 1024 * 1024;
// What it says may be erased: a retry, minutes later, reads it again.
const REMEMBERED_MS = 5_000;
// A lead with everything at its limit is about 100 KiB: 12 MiB a statement.
const READ = { maxItems: 128, maxInFlight: 1, maxWaiting: Number.POSITIVE_INFINITY };

/**
 * The JSON of events, read when it is about to be sent: an event that goes to many webhooks is held once, and what waits is held by its
 * id alone, so that a queue of large leads costs no memory.
 */
export function createBodies(database: Database) {
  const recent = new LRUCache<string, string>({
    maxSize: REMEMBERED_CHARACTERS,
    ttl: REMEMBERED_MS,
    sizeCalculation: (body) => body.length,
  });
  const pending = new Map<string, Promise<string>>();
  const reads = createGroup({
    ...READ,
    run: (events: EventReference[]) => readEvents(database, events),
    failsWhole: isUnavailable,
  });

  async function read(event: EventReference): Promise<string> {
    try {
      const row = await reads.add(event);
      // Sent without its facts it would count as delivered.
      if (!row?.lead && !row?.campaign)
        throw new Error(`Event ${event.eventId} is to be sent and is not there.`);
      const body = composeEvent(row);
      recent.set(event.eventId, body);
      return body;
    } finally {
      pending.delete(event.eventId);
    }
  }

  async function get(event: EventReference): Promise<string> {
    const known = recent.get(event.eventId);
    if (known !== undefined) return known;
    const reading = pending.get(event.eventId) ?? read(event);
    pending.set(event.eventId, reading);
    return reading;
  }

  return {
    /** @throws where the event is not there, or the store is out of reach */
    get,
    /** Begins to read what will soon be asked for. */
    prefetch(events: EventReference[]): void {
      for (const event of events) {
        get(event).catch(() => undefined);
      }
    },
  };
}
