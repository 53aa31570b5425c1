import { type Database, uuidArray } from '../../../../platform/database/index.ts';

/** An event that a webhook should get, and of which nothing is known. */
export type Unaccounted = { accountId: string; webhookId: string; eventId: string };

type Row = { account_id: string; webhook_id: string; event_id: string };

const STATEMENT_TIMEOUT = `SET LOCAL statement_timeout = '5s'`;

/**
 * `horizon`: every event of an earlier transaction is there to be seen, or never will be; transactions in other databases of the server
 * hold it back too. `end`: no later one is to be seen yet.
 */
export async function readHorizon(database: Database): Promise<{ horizon: bigint; end: bigint }> {
  const [row] = await database.query<{ horizon: string; end: string }>({
    text: `SELECT pg_snapshot_xmin(snapshot)::text AS horizon, pg_snapshot_xmax(snapshot)::text AS end
           FROM pg_current_snapshot() AS snapshot`,
  });
  return { horizon: BigInt(row?.horizon ?? 0), end: BigInt(row?.end ?? 0) };
}

/**
 * The first transaction that wrote an event with an id of `leastId` or later, of the accounts with webhooks; null where there is none.
 * Ids and transactions are not quite of one order: the first of an account's first thousand ids is meant.
 */
export async function findFirstWriter(database: Database, leastId: string): Promise<bigint | null> {
  const [row] = await database.query<{ first: string | null }>({
    text: `SELECT min(earliest.written_in)::text AS first
           FROM (SELECT DISTINCT account_id FROM webhooks WHERE active) subscriber
           CROSS JOIN LATERAL (
             SELECT written_in FROM events
             WHERE events.account_id = subscriber.account_id AND events.id >= $1
             ORDER BY events.id LIMIT 1000
           ) earliest`,
    values: [leastId],
  });
  return row?.first ? BigInt(row.first) : null;
}

/*
 * Set by set for each webhook that had events: 200,000 events for three webhooks take 0.8 s on an idle machine, against 4.4 s with NOT EXISTS, which
 * looks up pair by pair. What was tried in vain must wait for the next try: an attempt that failed accounts for nothing.
 */
const FIND = `
  WITH written AS MATERIALIZED (
    SELECT subscriber.account_id, span.least, span.greatest
    FROM (SELECT DISTINCT account_id FROM webhooks WHERE active) subscriber
    CROSS JOIN LATERAL (
      SELECT min(id::text COLLATE "C")::uuid AS least, max(id::text COLLATE "C")::uuid AS greatest
      FROM events WHERE events.account_id = subscriber.account_id
        AND written_in >= $2::xid8 AND written_in < $3::xid8
    ) span
    WHERE span.least IS NOT NULL
  )
  SELECT webhooks.account_id, webhooks.id AS webhook_id, lost.id AS event_id
  FROM written JOIN webhooks ON webhooks.account_id = written.account_id AND webhooks.active
  CROSS JOIN LATERAL (
    SELECT events.id FROM events
    WHERE events.account_id = webhooks.account_id AND events.type = ANY (webhooks.events)
      AND written_in >= $2::xid8 AND written_in < $3::xid8
      AND events.occurred_at > webhooks.subscribed_at + interval '1 minute'
    EXCEPT
    SELECT event_id FROM deliveries
    WHERE deliveries.account_id = webhooks.account_id AND deliveries.webhook_id = webhooks.id
      AND event_id BETWEEN written.least AND written.greatest
    EXCEPT
    SELECT event_id FROM delivery_attempts
    WHERE delivery_attempts.account_id = webhooks.account_id
      AND delivery_attempts.webhook_id = webhooks.id
      AND event_id BETWEEN written.least AND written.greatest
      AND delivery_attempts.id >= $1 AND outcome <> 'failed'
  ) lost
  LIMIT $4`;

/**
 * Events of the transactions from `from` up to `to` that are unaccounted for, at most `limit`. An event, its deliveries and what becomes
 * of them are each written in one statement, so that no snapshot ever shows one without the others.
 * `leastAttemptId`: no attempt at them can have a lesser id; it spares the older partitions.
 * @throws AppError 503 where it takes longer than 5 s
 */
export const findUnaccounted = (
  database: Database,
  range: { from: bigint; to: bigint; leastAttemptId: string; limit: number },
): Promise<Unaccounted[]> =>
  read(database, FIND, [range.leastAttemptId, String(range.from), String(range.to), range.limit]);

const RECHECK = `
  SELECT wanted.account_id, wanted.webhook_id, wanted.event_id
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS wanted (account_id, webhook_id, event_id)
  JOIN webhooks ON webhooks.account_id = wanted.account_id AND webhooks.id = wanted.webhook_id
    AND webhooks.active
  JOIN events ON events.account_id = wanted.account_id AND events.id = wanted.event_id
    AND events.type = ANY (webhooks.events)
    AND events.occurred_at > webhooks.subscribed_at + interval '1 minute'
  WHERE NOT EXISTS (
    SELECT FROM deliveries WHERE deliveries.account_id = wanted.account_id
      AND deliveries.webhook_id = wanted.webhook_id AND deliveries.event_id = wanted.event_id
  ) AND NOT EXISTS (
    SELECT FROM delivery_attempts WHERE delivery_attempts.account_id = wanted.account_id
      AND delivery_attempts.webhook_id = wanted.webhook_id
      AND delivery_attempts.event_id = wanted.event_id AND outcome <> 'failed'
  )`;

/** Those of `pairs` that still are. */
export const findStillUnaccounted = (
  database: Database,
  pairs: Unaccounted[],
): Promise<Unaccounted[]> =>
  read(database, RECHECK, [
    uuidArray(pairs.map(({ accountId }) => accountId)),
    uuidArray(pairs.map(({ webhookId }) => webhookId)),
    uuidArray(pairs.map(({ eventId }) => eventId)),
  ]);

async function read(database: Database, text: string, values: unknown[]): Promise<Unaccounted[]> {
  const rows = await database.transaction(async (query) => {
    await query({ text: STATEMENT_TIMEOUT });
    return query<Row>({ text, values });
  });
  return rows.map((row) => ({
    accountId: row.account_id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
  }));
}

/** For the accounts that they belong to; forgotten where it is not noted again within minutes. */
export async function noteUnaccounted(database: Database, pairs: Unaccounted[]): Promise<void> {
  await database.query({
    text: `WITH seen AS (
             SELECT account_id, count(*) AS n FROM unnest($1::uuid[]) AS seen (account_id) GROUP BY account_id
           )
           INSERT INTO unaccounted_events (account_id, n, seen_at) SELECT account_id, n, now() FROM seen
           ORDER BY account_id
           ON CONFLICT (account_id) DO UPDATE SET n = excluded.n, seen_at = excluded.seen_at`,
    values: [uuidArray(pairs.map(({ accountId }) => accountId))],
  });
}
