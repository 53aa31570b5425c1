import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ground } from './ground.ts';

export type TestDatabase = {
  name: string;
  /** postgres:// URL of the service's role. */
  url: string;
  /** DATABASE_URL and LEADWIRE_ENCRYPTION_KEY, for the server and the command line. */
  env: { DATABASE_URL: string; LEADWIRE_ENCRYPTION_KEY: string };
  // biome-ignore lint/suspicious/noExplicitAny: rows are known by asserting on them.
  query<R = any>(sql: string, values?: unknown[]): Promise<R[]>;
  /** For a test that needs it gone; otherwise it goes with the whole server at the end of the run. */
  drop(): Promise<void>;
};

export const TEMPLATES = { seeded: 'leadwire_seeded', migrated: 'leadwire_migrated' } as const;

/** Runs one statement as the superuser. */
export async function asAdmin(adminUrl: string, sql: string): Promise<void> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The URL with another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The role that a URL connects as. */
export const roleOf = (url: string): string => new URL(url).username;

/** A database of its own for a test file: a clone of a template, or an empty one. */
export async function createTestDatabase({
  from = 'seeded',
}: {
  from?: 'seeded' | 'migrated' | 'empty';
} = {}): Promise<TestDatabase> {
  const { adminUrl, serviceUrl, encryptionKey } = ground();
  const name = `leadwire_test_${randomUUID().replaceAll('-', '')}`;
  const template = from === 'empty' ? 'template0' : TEMPLATES[from];
  await asAdmin(
    adminUrl,
    `CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${roleOf(serviceUrl)}`,
  );
  const url = withDatabase(serviceUrl, name);
  const pool = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  let dropped: Promise<void> | undefined;
  const drop = () => {
    dropped ??= (async () => {
      await pool.end();
      await asAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    })();
    return dropped;
  };
  return {
    name,
    url,
    env: { DATABASE_URL: url, LEADWIRE_ENCRYPTION_KEY: encryptionKey },
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    drop,
  };
}
