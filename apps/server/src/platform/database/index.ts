import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { retryTransient } from './failures.ts';
import { parseHosts } from './hosts.ts';
import { type Listener, listen } from './listen.ts';
import { migrate } from './migrate.ts';
import { createPool } from './pool.ts';
import { type LibraryPool, poolForLibraries } from './pool-for-libraries.ts';

export * from './binary-arrays.ts';
export { isTimeout, isTransient, isUnavailable } from './failures.ts';
export type { Listener } from './listen.ts';
export type { LibraryPool } from './pool-for-libraries.ts';
export { type TimestampText, timestampToIso } from './timestamp-text.ts';

type QueryConfig = { name?: string; text: string; values?: unknown[] };
type Row = Record<string, unknown>;

export type Database = {
  /** Runs one statement, retried while the store is out of reach for a moment: it must be safe to repeat. */
  query<R = Row>(config: QueryConfig): Promise<R[]>;
  /** The same, each row an array in the order of the columns: cheaper for wide hot rows. */
  queryArrays(config: QueryConfig): Promise<unknown[][]>;
  /** Runs `work` in one transaction on one connection; never retried, so that nothing happens twice. */
  transaction<T>(work: (query: Database['query']) => Promise<T>): Promise<T>;
  /** The same connections for a library that speaks SQL itself; nothing is retried for it. */
  forLibraries(): LibraryPool;
  /** Applies what is missing of the migrations; returns their names. */
  migrate(): Promise<string[]>;
  /** Hears every NOTIFY of `channel`, a plain name; see listen.ts for what may be missed. */
  listen(channel: string, onMessage: (payload: string) => void): Listener;
  /** Rejects where the store does not answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
};

type DatabaseOptions = {
  url: string;
  poolSize: number;
  /** How long a statement is retried while the store is out of reach. */
  retryForMs: number;
  migrations: URL;
  /** For writes that are done again where a crash loses them: they do not wait for the disk. */
  commitsMayBeLost?: boolean;
  log: { warn(details: object, message: string): void };
  observe?: (seconds: number) => void;
};

export function createDatabase(options: DatabaseOptions): Database {
  const pool = createPool(parseHosts(options.url), {
    size: options.poolSize,
    log: options.log,
    commitsMayBeLost: options.commitsMayBeLost ?? false,
  });
  const retry = { forMs: options.retryForMs, now: Date.now, wait: (ms: number) => wait(ms) };
  const run = <T>(attempt: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    return retryTransient(attempt, retry).finally(() =>
      options.observe?.((performance.now() - start) / 1000),
    );
  };
  return {
    query: <R>(config: QueryConfig) =>
      run(async () => (await pool.query(config as pg.QueryConfig)).rows as R[]),
    queryArrays: (config) =>
      run(
        async () => (await pool.query({ ...config, rowMode: 'array' } as pg.QueryArrayConfig)).rows,
      ),
    transaction: (work) => retryTransient(() => inTransaction(pool, work), { ...retry, forMs: 0 }),
    forLibraries: () =>
      poolForLibraries(pool, (attempt) => retryTransient(attempt, { ...retry, forMs: 0 })),
    listen: (channel, onMessage) => listen(pool, channel, onMessage),
    migrate: () => run(() => migrate(pool, options.migrations)),
    async ping(timeoutMs) {
      const late = wait(timeoutMs, undefined, { ref: false }).then(() => {
        throw new Error(`The store did not answer within ${timeoutMs} ms.`);
      });
      await Promise.race([pool.query('SELECT 1'), late]);
    },
    close: () => pool.end(),
  };
}

async function inTransaction<T>(
  pool: pg.Pool,
  work: (query: Database['query']) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(async <R>(config: QueryConfig) => {
      const { rows } = await client.query(config as pg.QueryConfig);
      return rows as R[];
    });
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error as Error;
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release(failure);
  }
}
