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

/** A directory that the account of PostgreSQL can enter. */
async function makeDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'leadwire-standby-')));
  await chmod(directory, 0o755);
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
  const directory = await makeDirectory();
  const servers: EmbeddedPostgres[] = [];
  t.after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(directory, { recursive: true, force: true });
  });
  const [first, second] = [join(directory, 'a'), join(directory, 'b')];
  const original = await begin(first);
  servers.push(original);
  const client = new pg.Client(original.url);
  await client.connect();
  await client.query('CREATE TABLE numbers (n integer PRIMARY KEY)');
  await client.end();
  await original.stop();
  await copyServer(first, second);
  await writeFile(join(second, 'postgres', 'standby.signal'), '');
  const [primary, standby] = [await begin(first), await begin(second)];
  servers.push(primary, standby);
  assert.deepEqual(await asAdmin(standby, 'SELECT pg_is_in_recovery() AS standby'), [
    { standby: true },
  ]);
  return { primary, standby };
}

const portOf = (server: EmbeddedPostgres) => Number(new URL(server.url).port);

/** A URL that names the standby first. */
function urlOfBoth({ primary, standby }: { primary: EmbeddedPostgres; standby: EmbeddedPostgres }) {
  const { username, password, pathname } = new URL(primary.url);
  const hosts = [standby, primary].map((server) => new URL(server.url).host);
  return `postgres://${username}:${password}@${hosts.join()}${pathname}`;
}

/** Writes a number; resolves with the port of the server that took it. */
async function insert(database: Database, n: number): Promise<number> {
  const [row] = await database.query<{ port: number }>({
    text: `INSERT INTO numbers VALUES ($1) ON CONFLICT (n) DO UPDATE SET n = excluded.n
           RETURNING inet_server_port() AS port`,
    values: [n],
  });
  return row?.port as number;
}

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
  const takenBy = new Map<number, number[]>([primary, standby].map((one) => [portOf(one), []]));
  const writers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const mine = n++;
      takenBy.get(await insert(database, mine))?.push(mine);
    }
  });
  const until50By = (server: EmbeddedPostgres) =>
    eventually(() => assert.ok((takenBy.get(portOf(server))?.length ?? 0) > 50), {
      deadlineMs: 30_000,
    });
  await until50By(primary);
  process.kill(primary.pid(), 'SIGKILL');
  await primary.stop();
  await asAdmin(standby, 'SELECT pg_promote(true)');
  await until50By(standby);
  isOver = true;
  // No write failed meanwhile: each went on, on the promoted server.
  await Promise.all(writers);
  const taken = [...takenBy.values()].flat();
  assert.deepEqual(
    taken.toSorted((a, b) => a - b),
    [...Array(n).keys()],
  );
  const rows = await database.query<{ n: number }>({ text: 'SELECT n FROM numbers' });
  const present = new Set(rows.map((one) => one.n));
  assert.ok(takenBy.get(portOf(standby))?.every((one) => present.has(one)));
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
