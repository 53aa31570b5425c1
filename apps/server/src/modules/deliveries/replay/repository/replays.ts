import type { Database } from '../../../../platform/database/index.ts';

export type ReplayRow = {
  id: string;
  from_at: string;
  to_at: string;
  event_types: string[];
  state: 'running' | 'queued' | 'canceled';
  position: string;
  queued: string;
  already_waiting: string;
  delivered: string;
  given_up: string;
  waiting: string;
  created_at: string;
  finished_at: string | null;
};

export type ReplayReference = { accountId: string; webhookId: string; id: string };

const COLUMNS = `replay.id, replay.from_at, replay.to_at, replay.event_types, replay.state, replay.position,
  replay.queued, replay.already_waiting, replay.delivered, replay.given_up, replay.created_at, replay.finished_at`;

const WAITING = `(SELECT count(*) FROM deliveries WHERE deliveries.account_id = $1
    AND deliveries.webhook_id = $2 AND deliveries.replay_id = replay.id) AS waiting`;

/** Replays of one webhook with ids below `below`, newest first. */
export const listReplays = (
  database: Database,
  webhook: { accountId: string; webhookId: string },
  page: { limit: number; below: string },
): Promise<ReplayRow[]> =>
  database.query<ReplayRow>({
    text: `SELECT ${COLUMNS}, ${WAITING} FROM webhook_replays replay
           WHERE replay.account_id = $1 AND replay.webhook_id = $2 AND replay.id < $3
           ORDER BY replay.id DESC LIMIT $4`,
    values: [webhook.accountId, webhook.webhookId, page.below, page.limit],
  });

/** A replay of a webhook that is not deleted. */
export async function findReplay(
  database: Database,
  { accountId, webhookId, id }: ReplayReference,
): Promise<ReplayRow | null> {
  const [row] = await database.query<ReplayRow>({
    text: `SELECT ${COLUMNS}, ${WAITING} FROM webhook_replays replay
           JOIN webhooks ON webhooks.account_id = $1 AND webhooks.id = replay.webhook_id
             AND webhooks.deleted_at IS NULL
           WHERE replay.account_id = $1 AND replay.webhook_id = $2 AND replay.id = $3`,
    values: [accountId, webhookId, id],
  });
  return row ?? null;
}

export type NewReplay = ReplayReference & {
  from: string;
  to: string;
  /** Null: those of the webhook. */
  types: string[] | null;
  position: string;
  at: string;
};

/** @returns why it was not inserted, or null where it was */
export async function insertReplay(
  database: Database,
  replay: NewReplay,
  maxRunning: number,
): Promise<'missing' | 'inactive' | 'too_many' | null> {
  const { accountId, webhookId } = replay;
  return database.transaction(async (query) => {
    // The webhook's row is the queue in which its new replays stand, so that none slips past the limit.
    const [webhook] = await query<{ active: boolean; events: string[] }>({
      text: `SELECT active, events FROM webhooks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
             FOR NO KEY UPDATE`,
      values: [accountId, webhookId],
    });
    if (!webhook) return 'missing';
    if (!webhook.active) return 'inactive';
    const [running] = await query<{ count: string }>({
      text: `SELECT count(*) FROM webhook_replays WHERE account_id = $1 AND webhook_id = $2 AND state = 'running'`,
      values: [accountId, webhookId],
    });
    if (Number(running?.count) >= maxRunning) return 'too_many';
    await query({
      text: `INSERT INTO webhook_replays (account_id, webhook_id, id, from_at, to_at, event_types, state, position, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, 'running', $7, $8)`,
      values: [
        ...[accountId, webhookId, replay.id, replay.from, replay.to],
        ...[replay.types ?? webhook.events, replay.position, replay.at],
      ],
    });
    return null;
  });
}

/** Ends a replay that runs, or has all queued and some of it waiting. */
export async function markCanceled(
  database: Database,
  { accountId, webhookId, id }: ReplayReference,
  at: string,
): Promise<void> {
  await database.query({
    text: `UPDATE webhook_replays SET state = 'canceled', finished_at = $4
           WHERE account_id = $1 AND webhook_id = $2 AND id = $3 AND (state = 'running' OR state = 'queued' AND EXISTS (
             SELECT FROM deliveries WHERE deliveries.account_id = $1 AND deliveries.webhook_id = $2
               AND deliveries.replay_id = $3))`,
    values: [accountId, webhookId, id, at],
  });
}

/**
 * Removes what a canceled replay left waiting. A statement by itself, after markCanceled: in one with it, it would not see what was queued
 * while it waited for the row, and lock both in another order than the end of an attempt does.
 */
export async function removeCanceled(
  database: Database,
  { accountId, webhookId, id }: ReplayReference,
): Promise<void> {
  await database.query({
    text: `DELETE FROM deliveries WHERE account_id = $1 AND webhook_id = $2 AND replay_id = $3 AND EXISTS (
             SELECT FROM webhook_replays WHERE webhook_replays.account_id = $1
               AND webhook_replays.webhook_id = $2 AND webhook_replays.id = $3
               AND webhook_replays.state = 'canceled')`,
    values: [accountId, webhookId, id],
  });
}
