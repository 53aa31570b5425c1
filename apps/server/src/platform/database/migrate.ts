import { readdir, readFile } from 'node:fs/promises';
import {
  Kysely,
  type Migration,
  Migrator,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
} from 'kysely';
import type pg from 'pg';
import { ConfigError } from '../config/index.ts';

/**
 * Brings the schema up to date; forward only, each file of `directory` once, in the order of their names.
 * Several starting nodes may call it at once: one works, the others wait for it.
 * @returns the names of the migrations that this call applied.
 * @throws ConfigError where a newer version has been here: what it made is not known to this one.
 */
export async function migrate(pool: pg.Pool, directory: URL): Promise<string[]> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: withoutTimeouts(pool) }) });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => readMigrations(directory) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw newerSchema(error) ?? error;
  return results.map((result) => result.migrationName);
}

/** Kysely says "corrupted", and says it by its message alone. */
function newerSchema(error: unknown): ConfigError | undefined {
  const message = error instanceof Error ? error.message : '';
  const name = /previously executed migration (\S+) is missing/.exec(message)?.[1];
  if (name === undefined) return undefined;
  return new ConfigError(
    `A newer version of Leadwire has brought this store's schema up to date (${name}), and this version does not know it. ` +
      'Start that version again; the way back to this one is a backup from before the upgrade.',
    { cause: error },
  );
}

/** Over a large store a migration takes minutes, and so does waiting for the node that does it. */
const withoutTimeouts = (pool: pg.Pool): PostgresPool => ({
  async connect() {
    const client = await pool.connect();
    const query = client.query.bind(client) as PostgresPoolClient['query'];
    // Not lent to others afterwards: whatever the reason for its end, no statement of theirs runs without a limit.
    const lent = { query, release: () => client.release(true) };
    try {
      await client.query('SET statement_timeout = 0');
    } catch (error) {
      lent.release();
      throw error;
    }
    return lent;
  },
  // Not its to end.
  end: async () => undefined,
});

async function readMigrations(directory: URL): Promise<Record<string, Migration>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Record<string, Migration> = {};
  for (const name of names) {
    const text = await readFile(new URL(name, directory), 'utf8');
    migrations[name.replace(/\.sql$/, '')] = {
      up: async (db) => void (await sql.raw(text).execute(db)),
    };
  }
  return migrations;
}
