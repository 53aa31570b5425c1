import type { Database } from '../../../../platform/database/index.ts';

export type HealthRow = {
  webhook_id: string;
  failures: number;
  waiting: string;
  due_at: string | null;
};

// An endpoint that is down for days may have millions waiting: that it is many is all there is to know.
const COUNTED = 1_000;

/** Live and replayed ones each have an index that the soonest is read from. */
const SOONEST = (replayed: string) => `(
  SELECT min(due_at) FROM deliveries WHERE deliveries.account_id = $1
    AND deliveries.webhook_id = queue.webhook_id AND deliveries.replay_id IS ${replayed})`;

/** How the endpoints of webhooks do; nothing of those that the account does not have. */
export const listHealth = (
  database: Database,
  accountId: string,
  webhookIds: readonly string[],
): Promise<HealthRow[]> =>
  database.query<HealthRow>({
    text: `SELECT queue.webhook_id, queue.failures, (
             SELECT count(*) FROM (
               SELECT FROM deliveries
               WHERE deliveries.account_id = $1 AND deliveries.webhook_id = queue.webhook_id
               LIMIT ${COUNTED}
             ) counted
           ) AS waiting, least(${SOONEST('NULL')}, ${SOONEST('NOT NULL')}) AS due_at
           FROM webhook_queues queue
           WHERE queue.account_id = $1 AND queue.webhook_id = ANY ($2::uuid[])`,
    values: [accountId, webhookIds],
  });
