import { type Database, timestampToIso } from '../../../platform/database/index.ts';
import { parseWebhookId, webhookIdOf } from '../../webhooks/index.ts';
import { listHealth } from './repository/health.ts';

/** Failures in a row, what waits (counted up to a thousand), and when the next of it is due, as ISO 8601. */
export type QueueHealth = { failures: number; waiting: number; nextAttemptAt: string | null };

/** @param webhooks `wh_…`. @returns those that the account has, by the same ids */
export async function readHealth(
  database: Database,
  accountId: string,
  webhooks: readonly string[],
): Promise<Map<string, QueueHealth>> {
  const ids = webhooks.map(parseWebhookId).filter((id) => id !== null);
  const rows = await listHealth(database, accountId, ids);
  return new Map(
    rows.map((row) => [
      webhookIdOf(row.webhook_id),
      {
        failures: row.failures,
        waiting: Number(row.waiting),
        nextAttemptAt: row.due_at && timestampToIso(row.due_at),
      },
    ]),
  );
}
