import { type Database, uuidArray } from '../../platform/database/index.ts';

/** Notifies of the accounts that have an active webhook. @returns those */
export async function notifyAccounts(database: Database, accountIds: string[]): Promise<string[]> {
  const rows = await database.query<{ account_id: string }>({
    name: 'notify-accounts',
    text: `SELECT changed.account_id, pg_notify('leadwire_deliveries', changed.account_id::text)
           FROM unnest($1::uuid[]) AS changed (account_id)
           WHERE EXISTS (SELECT FROM webhooks WHERE webhooks.account_id = changed.account_id AND active)`,
    values: [uuidArray(accountIds)],
  });
  return rows.map((row) => row.account_id);
}

export async function notifyWebhook(
  database: Database,
  accountId: string,
  webhookId: string,
): Promise<void> {
  await database.query({
    text: `SELECT pg_notify('leadwire_deliveries', $1)`,
    values: [`${accountId}/${webhookId}`],
  });
}

/** The store's clock in milliseconds since the Unix epoch. */
export async function readStoreNowMs(database: Database): Promise<number> {
  const [row] = await database.query<{ now_ms: string }>({
    text: 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) AS now_ms',
  });
  return Number(row?.now_ms);
}
