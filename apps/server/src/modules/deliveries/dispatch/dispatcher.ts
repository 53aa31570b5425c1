import { setTimeout as wait } from 'node:timers/promises';
import { formatMicros } from '../../../platform/clock/index.ts';
import { composeEvent, eventIdOf } from '../../events/index.ts';
import { createRound } from '../rounds.ts';
import type { Attempt } from '../sending/index.ts';
import {
  addFetched,
  emptyBuffer,
  type Lane,
  noteResult,
  replaysWantedOf,
  takeNext,
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

type Fetch = { lane: Lane; limit: number; replayLimit: number };

const MAX_IN_FLIGHT = 1024;
const MAX_IN_FLIGHT_OF_ACCOUNT = 128;
const OWED_IN_FLIGHT = 2;
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
  const outcomes = createOutcomes(deps);
  const ready = new Set<Lane>();
  const watch = createQueueWatch({ ...deps, lanes, onReady });
  const inFlightOf = new Map<string, number>();
  let inFlight = 0;
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
    lane.inFlight < OWED_IN_FLIGHT ||
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
      const limit = wantedOf(lane, now);
      if (limit > 0) hungry.push({ lane, limit, replayLimit: replaysWantedOf(lane, limit) });
      // It comes back with a fetch, a finished attempt, a notification or the next tick.
      else if (lane.buffer.length === 0) ready.delete(lane);
      if (hungry.length === LANES_A_FETCH) break;
    }
    return hungry;
  }

  async function fetchFor(hungry: Fetch[]) {
    fetches++;
    for (const { lane } of hungry) {
      lane.isFetching = true;
      lane.isHungry = false;
    }
    try {
      const byWebhook = Map.groupBy(await readDue(hungry), ({ webhookId }) => webhookId);
      for (const one of hungry) {
        const found = byWebhook.get(one.lane.webhookId) ?? [];
        if (mayBeMore(one, found)) one.lane.isHungry = true;
        if (lanes.has(one.lane)) addFetched(one.lane, found, monotonicMs());
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
      ...{ accountId, webhookId, limit, replayLimit },
    }));
    const known = hungry.flatMap(({ lane: { webhookId, known } }) =>
      Array.from(known, (eventId) => ({ webhookId, eventId })),
    );
    const at = formatMicros(clock.nowMicros());
    return findDue(database, wanted, { at, known, holder: lanes.holder });
  }

  async function send(lane: Lane, delivery: DueDelivery) {
    count(lane.accountId, 1);
    try {
      const startedAt = formatMicros(clock.nowMicros());
      const result = await attempt(delivery).finally(() => count(lane.accountId, -1));
      noteResult(lane, delivery, result);
      onReady([lane]);
      const sent = { delivery, result, startedAt };
      await outcomes.record(lane, sent, () => isStopped && !lanes.has(lane));
      lane.known.delete(delivery.event.id);
      onReady([lane]);
    } catch (error) {
      const { accountId, webhookId } = delivery;
      log.error({ err: error, accountId, webhookId }, 'a delivery could not be sent');
      await lanes.close(lane);
    }
  }

  const attempt = async (delivery: DueDelivery) =>
    deps.attempt({
      url: delivery.endpoint.url,
      eventId: eventIdOf(delivery.event.id),
      body: composeEvent(delivery.event),
      secrets: deps.secretsOf(delivery),
    });

  function count(accountId: string, change: 1 | -1) {
    inFlight += change;
    const ofAccount = (inFlightOf.get(accountId) ?? 0) + change;
    if (ofAccount > 0) inFlightOf.set(accountId, ofAccount);
    else inFlightOf.delete(accountId);
    deps.onInFlight(inFlight);
  }

  // By themselves: a slow poll must not cost the leases.
  const rounds = [
    createRound({ name: 'poll', everyMs: POLL_EVERY_MS, log }, watch.poll),
    createRound({ name: 'leases', everyMs: KEEP_EVERY_MS, log }, lanes.keep),
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
      const isBusy = () => lanes.all().some((lane) => lane.known.size > 0);
      while (isBusy() && monotonicMs() < deadline) await wait(10);
      await lanes.closeAll();
    },
  };
}

/** Whether a fetch stopped at one of its limits. One that had no room for replays is made again when some are done. */
function mayBeMore({ limit, replayLimit }: Fetch, found: DueDelivery[]): boolean {
  const replayed = found.filter(({ replayId }) => replayId !== null).length;
  return found.length >= limit || (replayLimit > 0 && replayed >= replayLimit);
}
