import { setTimeout as wait } from 'node:timers/promises';
import { formatMicros } from '../../../platform/clock/index.ts';
import { isUnavailable } from '../../../platform/database/index.ts';
import { unavailable } from '../../../platform/errors/index.ts';
import { createRound } from '../../../platform/rounds/index.ts';
import { eventIdOf } from '../../events/index.ts';
import type { Attempt, AttemptResult } from '../sending/index.ts';
import { createBodies } from './bodies.ts';
import {
  addFetched,
  beginFetch,
  emptyBuffer,
  type Lane,
  noteResult,
  noteUnsent,
  replaysWantedOf,
  takeNext,
  takePrefetch,
  wantedOf,
} from './lane.ts';
import { createLanes } from './lanes.ts';
import { createOutcomes, type OutcomeDeps } from './outcomes.ts';
import { createQueueWatch } from './queue-watch.ts';
import { type DueDelivery, findDue } from './repository/due.ts';

export type DispatcherDeps = OutcomeDeps & {
  monotonicMs: () => number;
  attempt: Attempt;
  /** The secrets that sign for an endpoint now, newest first. */
  secretsOf: (delivery: DueDelivery) => string[];
  onInFlight: (count: number) => void;
};

type Fetch = { lane: Lane; generation: number; limit: number; replayLimit: number };

const MAX_IN_FLIGHT = 1024;
const MAX_IN_FLIGHT_OF_ACCOUNT = 128;
const OWED_IN_FLIGHT = 2;
// Also of what is owed: a process has only so many sockets.
const MOST_IN_FLIGHT = 8_192;
const FETCHES_IN_FLIGHT = 2;
const LANES_A_FETCH = 64;
const POLL_EVERY_MS = 1_000;
const KEEP_EVERY_MS = 1_000;
// What is paced or probed is looked at this often.
const TICK_MS = 20;
const DRAIN_MS = 5_000;

/**
 * Sends what is due. A queue belongs to the process that holds its lease; its deliveries are read, sent, and
 * finished in the store. If the process dies between, the next holder sends them again with the same webhook-id.
 */
export function createDispatcher(deps: DispatcherDeps) {
  const { database, clock, log, monotonicMs } = deps;
  const lanes = createLanes(deps);
  const bodies = createBodies(database);
  const outcomes = createOutcomes(deps);
  const ready = new Set<Lane>();
  const watch = createQueueWatch({ ...deps, lanes, onReady });
  const inFlightOf = new Map<string, number>();
  let inFlight = 0;
  let unfinished = 0;
  let fetches = 0;
  let isPumping = false;
  let isStopped = false;

  function onReady(some: Iterable<Lane>) {
    for (const lane of some) ready.add(lane);
    pump();
  }

  function pump() {
    if (isPumping || isStopped || ready.size === 0) return;
    isPumping = true;
    setImmediate(() => {
      isPumping = false;
      if (isStopped) return;
      startSends();
      startFetches();
    });
  }

  /** In turns, so that no queue stands before another. */
  function startSends() {
    const now = monotonicMs();
    for (let hasStarted = true; hasStarted; ) {
      hasStarted = false;
      for (const lane of ready) {
        const delivery = hasRoom(lane) ? takeNext(lane, now) : null;
        if (!delivery) continue;
        hasStarted = true;
        void send(lane, delivery);
      }
    }
  }

  /** The caps share what is beyond the few that each queue has a right to: hanging endpoints must not use up all. */
  const hasRoom = (lane: Lane) =>
    (lane.inFlight < OWED_IN_FLIGHT && inFlight < MOST_IN_FLIGHT) ||
    (inFlight < MAX_IN_FLIGHT && (inFlightOf.get(lane.accountId) ?? 0) < MAX_IN_FLIGHT_OF_ACCOUNT);

  function startFetches() {
    while (fetches < FETCHES_IN_FLIGHT) {
      const hungry = nextHungry();
      if (hungry.length === 0) return;
      void fetchFor(hungry);
    }
  }

  function nextHungry(): Fetch[] {
    const now = monotonicMs();
    const hungry: Fetch[] = [];
    for (const lane of ready) {
      const limit = hasRoom(lane) ? wantedOf(lane, now) : 0;
      const { generation } = lane;
      const replayLimit = replaysWantedOf(lane, limit);
      if (limit > 0) hungry.push({ lane, generation, limit, replayLimit });
      // It comes back with a fetch, a finished attempt, a notification or the next tick.
      else if (lane.buffer.length === 0) ready.delete(lane);
      if (hungry.length === LANES_A_FETCH) break;
    }
    return hungry;
  }

  async function fetchFor(hungry: Fetch[]) {
    fetches++;
    for (const { lane } of hungry) beginFetch(lane, monotonicMs());
    try {
      const byWebhook = Map.groupBy(await readDue(hungry), ({ webhookId }) => webhookId);
      for (const one of hungry) {
        const { lane, generation } = one;
        const found = byWebhook.get(lane.webhookId) ?? [];
        const isOutdated = lane.generation !== generation;
        if (isOutdated || mayBeMore(one, found)) lane.isHungry = true;
        if (isOutdated || isStopped || !lanes.has(lane)) continue;
        addFetched(lane, found);
        bodies.prefetch(takePrefetch(lane));
      }
    } catch (error) {
      // The next poll wakes these lanes again.
      log.warn({ err: error }, 'due deliveries could not be read');
    } finally {
      fetches--;
      for (const { lane } of hungry) lane.isFetching = false;
      onReady(hungry.map(({ lane }) => lane));
    }
  }

  function readDue(hungry: Fetch[]): Promise<DueDelivery[]> {
    const wanted = hungry.map(({ lane: { accountId, webhookId }, limit, replayLimit }) => ({
      accountId,
      webhookId,
      limit,
      replayLimit,
    }));
    const known = hungry.flatMap(({ lane: { webhookId, known } }) =>
      Array.from(known, (eventId) => ({ webhookId, eventId })),
    );
    return findDue(database, wanted, { known, holder: lanes.holder });
  }

  async function send(lane: Lane, delivery: DueDelivery) {
    unfinished++;
    count(lane.accountId, 1);
    try {
      const startedAt = formatMicros(clock.nowMicros());
      const result = await attempt(lane, delivery).finally(() => count(lane.accountId, -1));
      if (!result) return;
      noteResult(lane, delivery, result);
      onReady([lane]);
      const sent = { delivery, result, startedAt };
      await outcomes.record(lane, sent, () => isStopped && !lanes.has(lane));
      lane.known.delete(delivery.eventId);
      onReady([lane]);
    } catch (error) {
      log.error(
        { err: error, webhookId: lane.webhookId },
        'a delivery came to no end; it is read again',
      );
      await lanes.avoid(lane);
    } finally {
      unfinished--;
    }
  }

  /** @returns null where the request could not be made, or need not be any more */
  async function attempt(lane: Lane, delivery: DueDelivery): Promise<AttemptResult | null> {
    const { eventId, endpoint } = delivery;
    const { generation } = lane;
    try {
      const secrets = deps.secretsOf(delivery);
      bodies.prefetch(takePrefetch(lane));
      const body = await bodies.get(delivery).catch((error) => leaveWaiting(lane, delivery, error));
      if (body === null) return null;
      if (lane.generation !== generation) {
        noteUnsent(lane, delivery, true);
        return null;
      }
      const id = eventIdOf(eventId);
      const result = await deps.attempt({ url: endpoint.url, eventId: id, body, secrets });
      if (!isOurFailure(result)) return result;
      return leaveWaiting(lane, delivery, unavailable(new Error(result.detail ?? '')));
    } catch (error) {
      leaveWaiting(lane, delivery, error);
      await lanes.avoid(lane);
      return null;
    }
  }

  /** Not the endpoint's fault. What won't pass by itself stays known to this lane, which logs it once. */
  function leaveWaiting(lane: Lane, delivery: DueDelivery, error: unknown): null {
    const willPass = isUnavailable(error);
    noteUnsent(lane, delivery, willPass);
    const { accountId, webhookId, eventId } = delivery;
    const details = { err: error, accountId, webhookId, eventId };
    if (!lane.isBroken) log.error(details, 'a delivery cannot be sent here; it waits');
    lane.isBroken = true;
    return null;
  }

  function count(accountId: string, change: 1 | -1) {
    inFlight += change;
    const ofAccount = (inFlightOf.get(accountId) ?? 0) + change;
    if (ofAccount > 0) inFlightOf.set(accountId, ofAccount);
    else inFlightOf.delete(accountId);
    deps.onInFlight(inFlight);
  }

  // Each by itself: what is slow must not cost the leases.
  const rounds = [
    createRound({ name: 'poll', everyMs: POLL_EVERY_MS, log }, watch.poll),
    createRound({ name: 'leases', everyMs: KEEP_EVERY_MS, log }, lanes.renew),
    createRound({ name: 'health', everyMs: KEEP_EVERY_MS, log }, lanes.tidy),
  ];

  const tick = () => onReady(lanes.all().filter((lane) => lane.isHungry || lane.buffer.length > 0));

  let ticking: NodeJS.Timeout | undefined;

  return {
    onNotification: watch.onNotification,
    onQueued: watch.onQueued,
    start(): void {
      for (const round of rounds) round.start();
      ticking = setInterval(tick, TICK_MS);
    },
    /** Starts nothing more, waits a while for what is in flight, and hands the leases back. */
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(ticking);
      await Promise.all(rounds.map((round) => round.stop()));
      await watch.stop();
      for (const lane of lanes.all()) emptyBuffer(lane);
      const deadline = monotonicMs() + DRAIN_MS;
      while (unfinished > 0 && monotonicMs() < deadline) await wait(10);
      await lanes.closeAll();
    },
  };
}

/** Whether a fetch stopped at one of its limits. One that had no room for replays is made again when some are done. */
function mayBeMore({ limit, replayLimit }: Fetch, found: DueDelivery[]): boolean {
  const replayed = found.filter(({ replayId }) => replayId !== null).length;
  return found.length >= limit || (replayLimit > 0 && replayed >= replayLimit);
}

// Out of sockets, files or ports.
const OURS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);

const isOurFailure = ({ succeeded, detail }: AttemptResult): boolean =>
  !succeeded && detail !== null && OURS.has(detail);
