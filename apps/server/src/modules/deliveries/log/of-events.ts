import type { AttemptOutcome } from '@leadwire/contract';
import type { TimelineEntry } from '@leadwire/contract/dashboard';
import { type Database, timestampToIso } from '../../../platform/database/index.ts';
import { firstUuidAt } from '../../../platform/ids/index.ts';
import { eventIdOf } from '../../events/index.ts';
import { webhookIdOf } from '../../webhooks/index.ts';
import { deliveryIdOf, ID_SLACK_MS, msOfUuid } from './ids.ts';
import {
  attemptsOfEvents,
  blankAnswers,
  type EventAttemptRow,
  type WaitingRow,
  waitingOfEvents,
} from './repository/of-events.ts';

const ATTEMPTS_EACH = 10;
const ATTEMPTS = 500;
const ERASED_AT_ONCE = 500;

export type DeliveriesOfEvents = {
  entries: Extract<TimelineEntry, { kind: 'attempt' | 'waiting' }>[];
  /** Whether there are more attempts than entries. */
  leftOut: boolean;
};

/** What became of some events, and what of them still waits; of one delivery the newest ten attempts, of all the newest 500. */
export async function deliveriesOfEvents(
  database: Database,
  accountId: string,
  eventIds: string[],
): Promise<DeliveriesOfEvents> {
  if (eventIds.length === 0) return { entries: [], leftOut: false };
  const events = { accountId, eventIds };
  const sinceMs = firstMsOf(eventIds);
  const since = { at: new Date(sinceMs).toISOString(), id: firstUuidAt(sinceMs) };
  // One more of each, and of all, tells whether there are more.
  const bounds = { limitEach: ATTEMPTS_EACH + 1, limit: ATTEMPTS + 1 };
  const attempts = await attemptsOfEvents(database, events, since, bounds);
  const waiting = await waitingOfEvents(database, events);
  const { kept, leftOut } = withinBounds(attempts);
  return { entries: [...waiting.map(toWaiting), ...kept.map(toAttemptEntry)], leftOut };
}

/**
 * Blanks what endpoints answered to deliveries of these events, whose lead is erased: they may have sent back what they were told.
 * @param startedBefore of the attempts; absent: all of them
 */
export async function forgetAnswers(
  query: Database['query'],
  accountId: string,
  eventIds: string[],
  startedBefore: string | null = null,
): Promise<void> {
  for (let start = 0; start < eventIds.length; start += ERASED_AT_ONCE) {
    const some = eventIds.slice(start, start + ERASED_AT_ONCE);
    const sinceId = firstUuidAt(firstMsOf(some));
    await blankAnswers(query, { accountId, eventIds: some }, { sinceId, startedBefore });
  }
}

/** No attempt was made before the first of its events. */
const firstMsOf = (eventIds: string[]): number =>
  Math.max(0, Math.min(...eventIds.map(msOfUuid)) - ID_SLACK_MS);

function withinBounds(rows: EventAttemptRow[]) {
  const counts = new Map<string, number>();
  const kept = rows.slice(0, ATTEMPTS).filter((row) => {
    const delivery = `${row.event_id}/${row.webhook_id}`;
    const count = (counts.get(delivery) ?? 0) + 1;
    counts.set(delivery, count);
    return count <= ATTEMPTS_EACH;
  });
  return { kept, leftOut: kept.length < rows.length };
}

type Ids = { event_id: string; webhook_id: string };

const idsOf = (row: Ids) => ({
  event_id: eventIdOf(row.event_id),
  webhook_id: webhookIdOf(row.webhook_id),
  delivery_id: deliveryIdOf(row.event_id, row.webhook_id),
});

const toAttemptEntry = (row: EventAttemptRow): Extract<TimelineEntry, { kind: 'attempt' }> => ({
  kind: 'attempt',
  at: timestampToIso(row.started_at),
  ...idsOf(row),
  url: row.url,
  outcome: row.outcome as AttemptOutcome,
  status: row.status,
  error: row.error,
  detail: row.detail,
  answer: row.answer?.toString('utf8') ?? null,
  duration_ms: row.duration_ms,
  next_attempt_at: row.next_attempt_at && timestampToIso(row.next_attempt_at),
});

const toWaiting = (row: WaitingRow): Extract<TimelineEntry, { kind: 'waiting' }> => ({
  kind: 'waiting',
  at: timestampToIso(row.due_at),
  ...idsOf(row),
  url: row.url,
  attempts: row.attempts,
});
