import { readdir, readFile } from 'node:fs/promises';
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';

/**
 * Brings the schema up to date; forward only, each file of `directory` once, in the order of their names.
 * Several starting nodes may call it at once: one works, the others wait for it.
 * @returns the names of the migrations that this call applied.
 */
export async function migrate(pool: pg.Pool, directory: URL): Promise<string[]> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => readMigrations(directory) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

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
