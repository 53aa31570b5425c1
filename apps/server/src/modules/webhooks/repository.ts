import type { EventType, InactiveReason } from '@leadwire/contract';
import type { Database, TimestampText } from '../../platform/database/index.ts';

export type WebhookRow = {
  id: string;
  url: string;
  events: EventType[];
  description: string | null;
  active: boolean;
  inactive_reason: InactiveReason | null;
  failing_since: TimestampText | null;
  created_at: TimestampText;
  updated_at: TimestampText;
};

type Reference = { accountId: string; id: string };

const columns = (table: string): string =>
  ['id', 'url', 'events', 'description', 'active', 'inactive_reason', 'created_at', 'updated_at']
    .map((name) => `${table}.${name}`)
    .join(', ');

/** @returns false where the account has `limit` webhooks already; exact whatever else is being created. */
export async function insert(
  database: Database,
  webhook: Reference & {
    url: string;
    events: readonly string[];
    description: string | null;
    active: boolean;
    secretEncrypted: string;
    at: string;
    limit: number;
  },
): Promise<WebhookRow | null> {
  const rows = await database.transaction(async (query) => {
    // The account's row is the queue in which its new webhooks stand: the count below sees those before them.
    await query({
      text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
      values: [webhook.accountId],
    });
    return query<WebhookRow>({
      text: `
        WITH inserted AS (
          INSERT INTO webhooks (account_id, id, url, events, description, active, inactive_reason,
            secret_encrypted, created_at, updated_at, subscribed_at)
          SELECT $1, $2, $3, $4, $5, $6::boolean, CASE WHEN $6 THEN NULL ELSE 'requested' END, $7, $8, $8, $8
          WHERE (SELECT count(*) FROM webhooks WHERE account_id = $1 AND deleted_at IS NULL) < $9
          RETURNING *
        ), queue AS (
          INSERT INTO webhook_queues (account_id, webhook_id) SELECT account_id, id FROM inserted
        )
        SELECT ${columns('inserted')}, NULL AS failing_since FROM inserted`,
      values: [
        webhook.accountId,
        webhook.id,
        webhook.url,
        webhook.events,
        webhook.description,
        webhook.active,
        webhook.secretEncrypted,
        webhook.at,
        webhook.limit,
      ],
    });
  });
  return rows[0] ?? null;
}

const SHOWN = `
  SELECT ${columns('webhooks')}, queue.failing_since
  FROM webhooks
  JOIN webhook_queues queue ON queue.account_id = $1 AND queue.webhook_id = webhooks.id
  WHERE webhooks.account_id = $1 AND webhooks.deleted_at IS NULL`;

export async function find(
  database: Database,
  { accountId, id }: Reference,
): Promise<WebhookRow | null> {
  const [row] = await database.query<WebhookRow>({
    text: `${SHOWN} AND webhooks.id = $2`,
    values: [accountId, id],
  });
  return row ?? null;
}

/** Newest first, beginning behind the webhook `afterId`. */
export async function list(
  database: Database,
  page: { accountId: string; limit: number; afterId: string | null },
): Promise<WebhookRow[]> {
  return database.query<WebhookRow>({
    text: `${SHOWN} AND ($2::uuid IS NULL OR webhooks.id < $2) ORDER BY webhooks.id DESC LIMIT $3`,
    values: [page.accountId, page.afterId, page.limit],
  });
}

/**
 * Sets what is given, compared with the row as it is once it is locked, so that concurrent changes of different
 * fields are all kept. A row that would not change is not written.
 */
const UPDATE = `
  WITH stored AS (
    SELECT * FROM webhooks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE
  ), compared AS (
    SELECT stored.*, wanted.url AS new_url, wanted.events AS new_events,
      wanted.description AS new_description, wanted.active AS new_active,
      (stored.events, stored.active) IS DISTINCT FROM (wanted.events, wanted.active) AS resubscribed,
      stored.url <> wanted.url OR (wanted.active AND NOT stored.active) AS afresh,
      (stored.url, stored.events, stored.description, stored.active)
        IS DISTINCT FROM (wanted.url, wanted.events, wanted.description, wanted.active) AS differs
    FROM stored, LATERAL (
      SELECT coalesce($3, stored.url) AS url, coalesce($4::text[], stored.events) AS events,
        CASE WHEN $5 THEN $6 ELSE stored.description END AS description,
        coalesce($7, stored.active) AS active
    ) wanted
  ), changed AS (
    SELECT account_id, id, new_url AS url, new_events AS events, new_description AS description, new_active AS active,
      CASE WHEN new_active THEN NULL WHEN active THEN 'requested' ELSE inactive_reason END AS inactive_reason,
      CASE WHEN resubscribed THEN $8::timestamptz ELSE subscribed_at END AS subscribed_at,
      created_at, CASE WHEN differs THEN $8::timestamptz ELSE updated_at END AS updated_at, differs, afresh
    FROM compared
  ), written AS (
    UPDATE webhooks SET url = changed.url, events = changed.events, description = changed.description,
      active = changed.active, inactive_reason = changed.inactive_reason,
      subscribed_at = changed.subscribed_at, updated_at = changed.updated_at
    FROM changed
    WHERE webhooks.account_id = changed.account_id AND webhooks.id = changed.id AND changed.differs
  ), queue AS (
    UPDATE webhook_queues queue SET failures = 0, failing_since = NULL
    FROM changed
    WHERE queue.account_id = changed.account_id AND queue.webhook_id = changed.id AND changed.afresh
  )
  SELECT ${columns('changed')}, CASE WHEN changed.afresh THEN NULL ELSE queue.failing_since END AS failing_since
  FROM changed
  JOIN webhook_queues queue ON queue.account_id = changed.account_id AND queue.webhook_id = changed.id`;

/** @returns null where the account has no such webhook */
export async function update(
  database: Database,
  webhook: Reference & {
    at: string;
    change: {
      url?: string;
      events?: readonly string[];
      description?: string | null;
      active?: boolean;
    };
  },
): Promise<WebhookRow | null> {
  const { accountId, id, at, change } = webhook;
  const [row] = await database.query<WebhookRow>({
    text: UPDATE,
    values: [
      accountId,
      id,
      change.url ?? null,
      change.events ?? null,
      change.description !== undefined,
      change.description ?? null,
      change.active ?? null,
      at,
    ],
  });
  return row ?? null;
}

/** The row stays, without secrets: attempts that were made name it. @returns false where the account has no such webhook */
export async function remove(
  database: Database,
  { accountId, id, at }: Reference & { at: string },
): Promise<boolean> {
  // deleted_at = $3: done already, by this very statement whose answer was lost.
  const rows = await database.query({
    text: `UPDATE webhooks SET deleted_at = $3, updated_at = $3, active = false, inactive_reason = 'requested',
             secret_encrypted = NULL, previous_secret_encrypted = NULL, previous_secret_until = NULL
           WHERE account_id = $1 AND id = $2 AND (deleted_at IS NULL OR deleted_at = $3)
           RETURNING id`,
    values: [accountId, id, at],
  });
  return rows.length > 0;
}

/** The secret until now becomes the previous one; one before that is gone. */
export async function replaceSecret(
  database: Database,
  webhook: Reference & { secretEncrypted: string; previousUntil: string; at: string },
): Promise<WebhookRow | null> {
  // secret_encrypted = $3: done already, by this very statement whose answer was lost.
  const [row] = await database.query<WebhookRow>({
    text: `
      WITH changed AS (
        UPDATE webhooks SET secret_encrypted = $3, previous_secret_until = $4, updated_at = $5,
          previous_secret_encrypted = CASE WHEN secret_encrypted = $3 THEN previous_secret_encrypted ELSE secret_encrypted END
        WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
        RETURNING *
      )
      SELECT ${columns('changed')}, queue.failing_since
      FROM changed
      JOIN webhook_queues queue ON queue.account_id = changed.account_id AND queue.webhook_id = changed.id`,
    values: [
      webhook.accountId,
      webhook.id,
      webhook.secretEncrypted,
      webhook.previousUntil,
      webhook.at,
    ],
  });
  return row ?? null;
}
