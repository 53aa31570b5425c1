import {
  type ArrayParameter,
  byteaArray,
  type Database,
  int4Array,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../../../../platform/database/index.ts';
import type { QueueKey } from './leases.ts';

/** One attempt as it is written down. `attempts` counts those before it since the delivery was queued. */
export type FinishedAttempt = QueueKey & {
  id: string;
  eventId: string;
  outcome: 'succeeded' | 'failed' | 'given_up';
  error: string | null;
  detail: string | null;
  url: string;
  status: number | null;
  durationMs: number;
  answer: Buffer | null;
  startedAt: string;
  /** Until the next attempt, by the store's clock; null where there is none. */
  retryMs: number | null;
  replayId: string | null;
  attempts: number;
};

type Column = { name: string; type: string; encode(rows: FinishedAttempt[]): ArrayParameter };

const uuid = (name: string, read: (row: FinishedAttempt) => string | null): Column => ({
  name,
  type: 'uuid',
  encode: (rows) => uuidArray(rows.map(read)),
});
const text = (name: string, read: (row: FinishedAttempt) => string | null): Column => ({
  name,
  type: 'text',
  encode: (rows) => textArray(rows.map(read)),
});
const int = (name: string, read: (row: FinishedAttempt) => number | null): Column => ({
  name,
  type: 'int4',
  encode: (rows) => int4Array(rows.map(read)),
});
const time = (name: string, read: (row: FinishedAttempt) => string | null): Column => ({
  name,
  type: 'timestamptz',
  encode: (rows) => timestamptzArray(rows.map(read)),
});

const COLUMNS: Column[] = [
  uuid('account_id', (row) => row.accountId),
  uuid('webhook_id', (row) => row.webhookId),
  uuid('event_id', (row) => row.eventId),
  uuid('id', (row) => row.id),
  text('outcome', (row) => row.outcome),
  text('error', (row) => row.error),
  text('detail', (row) => row.detail),
  text('url', (row) => row.url),
  int('status', (row) => row.status),
  int('duration_ms', (row) => row.durationMs),
  { name: 'answer', type: 'bytea', encode: (rows) => byteaArray(rows.map((row) => row.answer)) },
  time('started_at', (row) => row.startedAt),
  int('retry_ms', (row) => row.retryMs),
  uuid('replay_id', (row) => row.replayId),
  int('attempts', (row) => row.attempts),
];

const PARAMETERS = COLUMNS.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
const NAMES = COLUMNS.map(({ name }) => name).join(', ');
const LOGGED = COLUMNS.map(({ name }) => name)
  .filter((name) => !['account_id', 'attempts', 'retry_ms'].includes(name))
  .join(', ');

/*
 * One statement finishes the attempts that ended together: they are logged; what is done leaves the queue; what is not gets its next time.
 * Safe to repeat, and after a lease was lost: a delivery that was queued anew meanwhile has other `attempts` and stays, but a success is a
 * success.
 */
const COMPLETE = `
  WITH input AS MATERIALIZED (SELECT * FROM unnest(${PARAMETERS}) AS input (${NAMES})),
  logged AS (
    INSERT INTO delivery_attempts (account_id, ${LOGGED}, next_attempt_at)
    SELECT account_id, ${LOGGED}, now() + retry_ms * interval '1 millisecond' FROM input
    ON CONFLICT DO NOTHING
  ),
  finished AS (
    DELETE FROM deliveries USING input WHERE deliveries.account_id = input.account_id
      AND deliveries.webhook_id = input.webhook_id AND deliveries.event_id = input.event_id
      AND (outcome = 'succeeded' OR outcome = 'given_up' AND deliveries.attempts = input.attempts)
    RETURNING deliveries.account_id, deliveries.webhook_id, deliveries.replay_id, outcome
  ),
  postponed AS (
    UPDATE deliveries SET due_at = now() + input.retry_ms * interval '1 millisecond', attempts = input.attempts + 1
    FROM input WHERE deliveries.account_id = input.account_id
      AND deliveries.webhook_id = input.webhook_id AND deliveries.event_id = input.event_id
      AND outcome = 'failed' AND deliveries.attempts = input.attempts
  )
  UPDATE webhook_replays
  SET delivered = webhook_replays.delivered + done.delivered, given_up = webhook_replays.given_up + done.given_up
  FROM (
    SELECT account_id, webhook_id, replay_id, count(*) FILTER (WHERE outcome = 'succeeded') AS delivered,
      count(*) FILTER (WHERE outcome = 'given_up') AS given_up
    FROM finished WHERE replay_id IS NOT NULL GROUP BY account_id, webhook_id, replay_id
  ) done
  WHERE webhook_replays.account_id = done.account_id AND webhook_replays.webhook_id = done.webhook_id
    AND webhook_replays.id = done.replay_id`;

export async function completeAttempts(
  database: Database,
  attempts: FinishedAttempt[],
): Promise<void> {
  await database.queryArrays({
    name: 'complete-attempts',
    text: COMPLETE,
    values: COLUMNS.map((column) => column.encode(attempts)),
  });
}
