import type { ImportSettings } from '@leadwire/contract/dashboard';
import type { Database } from '../../../../platform/database/index.ts';
import { parseJson } from '../../../../platform/json/index.ts';
import type { ImportKey } from './imports.ts';
import type { Lease, Starter } from './states.ts';

/** An import that is to be gone on with, by whoever holds its lease. */
export type Task = ImportKey & {
  kind: 'check' | 'run';
  starter: Starter;
  settings: ImportSettings;
  columns: string[];
  bytes: number;
  rowsDone: number;
};

type Row = Record<string, string | number>;

const TASK =
  'i.account_id, i.id, i.state, i.actor_type, i.actor_id, i.settings, i.columns, i.bytes, i.rows_done';

const toTask = (row: Row): Task => ({
  accountId: row.account_id as string,
  importId: row.id as string,
  kind: row.state === 'checking' ? 'check' : 'run',
  starter: { actorType: row.actor_type as 'user', actorId: row.actor_id as string },
  settings: parseJson(row.settings as string) as ImportSettings,
  columns: parseJson(row.columns as string) as string[],
  bytes: row.bytes as number,
  rowsDone: row.rows_done as number,
});

/**
 * Takes an import that nobody runs: of the account with the fewest that are run now, and of those the one that waits longest.
 * Leases are timed by the store's clock, so that nodes need not agree on theirs.
 */
export async function takeAny(database: Database, { holder, forMs }: Lease): Promise<Task | null> {
  const rows = await database.query<Row>({
    name: 'take-import',
    text: `WITH next AS MATERIALIZED (
             SELECT w.account_id, w.id FROM imports w
             WHERE w.state IN ('checking', 'running') AND (w.lease_holder IS NULL OR w.leased_until < clock_timestamp())
             ORDER BY (
               SELECT count(*) FROM imports o WHERE o.account_id = w.account_id
                 AND o.state IN ('checking', 'running') AND o.leased_until >= clock_timestamp()
             ), (
               SELECT max(o.turn_at) FROM imports o WHERE o.account_id = w.account_id
                 AND o.state IN ('checking', 'running')
             ) NULLS FIRST, w.turn_at NULLS FIRST, w.started_at
             LIMIT 1 FOR UPDATE SKIP LOCKED
           )
           UPDATE imports i SET lease_holder = $1, leased_until = clock_timestamp() + $2::float8 * interval '1 millisecond',
             turn_at = clock_timestamp()
           FROM next WHERE i.account_id = next.account_id AND i.id = next.id
           RETURNING ${TASK}`,
    values: [holder, forMs],
  });
  return rows[0] ? toTask(rows[0]) : null;
}

/** The same for one import. @returns null where somebody else runs it, or nobody should */
export async function takeOne(
  database: Database,
  key: ImportKey,
  { holder, forMs }: Lease,
): Promise<Task | null> {
  const rows = await database.query<Row>({
    text: `UPDATE imports i SET lease_holder = $3, leased_until = clock_timestamp() + $4::float8 * interval '1 millisecond',
             turn_at = clock_timestamp()
           WHERE i.account_id = $1 AND i.id = $2 AND i.state IN ('checking', 'running')
             AND (i.lease_holder IS NULL OR i.lease_holder = $3 OR i.leased_until < clock_timestamp())
           RETURNING ${TASK}`,
    values: [key.accountId, key.importId, holder, forMs],
  });
  return rows[0] ? toTask(rows[0]) : null;
}

/** @returns false where the lease was lost */
export async function renew(
  database: Database,
  key: ImportKey,
  { holder, forMs }: Lease,
): Promise<boolean> {
  const rows = await database.query({
    name: 'renew-import',
    text: `UPDATE imports SET leased_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
           WHERE account_id = $1 AND id = $2 AND lease_holder = $3 RETURNING id`,
    values: [key.accountId, key.importId, holder, forMs],
  });
  return rows.length > 0;
}

export async function release(database: Database, key: ImportKey, holder: string): Promise<void> {
  await database.query({
    text: `UPDATE imports SET lease_holder = NULL, leased_until = NULL
           WHERE account_id = $1 AND id = $2 AND lease_holder = $3`,
    values: [key.accountId, key.importId, holder],
  });
}

/** True where an import of another account waits for somebody to run it. */
export async function othersWait(database: Database, accountId: string): Promise<boolean> {
  const rows = await database.query({
    name: 'imports-that-wait',
    text: `SELECT id FROM imports WHERE state IN ('checking', 'running') AND account_id <> $1
             AND (lease_holder IS NULL OR leased_until < clock_timestamp()) LIMIT 1`,
    values: [accountId],
  });
  return rows.length > 0;
}
