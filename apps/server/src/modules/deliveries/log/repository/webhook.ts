import type { Database } from '../../../../platform/database/index.ts';

export type TargetWebhook = {
  url: string;
  events: string[];
  active: boolean;
  secret_encrypted: string;
  previous_secret_encrypted: string | null;
  previous_secret_until: string | null;
};

/** A webhook that is not deleted. */
export async function findWebhook(
  database: Database,
  accountId: string,
  webhookId: string,
): Promise<TargetWebhook | null> {
  const [row] = await database.query<TargetWebhook>({
    text: `SELECT url, events, active, secret_encrypted, previous_secret_encrypted, previous_secret_until
           FROM webhooks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`,
    values: [accountId, webhookId],
  });
  return row ?? null;
}
