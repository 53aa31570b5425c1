import type { Database, TimestampText } from '../../platform/database/index.ts';

export type WebhookInTrouble = {
  id: string;
  url: string;
  inactive_reason: 'gone' | 'failing' | null;
  since: TimestampText;
  failures: number;
};

/** Those that the service set inactive, and active ones that fail `failures` times in a row or more; the newest trouble first. */
export const findWebhooksInTrouble = (
  database: Database,
  asked: { accountId: string; failures: number; limit: number },
): Promise<WebhookInTrouble[]> =>
  database.query<WebhookInTrouble>({
    name: 'attention-webhooks',
    text: `
      SELECT webhooks.id, url, inactive_reason, failures,
        CASE WHEN active THEN queue.failing_since ELSE subscribed_at END AS since
      FROM webhooks JOIN webhook_queues queue
        ON queue.account_id = $1 AND queue.webhook_id = webhooks.id
      WHERE webhooks.account_id = $1 AND deleted_at IS NULL
        AND (inactive_reason IN ('gone', 'failing') OR active AND queue.failures >= $2)
      ORDER BY active, since DESC LIMIT $3`,
    values: [asked.accountId, asked.failures, asked.limit],
  });

export type ExpiringKey = { id: string; name: string; expires_at: TimestampText };

/** Keys that stop working between `from` and `to` and that were not rotated into another, the first to stop first. */
export const findExpiringKeys = (
  database: Database,
  asked: { accountId: string; from: string; to: string; limit: number },
): Promise<ExpiringKey[]> =>
  database.query<ExpiringKey>({
    name: 'attention-keys',
    text: `
      SELECT id, name, expires_at FROM api_keys
      WHERE account_id = $1 AND expires_at > $2 AND expires_at <= $3
        AND revoked_at IS NULL AND replaced_by IS NULL
      ORDER BY expires_at LIMIT $4`,
    values: [asked.accountId, asked.from, asked.to, asked.limit],
  });

/** Forms that are switched on, and whose key is revoked or has expired `at` then. */
export const findFormsWithoutKey = (
  database: Database,
  asked: { accountId: string; at: string; limit: number },
): Promise<{ id: string; name: string }[]> =>
  database.query<{ id: string; name: string }>({
    name: 'attention-forms',
    text: `
      SELECT forms.id, forms.name FROM forms
      JOIN api_keys keys ON keys.account_id = $1 AND keys.id = forms.key_id
      WHERE forms.account_id = $1 AND forms.active AND (keys.revoked_at IS NOT NULL OR keys.expires_at <= $2)
      ORDER BY forms.id DESC LIMIT $3`,
    values: [asked.accountId, asked.at, asked.limit],
  });

/** What the self-check of some worker still saw in its last round. */
export async function countUnaccounted(database: Database, accountId: string): Promise<number> {
  const [row] = await database.query<{ n: number }>({
    name: 'attention-unaccounted',
    text: `SELECT n FROM unaccounted_events
           WHERE account_id = $1 AND seen_at > now() - interval '2 minutes'`,
    values: [accountId],
  });
  return row?.n ?? 0;
}
