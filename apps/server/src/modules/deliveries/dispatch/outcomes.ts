import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import { type Database, isUnavailable } from '../../../platform/database/index.ts';
import { createGroup } from '../../../platform/grouping/index.ts';
import type { AttemptResult } from '../sending/index.ts';
import { emptyBuffer, type Lane, noteChange } from './lane.ts';
import { completeAttempts, type FinishedAttempt } from './repository/complete.ts';
import type { DueDelivery } from './repository/due.ts';
import { deactivate } from './repository/leases.ts';
import { retryDelayMs } from './retry-schedule.ts';

type Log = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;

export type OutcomeDeps = {
  database: Database;
  clock: Clock;
  newId: () => string;
  /** 0 up to 1. */
  random: () => number;
  log: Log;
  onAttempt: (attempt: FinishedAttempt, delivery: DueDelivery) => void;
};

export type Sent = { delivery: DueDelivery; result: AttemptResult; startedAt: string };

const RETRY_EVERY_MS = 500;
// A statement for one attempt costs 0.8 ms, one for 128 costs 2.7 ms, and nobody waits for it.
const GATHER_MS = 25;

/** What an attempt means: for its delivery, which is done, due again or given up, and for its webhook. */
export function createOutcomes({ database, log, ...deps }: OutcomeDeps) {
  const group = createGroup<FinishedAttempt, void>({
    async run(attempts) {
      await completeAttempts(database, attempts);
      return attempts.map(() => undefined);
    },
    maxItems: 256,
    maxInFlight: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    failsWhole: isUnavailable,
  });

  async function setInactive(lane: Lane, revision: string, reason: 'gone' | 'failing') {
    emptyBuffer(lane);
    lane.health.pause();
    const { accountId, webhookId } = lane;
    const at = formatMicros(deps.clock.nowMicros());
    try {
      const isDone = await deactivate(database, lane, { revision, reason, at });
      if (isDone) log.info({ accountId, webhookId, reason }, 'a webhook was set inactive');
    } catch (error) {
      log.warn({ err: error }, 'a webhook could not be set inactive; its next failure will');
    }
    noteChange(lane);
  }

  let gathering: Promise<void> | null = null;

  function gathered(): Promise<void> {
    gathering ??= wait(GATHER_MS).then(() => {
      gathering = null;
    });
    return gathering;
  }

  async function store(attempt: FinishedAttempt, isAbandoned: () => boolean) {
    const { accountId, webhookId, eventId } = attempt;
    await gathered();
    while (!isAbandoned()) {
      try {
        return await group.add(attempt);
      } catch (error) {
        const details = { err: error, accountId, webhookId, eventId };
        log.error(details, 'an attempt could not be stored yet');
        await wait(RETRY_EVERY_MS);
      }
    }
  }

  return {
    /** Resolves when the attempt is stored, those that end together by one statement; tries until `isAbandoned`. */
    async record(lane: Lane, sent: Sent, isAbandoned: () => boolean): Promise<void> {
      const { delivery, result } = sent;
      const attempt = finishedAttempt(sent, deps);
      deps.onAttempt(attempt, delivery);
      const { updated_at: revision } = delivery.endpoint;
      if (result.isGone) await setInactive(lane, revision, 'gone');
      else if (!result.succeeded && lane.revision === revision && lane.health.isGivenUp()) {
        await setInactive(lane, revision, 'failing');
      }
      await store(attempt, isAbandoned);
    },
  };
}

function finishedAttempt(
  { delivery, result, startedAt }: Sent,
  { newId, random }: Pick<OutcomeDeps, 'newId' | 'random'>,
): FinishedAttempt {
  const retryMs = result.succeeded
    ? null
    : retryDelayMs(delivery.attempts + 1, result.retryAfterMs, random);
  return {
    accountId: delivery.accountId,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    id: newId(),
    outcome: result.succeeded ? 'succeeded' : retryMs === null ? 'given_up' : 'failed',
    error: result.error,
    detail: result.detail,
    url: delivery.endpoint.url,
    status: result.status,
    durationMs: Math.round(result.durationMs),
    answer: result.answer,
    startedAt,
    retryMs,
    replayId: delivery.replayId,
    attempts: delivery.attempts,
  };
}
