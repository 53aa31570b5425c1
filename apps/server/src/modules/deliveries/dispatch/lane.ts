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
  /** The webhook's updated_at: another one means that somebody changed it. */
  revision: string | null;
  averageBytes: number;
};

// What waits longer than this here is read again before it is sent: its webhook may have been changed or deleted.
const STALE_AFTER_MS = 250;
const BUFFERED_BYTES = 512 * 1024;
// In windows: read ahead of sending, so that a quick endpoint never waits for the store, and unfinished in all.
const READ_AHEAD = 8;
const MAX_UNFINISHED = 24;
const FIRST_AVERAGE_BYTES = 4 * 1024;

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
    known: new Set(),
    inFlight: 0,
    replaysInFlight: 0,
    isHungry: true,
    isFetching: false,
    leasedUntilMs: options.leasedUntilMs,
    lastBusyMs: options.nowMs(),
    healthChanged: false,
    revision: null,
    averageBytes: FIRST_AVERAGE_BYTES,
  };
}

/** How many deliveries to fetch now; 0 where there are enough, or none may be sent yet. */
export function wantedOf(lane: Lane, nowMs: number): number {
  if (!lane.isHungry || lane.isFetching || nowMs >= lane.leasedUntilMs) return 0;
  if (lane.health.nextStartMs() > nowMs) return 0;
  if (lane.health.isProbed()) return lane.known.size === 0 ? 1 : 0;
  const window = lane.health.window();
  const buffered = lane.buffer.length;
  if (buffered > (READ_AHEAD * window) / 2) return 0;
  const count = Math.min(READ_AHEAD * window - buffered, MAX_UNFINISHED * window - lane.known.size);
  return Math.max(0, Math.min(count, Math.ceil(BUFFERED_BYTES / lane.averageBytes)));
}

/** Of those at most so many of a replay: half of the window, so that live events find room. */
export function replaysWantedOf(lane: Lane, wanted: number): number {
  const buffered = lane.buffer.filter(({ delivery }) => delivery.replayId !== null).length;
  const room = Math.ceil(lane.health.window() / 2) - lane.replaysInFlight - buffered;
  return Math.max(0, Math.min(wanted, room));
}

export function addFetched(lane: Lane, deliveries: DueDelivery[], nowMs: number): void {
  for (const delivery of deliveries) {
    adoptChanges(lane, delivery);
    lane.known.add(delivery.event.id);
    lane.buffer.push({ delivery, readMs: nowMs });
    const bytes = (delivery.event.lead ?? delivery.event.campaign ?? '').length;
    lane.averageBytes += (bytes - lane.averageBytes) / 16;
  }
}

function adoptChanges(lane: Lane, { endpoint }: DueDelivery): void {
  const isChanged = lane.revision !== null && lane.revision !== endpoint.updated_at;
  lane.revision = endpoint.updated_at;
  if (isChanged) lane.health.reset(healthOf(endpoint));
}

const healthOf = (endpoint: DueDelivery['endpoint']): StoredHealth => ({
  failures: endpoint.failures,
  failingSinceMs: endpoint.failing_since_ms === null ? null : Number(endpoint.failing_since_ms),
});

/** The next delivery to send, or null where none is there or may start yet. */
export function takeNext(lane: Lane, nowMs: number): DueDelivery | null {
  if (lane.inFlight >= lane.health.window()) return null;
  if (lane.health.nextStartMs() > nowMs || nowMs >= lane.leasedUntilMs) return null;
  for (;;) {
    const first = lane.buffer.shift();
    if (!first) return null;
    if (nowMs - first.readMs < STALE_AFTER_MS) return start(lane, first.delivery, nowMs);
    lane.known.delete(first.delivery.event.id);
    lane.isHungry = true;
  }
}

function start(lane: Lane, delivery: DueDelivery, nowMs: number): DueDelivery {
  lane.inFlight++;
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
  const { failures } = lane.health.stored();
  if (result.succeeded) lane.health.succeeded(result.durationMs);
  else lane.health.failed();
  lane.healthChanged ||= failures !== lane.health.stored().failures;
}

/** Forgets what is not started: it is read again, or sent by whoever holds the lease then. */
export function emptyBuffer(lane: Lane): void {
  for (const { delivery } of lane.buffer) lane.known.delete(delivery.event.id);
  lane.buffer = [];
  lane.isHungry = true;
}

export const isIdle = (lane: Lane): boolean =>
  lane.known.size === 0 && !lane.isHungry && !lane.isFetching;
