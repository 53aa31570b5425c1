import { type Database, uuidArray } from '../../platform/database/index.ts';

/** What workers LISTEN to: `<account>` or `<account>/<webhook>`. */
export const CHANNEL = 'leadwire_deliveries';

/**
 * A CTE `queue` of every webhook for which something waits, of all accounts. It steps from one queue to the next through the primary
 * key, so that it costs by the number of queues and not of what waits in them.
 */
export const QUEUES = `
  WITH RECURSIVE queue AS (
    (SELECT account_id, webhook_id FROM deliveries ORDER BY account_id, webhook_id LIMIT 1)
    UNION ALL
    SELECT following.account_id, following.webhook_id FROM queue CROSS JOIN LATERAL (
      SELECT account_id, webhook_id FROM deliveries
      WHERE (account_id, webhook_id) > (queue.account_id, queue.webhook_id)
      ORDER BY account_id, webhook_id LIMIT 1
    ) following
  )`;

/** Notifies of the accounts that have an active webhook. @returns those */
export async function notifyAccounts(database: Database, accountIds: string[]): Promise<string[]> {
  const rows = await database.query<{ account_id: string }>({
    name: 'notify-accounts',
    text: `SELECT changed.account_id, pg_notify($2, changed.account_id::text)
           FROM unnest($1::uuid[]) AS changed (account_id)
           WHERE EXISTS (SELECT FROM webhooks WHERE webhooks.account_id = changed.account_id AND active)`,
    values: [uuidArray(accountIds), CHANNEL],
  });
  return rows.map((row) => row.account_id);
}

export async function notifyWebhook(
  database: Database,
  accountId: string,
  webhookId: string,
): Promise<void> {
  await database.query({
    text: 'SELECT pg_notify($1, $2)',
    values: [CHANNEL, `${accountId}/${webhookId}`],
  });
}

/** The store's clock in milliseconds since the Unix epoch. */
export async function readStoreNowMs(database: Database): Promise<number> {
  const [row] = await database.query<{ now_ms: string }>({
    text: 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) AS now_ms',
  });
  return Number(row?.now_ms);
}
