import { type Database, uuidArray } from '../../../../platform/database/index.ts';
import { QUEUES } from '../../repository.ts';

type QueueKey = { accountId: string; webhookId: string };

/** Deleted webhooks for which something still waits, of every account. */
export async function findDeletedQueues(database: Database): Promise<QueueKey[]> {
  const rows = await database.query<{ account_id: string; webhook_id: string }>({
    name: 'deleted-queues',
    text: `${QUEUES}
      SELECT queue.account_id, queue.webhook_id FROM queue
      JOIN webhooks ON webhooks.account_id = queue.account_id AND webhooks.id = queue.webhook_id
      WHERE webhooks.deleted_at IS NOT NULL`,
  });
  return rows.map((row) => ({ accountId: row.account_id, webhookId: row.webhook_id }));
}

/** Removes up to `limit` of what waits for some webhooks. @returns how many */
export async function removeWaiting(
  database: Database,
  queues: QueueKey[],
  limit: number,
): Promise<number> {
  const rows = await database.query({
    text: `WITH gone AS MATERIALIZED (
             SELECT deliveries.account_id, deliveries.webhook_id, deliveries.event_id
             FROM unnest($1::uuid[], $2::uuid[]) AS queue (account_id, webhook_id)
             JOIN deliveries ON deliveries.account_id = queue.account_id
               AND deliveries.webhook_id = queue.webhook_id
             LIMIT $3
           )
           DELETE FROM deliveries USING gone
           WHERE deliveries.account_id = gone.account_id
             AND deliveries.webhook_id = gone.webhook_id AND deliveries.event_id = gone.event_id
           RETURNING 1`,
    values: [
      uuidArray(queues.map(({ accountId }) => accountId)),
      uuidArray(queues.map(({ webhookId }) => webhookId)),
      limit,
    ],
  });
  return rows.length;
}

/** Forgets secrets that were replaced and no longer sign, of every account. */
export async function forgetOldSecrets(database: Database, at: string): Promise<void> {
  await database.query({
    text: `UPDATE webhooks SET previous_secret_encrypted = NULL, previous_secret_until = NULL
           WHERE previous_secret_until < $1`,
    values: [at],
  });
}

/** Ends the replays of deleted webhooks, of every account. */
export async function cancelReplaysOfDeleted(database: Database, at: string): Promise<void> {
  await database.query({
    text: `UPDATE webhook_replays SET state = 'canceled', finished_at = $1
           FROM webhooks WHERE webhooks.account_id = webhook_replays.account_id
             AND webhooks.id = webhook_replays.webhook_id
             AND webhooks.deleted_at IS NOT NULL AND webhook_replays.state = 'running'`,
    values: [at],
  });
}

/** Removes up to `limit` replays that ended before `before` and have nothing waiting, of every account. @returns how many */
export async function removeReplays(
  database: Database,
  before: string,
  limit: number,
): Promise<number> {
  const rows = await database.query({
    text: `WITH old AS MATERIALIZED (
             SELECT account_id, webhook_id, id FROM webhook_replays replay
             WHERE state <> 'running' AND coalesce(finished_at, created_at) < $1
               AND NOT EXISTS (
                 SELECT FROM deliveries WHERE deliveries.account_id = replay.account_id
                   AND deliveries.webhook_id = replay.webhook_id AND deliveries.replay_id = replay.id
               )
             LIMIT $2
           )
           DELETE FROM webhook_replays USING old WHERE webhook_replays.account_id = old.account_id
             AND webhook_replays.webhook_id = old.webhook_id AND webhook_replays.id = old.id
           RETURNING 1`,
    values: [before, limit],
  });
  return rows.length;
}
