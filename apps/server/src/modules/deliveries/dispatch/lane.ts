import type { AttemptResult } from '../sending/index.ts';
import { createEndpointHealth, type EndpointHealth, type StoredHealth } from './endpoint-health.ts';
import type { DueDelivery } from './repository/due.ts';
import type { LeasedQueue } from './repository/leases.ts';

/** One webhook's queue while this process holds its lease. */
export type Lane = {
  accountId: string;
  webhookId: string;
  health: EndpointHealth;
  /** Fetched and not started yet, with the time at which they were read. */
  buffer: { delivery: DueDelivery; readMs: number }[];
  /** Of the buffer, from its front: those whose events were asked for. */
  prefetched: number;
  /** Event ids of all that was fetched and is not finished in the store. */
  known: Set<string>;
  inFlight: number;
  replaysInFlight: number;
  /** More may be due than was fetched. */
  isHungry: boolean;
  isFetching: boolean;
  /** Until when the lease holds, by this process's clock; nothing is started after that. */
  leasedUntilMs: number;
  lastBusyMs: number;
  healthChanged: boolean;
  /** Something of it could not even be sent: it is logged once. */
  isBroken: boolean;
  /** Raised by each change of the webhook: what was read before it is not sent. */
  generation: number;
  /** Started since the last fetch, and when that was: how fast the endpoint takes. */
  startedSince: number;
  fetchedMs: number;
  /** The webhook's updated_at: another one means that somebody changed it. */
  revision: string | null;
};

// What waits longer than this here is read again before it is sent: its webhook may have been changed or deleted.
const STALE_AFTER_MS = 250;
// Read ahead of sending, so that a quick endpoint never waits for the store: what it takes in this time, at most so many windows.
const READ_AHEAD_MS = 125;
const READ_AHEAD_WINDOWS = 8;
const SHORTEST_MEASURE_MS = 20;
// In windows, until it is stored what became of them.
const MAX_UNFINISHED = 24;

export function openLane(
  queue: LeasedQueue,
  options: {
    nowMs: () => number;
    wallMs: () => number;
    random: () => number;
    leasedUntilMs: number;
  },
): Lane {
  return {
    accountId: queue.accountId,
    webhookId: queue.webhookId,
    health: createEndpointHealth({ ...options, ...queue }),
    buffer: [],
    prefetched: 0,
    known: new Set(),
    inFlight: 0,
    replaysInFlight: 0,
    isHungry: true,
    isFetching: false,
    leasedUntilMs: options.leasedUntilMs,
    lastBusyMs: options.nowMs(),
    healthChanged: false,
    isBroken: false,
    generation: 0,
    startedSince: 0,
    fetchedMs: options.nowMs(),
    revision: null,
  };
}

/** How many deliveries to fetch now; 0 where there are enough, or none may be sent yet. */
export function wantedOf(lane: Lane, nowMs: number): number {
  if (!lane.isHungry || lane.isFetching || nowMs >= lane.leasedUntilMs) return 0;
  if (lane.health.nextStartMs() > nowMs) return 0;
  const buffered = lane.buffer.length;
  if (lane.health.isProbed()) return buffered + lane.inFlight === 0 ? 1 : 0;
  const window = lane.health.window();
  const target = readAhead(lane, window, nowMs);
  if (buffered > target / 2) return 0;
  const count = Math.min(target - buffered, MAX_UNFINISHED * window - lane.known.size);
  return Math.max(0, count);
}

function readAhead(lane: Lane, window: number, nowMs: number): number {
  const elapsedMs = Math.max(nowMs - lane.fetchedMs, SHORTEST_MEASURE_MS);
  const soon = Math.ceil((lane.startedSince / elapsedMs) * READ_AHEAD_MS);
  return Math.min(READ_AHEAD_WINDOWS * window, Math.max(window - lane.inFlight, soon));
}

/** Of those at most so many of a replay: half of the window, so that live events find room. */
export function replaysWantedOf(lane: Lane, wanted: number): number {
  const buffered = lane.buffer.filter(({ delivery }) => delivery.replayId !== null).length;
  const room = Math.ceil(lane.health.window() / 2) - lane.replaysInFlight - buffered;
  return Math.max(0, Math.min(wanted, room));
}

/** Before a fetch; what it finds is added by addFetched. */
export function beginFetch(lane: Lane, nowMs: number): void {
  lane.isFetching = true;
  lane.isHungry = false;
  lane.startedSince = 0;
  lane.fetchedMs = nowMs;
}

export function addFetched(lane: Lane, deliveries: DueDelivery[]): void {
  for (const delivery of deliveries) {
    adoptChanges(lane, delivery);
    lane.known.add(delivery.eventId);
    lane.buffer.push({ delivery, readMs: lane.fetchedMs });
  }
}

function adoptChanges(lane: Lane, { endpoint }: DueDelivery): void {
  if (lane.revision === endpoint.updated_at) return;
  lane.revision = endpoint.updated_at;
  lane.health.reset(healthOf(endpoint));
}

const healthOf = (endpoint: DueDelivery['endpoint']): StoredHealth => ({
  failures: endpoint.failures,
  failingSinceMs: endpoint.failing_since_ms === null ? null : Number(endpoint.failing_since_ms),
});

/** What to read next of the events in the buffer: two windows at a time, and again when one is left. */
export function takePrefetch(lane: Lane): DueDelivery[] {
  const window = lane.health.window();
  if (lane.prefetched >= window) return [];
  const next = lane.buffer.slice(lane.prefetched, lane.prefetched + 2 * window);
  lane.prefetched += next.length;
  return next.map(({ delivery }) => delivery);
}

/** The next delivery to send, or null where none is there or may start yet. */
export function takeNext(lane: Lane, nowMs: number): DueDelivery | null {
  if (lane.inFlight >= lane.health.window()) return null;
  if (lane.health.nextStartMs() > nowMs || nowMs >= lane.leasedUntilMs) return null;
  for (;;) {
    const first = lane.buffer.shift();
    if (!first) return null;
    lane.prefetched = Math.max(0, lane.prefetched - 1);
    if (nowMs - first.readMs < STALE_AFTER_MS) return start(lane, first.delivery, nowMs);
    lane.known.delete(first.delivery.eventId);
    lane.isHungry = true;
  }
}

function start(lane: Lane, delivery: DueDelivery, nowMs: number): DueDelivery {
  lane.inFlight++;
  lane.startedSince++;
  if (delivery.replayId) lane.replaysInFlight++;
  lane.lastBusyMs = nowMs;
  lane.health.started();
  return delivery;
}

/** Notes how an attempt ended; its delivery stays known until that is stored. */
export function noteResult(lane: Lane, delivery: DueDelivery, result: AttemptResult): void {
  lane.inFlight--;
  if (delivery.replayId) {
    lane.replaysInFlight--;
    // There is room for the next of the replay.
    lane.isHungry = true;
  }
  lane.isBroken = false;
  // Of an endpoint as it was before somebody changed it: says nothing of this one.
  if (delivery.endpoint.updated_at !== lane.revision) return;
  const { failures } = lane.health.stored();
  if (result.succeeded) lane.health.succeeded(result.durationMs);
  else lane.health.failed();
  lane.healthChanged ||= failures !== lane.health.stored().failures;
}

/** Somebody changed the webhook, or queued something for it: what was read is read anew, and it is tried at once. */
export function noteChange(lane: Lane): void {
  lane.generation++;
  lane.revision = null;
  lane.healthChanged = false;
  lane.health.reset(lane.health.stored());
  emptyBuffer(lane);
}

/** Its request could not be made, through no fault of the endpoint. Where that won't pass it stays known, so that this lane does not try it again and again. */
export function noteUnsent(lane: Lane, delivery: DueDelivery, willPass: boolean): void {
  lane.inFlight--;
  if (delivery.replayId) lane.replaysInFlight--;
  lane.health.abandoned();
  if (willPass) lane.known.delete(delivery.eventId);
}

/** Forgets what is not started: it is read again, or sent by whoever holds the lease then. */
export function emptyBuffer(lane: Lane): void {
  for (const { delivery } of lane.buffer) lane.known.delete(delivery.eventId);
  lane.buffer = [];
  lane.prefetched = 0;
  lane.isHungry = true;
}

export const isIdle = (lane: Lane): boolean =>
  lane.known.size === 0 && !lane.isHungry && !lane.isFetching;
