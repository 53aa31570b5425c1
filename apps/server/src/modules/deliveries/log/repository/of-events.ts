import type { Database } from '../../../../platform/database/index.ts';
import type { AttemptRow } from './one.ts';

type Events = { accountId: string; eventIds: string[] };

/** What an attempt of one of several deliveries was. */
export type EventAttemptRow = AttemptRow & { webhook_id: string; event_id: string };

/*
 * Steps through webhooks and events, so that it stays look-ups in the log, whatever the planner thinks of it. A webhook that was
 * deleted before the first of the events has nothing to do with them; $4 spares the days of the log before them.
 */
const ATTEMPTS = `
  SELECT tried.* FROM unnest($2::uuid[]) AS wanted (event_id)
  JOIN webhooks ON webhooks.account_id = $1 AND (webhooks.deleted_at IS NULL OR webhooks.deleted_at >= $3)
  CROSS JOIN LATERAL (
    SELECT webhook_id, event_id, id, outcome, error, detail, url, status, duration_ms, answer, started_at,
      next_attempt_at
    FROM delivery_attempts
    WHERE delivery_attempts.account_id = $1 AND delivery_attempts.webhook_id = webhooks.id
      AND delivery_attempts.event_id = wanted.event_id AND delivery_attempts.id >= $4
    ORDER BY delivery_attempts.id DESC LIMIT $5
  ) tried
  ORDER BY tried.id DESC LIMIT $6`;

/** Newest first: of each delivery the newest `limitEach`, of all of them the newest `limit`. */
export async function attemptsOfEvents(
  database: Database,
  { accountId, eventIds }: Events,
  since: { at: string; id: string },
  { limitEach, limit }: { limitEach: number; limit: number },
): Promise<EventAttemptRow[]> {
  return database.query<EventAttemptRow>({
    text: ATTEMPTS,
    values: [accountId, eventIds, since.at, since.id, limitEach, limit],
  });
}

export type WaitingRow = {
  webhook_id: string;
  event_id: string;
  url: string;
  due_at: string;
  attempts: number;
};

export async function waitingOfEvents(
  database: Database,
  { accountId, eventIds }: Events,
): Promise<WaitingRow[]> {
  return database.query<WaitingRow>({
    text: `
      SELECT waiting.webhook_id, waiting.event_id, webhooks.url, waiting.due_at, waiting.attempts
      FROM unnest($2::uuid[]) AS wanted (event_id)
      JOIN webhooks ON webhooks.account_id = $1 AND webhooks.active
      JOIN deliveries waiting ON waiting.account_id = $1 AND waiting.webhook_id = webhooks.id
        AND waiting.event_id = wanted.event_id`,
    values: [accountId, eventIds],
  });
}

/** Blanks what endpoints answered to deliveries of these events. */
export async function blankAnswers(
  query: Database['query'],
  { accountId, eventIds }: Events,
  attempts: { sinceId: string; startedBefore: string | null },
): Promise<void> {
  const webhooks = await query<{ id: string }>({
    text: 'SELECT id FROM webhooks WHERE account_id = $1',
    values: [accountId],
  });
  const webhookIds = webhooks.map(({ id }) => id);
  await query({
    text: `UPDATE delivery_attempts SET answer = NULL
           WHERE account_id = $1 AND webhook_id = ANY ($2::uuid[]) AND event_id = ANY ($3::uuid[]) AND id >= $4
             AND ($5::timestamptz IS NULL OR started_at < $5) AND answer IS NOT NULL`,
    values: [accountId, webhookIds, eventIds, attempts.sinceId, attempts.startedBefore],
  });
}
