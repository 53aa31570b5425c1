import {
  type Database,
  int4Array,
  timestampToIso,
  uuidArray,
} from '../../../../platform/database/index.ts';
import type { QueueKey } from './leases.ts';

export type Wanted = QueueKey & {
  /** At most so many in all, and of a replay. */
  limit: number;
  replayLimit: number;
};

/** A webhook as it is at the moment of sending. */
export type Endpoint = {
  url: string;
  secret_encrypted: string;
  previous_secret_encrypted: string | null;
  previous_secret_until: string | null;
  updated_at: string;
  failures: number;
  failing_since_ms: string | null;
};

export type DueDelivery = QueueKey & {
  eventId: string;
  dueAt: string;
  endpoint: Endpoint;
  attempts: number;
  replayId: string | null;
};

const waiting = (condition: string, limit: string): string => `
  (SELECT event_id, due_at, attempts, replay_id FROM deliveries
   WHERE deliveries.account_id = wanted.account_id AND deliveries.webhook_id = wanted.webhook_id
     AND ${condition} AND due_at <= now() AND (webhook_id, event_id) NOT IN (SELECT * FROM unnest($5::uuid[], $6::uuid[]))
   ORDER BY due_at LIMIT ${limit})`;

/*
 * Reads without updating: the lease says whose the queue is, so that a delivery costs no write before it is done. Webhook and secrets are
 * read here and now, so that what was changed or deleted before is not sent as it was. Live events come before replayed ones.
 */
const DUE = `
  SELECT wanted.account_id, wanted.webhook_id, due.event_id, due.due_at, due.attempts, due.replay_id,
    webhooks.url, webhooks.secret_encrypted, webhooks.previous_secret_encrypted,
    webhooks.previous_secret_until, webhooks.updated_at, queue.failures,
    extract(epoch FROM queue.failing_since) * 1000 AS failing_since_ms
  FROM unnest($1::uuid[], $2::uuid[], $3::int4[], $4::int4[])
    AS wanted (account_id, webhook_id, most, most_replayed)
  JOIN webhook_queues queue ON queue.account_id = wanted.account_id AND queue.webhook_id = wanted.webhook_id
    AND queue.lease_holder = $7 AND queue.leased_until > clock_timestamp()
  JOIN webhooks ON webhooks.account_id = wanted.account_id AND webhooks.id = wanted.webhook_id
    AND webhooks.active
  CROSS JOIN LATERAL (
    SELECT * FROM (
      ${waiting('replay_id IS NULL', 'wanted.most')}
      UNION ALL
      ${waiting('replay_id IS NOT NULL', 'wanted.most_replayed')}
    ) either LIMIT wanted.most
  ) due`;

/** What is due of leased queues, but for what is `known` to be on its way. */
export async function findDue(
  database: Database,
  wanted: Wanted[],
  options: { known: { webhookId: string; eventId: string }[]; holder: string },
): Promise<DueDelivery[]> {
  const rows = await database.queryArrays({
    name: 'due-deliveries',
    text: DUE,
    values: [
      uuidArray(wanted.map(({ accountId }) => accountId)),
      uuidArray(wanted.map(({ webhookId }) => webhookId)),
      int4Array(wanted.map(({ limit }) => limit)),
      int4Array(wanted.map(({ replayLimit }) => replayLimit)),
      uuidArray(options.known.map(({ webhookId }) => webhookId)),
      uuidArray(options.known.map(({ eventId }) => eventId)),
      options.holder,
    ],
  });
  return rows.map(toDueDelivery);
}

function toDueDelivery(row: unknown[]): DueDelivery {
  const text = (column: number) => row[column] as string;
  return {
    accountId: text(0),
    webhookId: text(1),
    eventId: text(2),
    dueAt: timestampToIso(text(3)),
    attempts: row[4] as number,
    replayId: row[5] as string | null,
    endpoint: {
      url: text(6),
      secret_encrypted: text(7),
      previous_secret_encrypted: row[8] as string | null,
      previous_secret_until: row[9] as string | null,
      updated_at: text(10),
      failures: row[11] as number,
      failing_since_ms: row[12] as string | null,
    },
  };
}
