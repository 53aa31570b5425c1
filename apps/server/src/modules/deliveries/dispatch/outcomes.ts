import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import { type Database, isUnavailable } from '../../../platform/database/index.ts';
import { createGroup } from '../../../platform/grouping/index.ts';
import type { AttemptResult } from '../sending/index.ts';
import { emptyBuffer, type Lane } from './lane.ts';
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

/** What an attempt means: for its delivery, which is done, due again or given up, and for its webhook. */
export function createOutcomes({ database, log, ...deps }: OutcomeDeps) {
  const group = createGroup<FinishedAttempt, void>({
    async run(attempts) {
      await completeAttempts(database, attempts);
      return attempts.map(() => undefined);
    },
    maxItems: 256,
    maxInFlight: 2,
    maxWaiting: Number.POSITIVE_INFINITY,
    failsWhole: isUnavailable,
  });

  async function setInactive(lane: Lane, url: string, reason: 'gone' | 'failing') {
    emptyBuffer(lane);
    const { accountId, webhookId } = lane;
    const at = formatMicros(deps.clock.nowMicros());
    try {
      const isDone = await deactivate(database, lane, { url, reason, at });
      if (isDone) log.info({ accountId, webhookId, reason }, 'a webhook was set inactive');
    } catch (error) {
      log.warn({ err: error }, 'a webhook could not be set inactive; its next failure will');
    }
  }

  async function store(attempt: FinishedAttempt, isAbandoned: () => boolean) {
    const { accountId, webhookId, eventId } = attempt;
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
      if (result.isGone) await setInactive(lane, delivery.endpoint.url, 'gone');
      else if (!result.succeeded && lane.health.isGivenUp()) {
        await setInactive(lane, delivery.endpoint.url, 'failing');
      }
      await store(attempt, isAbandoned);
    },
  };
}

function finishedAttempt(
  { delivery, result, startedAt }: Sent,
  { newId, clock, random }: Pick<OutcomeDeps, 'newId' | 'clock' | 'random'>,
): FinishedAttempt {
  const delayMs = result.succeeded
    ? null
    : retryDelayMs(delivery.attempts + 1, result.retryAfterMs, random);
  const nextAttemptAt = delayMs === null ? null : formatMicros(clock.nowMicros() + delayMs * 1000);
  return {
    accountId: delivery.accountId,
    webhookId: delivery.webhookId,
    eventId: delivery.event.id,
    id: newId(),
    outcome: result.succeeded ? 'succeeded' : nextAttemptAt ? 'failed' : 'given_up',
    error: result.error,
    detail: result.detail,
    url: delivery.endpoint.url,
    status: result.status,
    durationMs: Math.round(result.durationMs),
    answer: result.answer,
    startedAt,
    nextAttemptAt,
    replayId: delivery.replayId,
    attempts: delivery.attempts,
  };
}
