import { type Database, int4Array, uuidArray } from '../../../../platform/database/index.ts';
import { QUEUES } from '../../repository.ts';

export type QueueKey = { accountId: string; webhookId: string };
export type LeasedQueue = QueueKey & { failures: number; failingSinceMs: number | null };
/** `revision`: the webhook's updated_at when its endpoint was sent to. */
export type QueueHealth = LeasedQueue & { revision: string };

type QueueRow = { account_id: string; webhook_id: string };

const keyOf = (row: QueueRow): QueueKey => ({
  accountId: row.account_id,
  webhookId: row.webhook_id,
});
const columns = (queues: QueueKey[]) => [
  uuidArray(queues.map(({ accountId }) => accountId)),
  uuidArray(queues.map(({ webhookId }) => webhookId)),
];

const IS_DUE = `EXISTS (
    SELECT FROM deliveries WHERE deliveries.account_id = webhooks.account_id
      AND deliveries.webhook_id = webhooks.id AND replay_id IS NULL AND due_at <= now()
  ) OR EXISTS (
    SELECT FROM deliveries WHERE deliveries.account_id = webhooks.account_id
      AND deliveries.webhook_id = webhooks.id AND replay_id IS NOT NULL AND due_at <= now()
  )`;

const DUE_QUEUES = `${QUEUES}
  SELECT webhooks.account_id, webhooks.id AS webhook_id FROM queue
  JOIN webhooks ON webhooks.account_id = queue.account_id AND webhooks.id = queue.webhook_id
  WHERE webhooks.active AND (${IS_DUE})`;

/** The queues with something due, of every account. */
export async function findDueQueues(database: Database): Promise<QueueKey[]> {
  const rows = await database.query<QueueRow>({
    name: 'due-queues',
    text: DUE_QUEUES,
  });
  return rows.map(keyOf);
}

/** The same of some accounts. */
export async function findDueQueuesOf(
  database: Database,
  accountIds: string[],
): Promise<QueueKey[]> {
  const rows = await database.query<QueueRow>({
    name: 'due-queues-of',
    text: `SELECT webhooks.account_id, webhooks.id AS webhook_id
           FROM unnest($1::uuid[]) AS wanted (account_id)
           JOIN webhooks ON webhooks.account_id = wanted.account_id
           WHERE webhooks.active AND (${IS_DUE})`,
    values: [uuidArray(accountIds)],
  });
  return rows.map(keyOf);
}

/** Takes the leases that nobody holds. Leases are timed by the store's clock, so that nodes need not agree on theirs. */
export async function takeLeases(
  database: Database,
  queues: QueueKey[],
  lease: { holder: string; forMs: number },
): Promise<LeasedQueue[]> {
  const rows = await database.query<QueueRow & { failures: number; failing_since_ms: string }>({
    name: 'take-leases',
    text: `WITH free AS MATERIALIZED (
             SELECT webhook_queues.account_id, webhook_queues.webhook_id
             FROM unnest($1::uuid[], $2::uuid[]) AS wanted (account_id, webhook_id)
             JOIN webhook_queues ON webhook_queues.account_id = wanted.account_id
               AND webhook_queues.webhook_id = wanted.webhook_id
             WHERE lease_holder IS NULL OR lease_holder = $3 OR leased_until < clock_timestamp()
             FOR UPDATE OF webhook_queues SKIP LOCKED
           )
           UPDATE webhook_queues
           SET lease_holder = $3, leased_until = clock_timestamp() + $4 * interval '1 millisecond'
           FROM free WHERE webhook_queues.account_id = free.account_id
             AND webhook_queues.webhook_id = free.webhook_id
           RETURNING webhook_queues.account_id, webhook_queues.webhook_id, failures,
             extract(epoch FROM failing_since) * 1000 AS failing_since_ms`,
    values: [...columns(queues), lease.holder, lease.forMs],
  });
  return rows.map((row) => ({
    ...keyOf(row),
    failures: row.failures,
    failingSinceMs: row.failing_since_ms === null ? null : Number(row.failing_since_ms),
  }));
}

/** Lengthens leases that are still held. @returns those that are */
export async function renewLeases(
  database: Database,
  queues: QueueKey[],
  lease: { holder: string; forMs: number },
): Promise<QueueKey[]> {
  const rows = await database.query<QueueRow>({
    name: 'renew-leases',
    text: `UPDATE webhook_queues SET leased_until = clock_timestamp() + $4 * interval '1 millisecond'
           FROM unnest($1::uuid[], $2::uuid[]) AS held (account_id, webhook_id)
           WHERE webhook_queues.account_id = held.account_id
             AND webhook_queues.webhook_id = held.webhook_id AND lease_holder = $3
           RETURNING webhook_queues.account_id, webhook_queues.webhook_id`,
    values: [...columns(queues), lease.holder, lease.forMs],
  });
  return rows.map(keyOf);
}

export async function releaseLeases(
  database: Database,
  queues: QueueKey[],
  holder: string,
): Promise<void> {
  await database.query({
    name: 'release-leases',
    text: `UPDATE webhook_queues SET lease_holder = NULL, leased_until = NULL
           FROM unnest($1::uuid[], $2::uuid[]) AS held (account_id, webhook_id)
           WHERE webhook_queues.account_id = held.account_id
             AND webhook_queues.webhook_id = held.webhook_id AND lease_holder = $3`,
    values: [...columns(queues), holder],
  });
}

/** Stores how endpoints do; nothing of those whose lease was lost, or whose webhook was changed meanwhile. */
export async function storeHealth(
  database: Database,
  queues: QueueHealth[],
  holder: string,
): Promise<void> {
  await database.query({
    name: 'store-health',
    text: `UPDATE webhook_queues
           SET failures = health.failures, failing_since = to_timestamp(health.failing_since_s)
           FROM unnest($1::uuid[], $2::uuid[], $3::int4[], $4::float8[], $5::timestamptz[])
             AS health (account_id, webhook_id, failures, failing_since_s, revision)
           JOIN webhooks ON webhooks.account_id = health.account_id AND webhooks.id = health.webhook_id
             AND webhooks.updated_at = health.revision
           WHERE webhook_queues.account_id = health.account_id
             AND webhook_queues.webhook_id = health.webhook_id AND lease_holder = $6`,
    values: [
      ...columns(queues),
      int4Array(queues.map(({ failures }) => failures)),
      queues.map(({ failingSinceMs }) => (failingSinceMs === null ? null : failingSinceMs / 1000)),
      queues.map(({ revision }) => revision),
      holder,
    ],
  });
}

/**
 * Sets a webhook inactive, unless somebody has changed it since it was sent to.
 * @returns whether it was
 */
export async function deactivate(
  database: Database,
  { accountId, webhookId }: QueueKey,
  change: { revision: string; reason: 'gone' | 'failing'; at: string },
): Promise<boolean> {
  const rows = await database.query({
    text: `UPDATE webhooks SET active = false, inactive_reason = $4, updated_at = $5, subscribed_at = $5
           WHERE account_id = $1 AND id = $2 AND updated_at = $3 AND active RETURNING id`,
    values: [accountId, webhookId, change.revision, change.reason, change.at],
  });
  return rows.length > 0;
}
