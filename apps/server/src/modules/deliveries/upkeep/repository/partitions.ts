import type { Database } from '../../../../platform/database/index.ts';
import type { Day } from '../days.ts';

/** The names of the partitions of the log, the one for everything else included. */
export async function listPartitions(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>({
    text: `SELECT inhrelid::regclass::text AS name FROM pg_inherits
           WHERE inhparent = 'delivery_attempts'::regclass`,
  });
  return rows.map(({ name }) => name);
}

// Whoever waits longer for a lock gives way, and with it everybody who queued up behind.
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '300ms'`;
const MAX_MOVED = 20_000;
// One node at a time makes partitions: two would wait for each other. The number means nothing.
const MAKER_LOCK = 7_305_114_923;

/** made; exists: it is there, or another node is at it; crowded: too many rows of that day are among the others to be moved at once. */
export type Making = 'made' | 'exists' | 'crowded';

/**
 * Makes the partition of a day. It is made apart and attached then, with the parent locked against writers for those few milliseconds:
 * CREATE … PARTITION OF would lock out readers too, and a writer that has just chosen the default partition would fail (23514).
 * What that one holds of the day moves over.
 * @throws a database error 55P03 where the locks could not be had in time
 */
export const makePartition = (database: Database, day: Day): Promise<Making> =>
  database.transaction(async (query) => {
    const run = (text: string) => query<Record<string, unknown>>({ text });
    await run(LOCK_TIMEOUT);
    const [turn] = await run(`SELECT pg_try_advisory_xact_lock(${MAKER_LOCK}) AS mine,
      to_regclass('${day.table}') IS NULL AS missing`);
    if (!turn?.mine || !turn.missing) return 'exists';
    const ofDay = `id >= '${day.from}' AND id < '${day.to}'`;
    const [others] = await run(
      `SELECT count(*)::int AS rows FROM (SELECT FROM delivery_attempts_other WHERE ${ofDay} LIMIT ${MAX_MOVED + 1}) counted`,
    );
    if (Number(others?.rows) > MAX_MOVED) return 'crowded';
    await run(`CREATE TABLE ${day.table} (LIKE delivery_attempts INCLUDING ALL)`);
    await run('LOCK TABLE ONLY delivery_attempts IN SHARE ROW EXCLUSIVE MODE');
    await run('LOCK TABLE delivery_attempts_other IN ACCESS EXCLUSIVE MODE');
    await run(`WITH moved AS (DELETE FROM delivery_attempts_other WHERE ${ofDay} RETURNING *)
      INSERT INTO ${day.table} SELECT * FROM moved`);
    await run(
      `ALTER TABLE delivery_attempts ATTACH PARTITION ${day.table} FOR VALUES FROM ('${day.from}') TO ('${day.to}')`,
    );
    return 'made';
  });

/**
 * Drops a day with all of its attempts. DETACH … CONCURRENTLY, which would lock less, is not possible beside a default partition.
 * @throws a database error 55P03 where the lock could not be had in time
 */
export const dropPartition = (database: Database, day: Day): Promise<void> =>
  database.transaction(async (query) => {
    await query({ text: LOCK_TIMEOUT });
    await query({ text: `DROP TABLE IF EXISTS ${day.table}` });
  });

/** Removes up to `limit` attempts with ids below `before` that are in no day's partition. @returns how many */
export async function removeOthers(
  database: Database,
  before: string,
  limit: number,
): Promise<number> {
  const rows = await database.query({
    text: `DELETE FROM delivery_attempts_other
           WHERE ctid = ANY (ARRAY(SELECT ctid FROM delivery_attempts_other WHERE id < $1 LIMIT $2))
           RETURNING 1`,
    values: [before, limit],
  });
  return rows.length;
}
