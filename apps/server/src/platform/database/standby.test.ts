import assert from 'node:assert/strict';
import {
  chmod,
  chown,
  cp,
  mkdtemp,
  readdir,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../../test/support/index.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/index.ts';
import { createDatabase, type Database } from './index.ts';

const log = { info: () => undefined, warn: () => undefined };
const begin = (dataDir: string) => startEmbeddedPostgres({ dataDir, durable: false, log });

async function asAdmin(server: EmbeddedPostgres, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(server.adminUrl);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A directory that the account of PostgreSQL can enter, gone after the test. */
async function makeDirectory(t: TestContext): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'leadwire-standby-')));
  await chmod(directory, 0o755);
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 20 }));
  return directory;
}

/** Copies a stopped server with the owners of its files, which PostgreSQL insists on. */
async function copyServer(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, preserveTimestamps: true });
  for (const name of ['', ...(await readdir(from, { recursive: true }))]) {
    const { uid, gid } = await stat(join(from, name));
    await chown(join(to, name), uid, gid);
  }
}

/** A primary and a standby in recovery that has what the primary had when it was copied. */
async function startPair(t: TestContext) {
  const directory = await makeDirectory(t);
  const [first, second] = [join(directory, 'a'), join(directory, 'b')];
  const original = await begin(first);
  const client = new pg.Client(original.url);
  await client.connect();
  await client.query('CREATE TABLE numbers (n integer PRIMARY KEY)');
  await client.end();
  await original.stop();
  await copyServer(first, second);
  await writeFile(join(second, 'postgres', 'standby.signal'), '');
  const servers = await Promise.all([begin(first), begin(second)]);
  // A standby waits for its end of recovery only where it is stopped fast; both are, before the directory goes.
  t.after(() => Promise.all(servers.map((server) => server.stop())));
  const [primary, standby] = servers as [EmbeddedPostgres, EmbeddedPostgres];
  assert.deepEqual(await asAdmin(standby, 'SELECT pg_is_in_recovery() AS standby'), [
    { standby: true },
  ]);
  return { primary, standby };
}

/** A URL that names the standby first. */
function urlOfBoth({ primary, standby }: { primary: EmbeddedPostgres; standby: EmbeddedPostgres }) {
  const { username, password, pathname } = new URL(primary.url);
  const hosts = [standby, primary].map((server) => new URL(server.url).host);
  return `postgres://${username}:${password}@${hosts.join()}${pathname}`;
}

const insert = (database: Database, n: number) =>
  database.query({
    text: 'INSERT INTO numbers VALUES ($1) ON CONFLICT DO NOTHING',
    values: [n],
  });

test('of several servers the one that takes writes is found, and found again when the standby is promoted', async (t) => {
  const servers = await startPair(t);
  const { primary, standby } = servers;
  const database = createDatabase({
    url: urlOfBoth(servers),
    poolSize: 4,
    retryForMs: 30_000,
    migrations: new URL('../../../migrations/', import.meta.url),
    log,
  });
  t.after(() => database.close());
  const [row] = await database.query({ text: 'SELECT pg_is_in_recovery() AS standby' });
  assert.deepEqual(row, { standby: false });
  await insert(database, -1);

  let n = 0;
  let isOver = false;
  const acknowledged: number[] = [];
  const writers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const mine = n++;
      await insert(database, mine);
      acknowledged.push(mine);
    }
  });
  await eventually(() => assert.ok(acknowledged.length > 50));
  process.kill(primary.pid(), 'SIGKILL');
  await primary.stop();
  const atDeath = acknowledged.length;
  await asAdmin(standby, 'SELECT pg_promote(true)');
  await eventually(() => assert.ok(acknowledged.length > atDeath + 50), { deadlineMs: 30_000 });
  isOver = true;
  // No write failed meanwhile: each went on, on the promoted server.
  await Promise.all(writers);
  const kept = await asAdmin(
    { ...standby, adminUrl: standby.adminUrl.replace(/postgres$/, 'leadwire') },
    'SELECT n FROM numbers',
  );
  const present = new Set(kept.map((one) => one.n as number));
  assert.ok(acknowledged.slice(atDeath).every((one) => present.has(one)));
});

test('with standbys alone there is no store: writes are refused as unavailable', async (t) => {
  const servers = await startPair(t);
  await servers.primary.stop();
  const database = createDatabase({
    url: urlOfBoth(servers),
    poolSize: 2,
    retryForMs: 200,
    migrations: new URL('../../../migrations/', import.meta.url),
    log,
  });
  t.after(() => database.close());
  await assert.rejects(insert(database, 1), { status: 503, code: 'unavailable' });
});
