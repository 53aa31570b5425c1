import type { Database } from '../../platform/database/index.ts';
import { EVENT_COLUMNS, EVENT_FACTS, type EventRow } from './body.ts';
import type { Position } from './cursor.ts';

/** How far the feed goes: every transaction below `horizon` has ended; none at or above `next` has begun. */
export type Reach = { horizon: string; next: string };

/** Rows of the feed below a horizon never change any more, so that several statements see the same ones. */
export async function readReach(database: Database): Promise<Reach> {
  const [row] = await database.query<Reach>({
    text: `SELECT pg_snapshot_xmin(now.snapshot) AS horizon, pg_snapshot_xmax(now.snapshot) AS next
           FROM pg_current_snapshot() AS now (snapshot)`,
  });
  return row as Reach;
}

type Stretch = { accountId: string; after: Position; horizon: string };

const COLUMNS = 'account_id, written_in, id, type, occurred_at, lead_id, lead_version, campaign';

/*
 * The next rows of an account's feed, whatever their type: $1 account, $2 and $3 the position, $4 the horizon. Those
 * three are hidden in subselects, so that the planner does not conclude from statistics that are always older than
 * the end of the feed that few rows are left, and sorts all of them instead of walking the index events_feed.
 */
const STRETCH = `
  SELECT ${COLUMNS} FROM events
  WHERE account_id = $1 AND (written_in, id) > ((SELECT $2::xid8), (SELECT $3::uuid))
    AND written_in < (SELECT $4::xid8)
  ORDER BY written_in, id`;

const valuesOf = ({ accountId, after, horizon }: Stretch): unknown[] => [
  ...[accountId, after.writtenIn, after.id, horizon],
];

export type FeedRow = EventRow & { written_in: string };

/** At most `limit` events of `types` (null: of all) among the next `lookAt`, oldest first. */
export async function readEvents(
  database: Database,
  stretch: Stretch,
  page: { types: string[] | null; lookAt: number; limit: number },
): Promise<FeedRow[]> {
  return database.query<FeedRow>({
    text: `
      WITH page AS (
        SELECT * FROM (${STRETCH} LIMIT $5) looked_at
        WHERE $6::text[] IS NULL OR type = ANY ($6)
        ORDER BY written_in, id
        LIMIT $7
      )
      SELECT ${EVENT_COLUMNS}, events.written_in
      FROM page AS events ${EVENT_FACTS}
      ORDER BY events.written_in, events.id`,
    values: [...valuesOf(stretch), page.lookAt, page.types, page.limit],
  });
}

/** Where the next `lookAt` events end, and how many there are; null where there are none. */
export async function findEnd(
  database: Database,
  stretch: Stretch,
  lookAt: number,
): Promise<(Position & { count: number }) | null> {
  const [row] = await database.query<Position & { count: number }>({
    text: `
      SELECT written_in AS "writtenIn", id, count
      FROM (
        SELECT written_in, id, (row_number() OVER (ORDER BY written_in, id))::int AS count
        FROM (${STRETCH} LIMIT $5) looked_at
      ) numbered
      ORDER BY count DESC LIMIT 1`,
    values: [...valuesOf(stretch), lookAt],
  });
  return row ?? null;
}

/** The newest event of an account below the horizon. */
export async function findNewest(
  database: Database,
  { accountId, horizon }: { accountId: string; horizon: string },
): Promise<Position | null> {
  const [row] = await database.query<Position>({
    text: `SELECT written_in AS "writtenIn", id FROM events
           WHERE account_id = $1 AND written_in < (SELECT $2::xid8)
           ORDER BY written_in DESC, id DESC LIMIT 1`,
    values: [accountId, horizon],
  });
  return row ?? null;
}

/** The accounts that have events of transactions that have not begun yet: those of another server. */
export async function findRestored(database: Database): Promise<string[]> {
  const rows = await database.query<{ id: string }>({
    text: `SELECT accounts.id FROM accounts WHERE EXISTS (
             SELECT FROM events WHERE events.account_id = accounts.id
               AND written_in >= pg_snapshot_xmax(pg_current_snapshot())
           )`,
  });
  return rows.map(({ id }) => id);
}

/** Renumbers at most `limit` of an account's, the least ids first. @returns how many */
export async function renumberRestored(
  database: Database,
  accountId: string,
  limit: number,
): Promise<number> {
  const rows = await database.query({
    text: `WITH restored AS MATERIALIZED (
             SELECT account_id, id FROM events
             WHERE account_id = $1 AND written_in >= pg_snapshot_xmax(pg_current_snapshot())
             ORDER BY id LIMIT $2 FOR UPDATE
           )
           UPDATE events SET written_in = pg_current_xact_id()
           FROM restored WHERE events.account_id = restored.account_id AND events.id = restored.id
           RETURNING events.id`,
    values: [accountId, limit],
  });
  return rows.length;
}
