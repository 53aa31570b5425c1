import type { Database } from '../../../../platform/database/index.ts';
import { QUEUES } from '../../repository.ts';

/** How the queues of all accounts do. */
export type QueueFigures = {
  waiting: number;
  /** Milliseconds since the Unix epoch; null where nothing live waits for an active webhook. */
  oldestDueMs: number | null;
  failing: number;
};

/* Counting a million rows every few seconds would cost more than it tells: above this it is what the last vacuum counted. */
const COUNTED_EXACTLY = 100_000;

const FIGURES = `${QUEUES}
  SELECT (SELECT count(*) FROM (SELECT FROM deliveries LIMIT ${COUNTED_EXACTLY + 1}) counted) AS waiting,
    (SELECT reltuples FROM pg_class WHERE oid = 'deliveries'::regclass) AS estimate,
    (
      SELECT extract(epoch FROM min(oldest.due_at)) * 1000 FROM queue
      JOIN webhooks ON webhooks.account_id = queue.account_id AND webhooks.id = queue.webhook_id
        AND webhooks.active
      CROSS JOIN LATERAL (
        SELECT due_at FROM deliveries WHERE deliveries.account_id = queue.account_id
          AND deliveries.webhook_id = queue.webhook_id AND replay_id IS NULL
        ORDER BY due_at LIMIT 1
      ) oldest
    ) AS oldest_due_ms,
    (
      SELECT count(*) FROM webhook_queues
      JOIN webhooks ON webhooks.account_id = webhook_queues.account_id
        AND webhooks.id = webhook_queues.webhook_id AND webhooks.active
      WHERE failing_since IS NOT NULL
    ) AS failing`;

type Row = { waiting: string; estimate: number; oldest_due_ms: string | null; failing: string };

export async function readQueueFigures(database: Database): Promise<QueueFigures> {
  const [row] = await database.query<Row>({ name: 'queue-figures', text: FIGURES });
  if (!row) throw new Error('The figures of the queues are one row.');
  const counted = Number(row.waiting);
  return {
    waiting: counted > COUNTED_EXACTLY ? Math.max(counted, Number(row.estimate)) : counted,
    oldestDueMs: row.oldest_due_ms === null ? null : Number(row.oldest_due_ms),
    failing: Number(row.failing),
  };
}

/** Rows of the queue that are done with, and that only a vacuum takes away. */
export async function countDead(database: Database): Promise<number> {
  const [row] = await database.query<{ dead: string }>({
    text: `SELECT n_dead_tup AS dead FROM pg_stat_user_tables WHERE relid = 'deliveries'::regclass`,
  });
  return Number(row?.dead ?? 0);
}

/** Leaves out the truncation, which would lock out everybody, and the whole of it where a vacuum is at work already. */
export async function vacuumQueue(database: Database): Promise<void> {
  await database.query({ text: 'VACUUM (SKIP_LOCKED, TRUNCATE false) deliveries' });
}
