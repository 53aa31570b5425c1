import type { Database } from '../../../../platform/database/index.ts';
import { EVENT_COLUMNS, EVENT_FACTS, type EventRow } from '../../../events/index.ts';
import { type DeliveryRow, LAST_COLUMNS, lastAttempt } from './rows.ts';

export type DeliveryReference = { accountId: string; webhookId: string; eventId: string };

/** A delivery that waits or is in the log, of a webhook that is not deleted, with its event. */
export async function findDelivery(
  database: Database,
  { accountId, webhookId, eventId }: DeliveryReference,
): Promise<(DeliveryRow & EventRow) | null> {
  const [row] = await database.query<DeliveryRow & EventRow>({
    text: `
      SELECT ${EVENT_COLUMNS}, events.id AS event_id, waiting.due_at, waiting.attempts AS tries,
        waiting.replay_id AS waiting_replay_id, ${LAST_COLUMNS}
      FROM events ${EVENT_FACTS}
      JOIN webhooks ON webhooks.account_id = $1 AND webhooks.id = $2
        AND webhooks.deleted_at IS NULL
      LEFT JOIN deliveries waiting ON waiting.account_id = $1
        AND waiting.webhook_id = webhooks.id AND waiting.event_id = events.id
      ${lastAttempt('events.id')}
      WHERE events.account_id = $1 AND events.id = $3
        AND (waiting.event_id IS NOT NULL OR last.outcome IS NOT NULL)`,
    values: [accountId, webhookId, eventId],
  });
  return row ?? null;
}

export type AttemptRow = {
  id: string;
  outcome: string;
  error: string | null;
  detail: string | null;
  url: string;
  status: number | null;
  duration_ms: number;
  answer: Buffer | null;
  started_at: string;
  next_attempt_at: string | null;
};

/** Newest first. */
export async function listAttempts(
  database: Database,
  { accountId, webhookId, eventId }: DeliveryReference,
  limit: number,
): Promise<{ rows: AttemptRow[]; total: number }> {
  const rows = await database.query<AttemptRow & { total: string }>({
    text: `SELECT id, outcome, error, detail, url, status, duration_ms, answer, started_at, next_attempt_at,
             count(*) OVER () AS total
           FROM delivery_attempts WHERE account_id = $1 AND webhook_id = $2 AND event_id = $3
           ORDER BY id DESC LIMIT $4`,
    values: [accountId, webhookId, eventId, limit],
  });
  return { rows, total: Number(rows[0]?.total ?? 0) };
}

/**
 * Makes a delivery due now with all of its attempts before it, and live where it was of a replay. One that is overdue keeps its place.
 * @returns false where the webhook is not active
 */
export async function makeDue(
  database: Database,
  { accountId, webhookId, eventId }: DeliveryReference,
): Promise<boolean> {
  const rows = await database.query({
    text: `
      INSERT INTO deliveries (account_id, webhook_id, event_id, due_at, attempts)
      SELECT webhooks.account_id, webhooks.id, $3::uuid, now(), 0 FROM webhooks
      WHERE webhooks.account_id = $1 AND webhooks.id = $2 AND webhooks.active
      ON CONFLICT (account_id, webhook_id, event_id) DO UPDATE
        SET due_at = least(deliveries.due_at, excluded.due_at), attempts = 0, replay_id = NULL
      RETURNING event_id`,
    values: [accountId, webhookId, eventId],
  });
  return rows.length > 0;
}
