import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { createTestDatabase, eventually, type TestDatabase } from '../../../test/support/index.ts';
import { createDatabase, type Database } from './index.ts';

const migrations = new URL('../../../migrations/', import.meta.url);

function open(
  t: TestContext,
  url: string,
  options: { poolSize?: number; retryForMs?: number } = {},
): Database {
  const log = { warn: () => undefined };
  const database = createDatabase({
    ...{ url, migrations, log, poolSize: 2, retryForMs: 10_000 },
    ...options,
  });
  t.after(() => database.close());
  return database;
}

/** Tables, columns, constraints and indexes, as text. */
const schemaOf = async ({ query }: TestDatabase): Promise<string[]> => {
  const rows = await query<{ line: string }>(`
    SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    ORDER BY line`);
  return rows.map(({ line }) => line);
};

describe('the schema', () => {
  test('is made once when ten nodes start at once on an empty database, and is the same as of one', async (t) => {
    const [many, alone] = [
      await createTestDatabase({ from: 'empty' }),
      await createTestDatabase({ from: 'empty' }),
    ];
    const nodes = Array.from({ length: 10 }, () => open(t, many.url));
    const applied = await Promise.all(nodes.map((node) => node.migrate()));
    const names = await open(t, alone.url).migrate();
    assert.ok(names.length > 0);
    assert.deepEqual(applied.flat().toSorted(), names);
    assert.equal(applied.filter(({ length }) => length > 0).length, 1);
    const [schema, expected] = [await schemaOf(many), await schemaOf(alone)];
    assert.ok(expected.some((line) => line.startsWith('leads.account_id')));
    assert.deepEqual(schema, expected);
    assert.deepEqual(await nodes[0]?.migrate(), []);
  });

  test('of a newer version is refused with what to do, and left as it is', async (t) => {
    const { url, query } = await createTestDatabase({ from: 'migrated' });
    await query(`INSERT INTO kysely_migration VALUES ('9999_later', '2030-01-01')`);
    await assert.rejects(open(t, url).migrate(), /newer version .*9999_later.* backup/);
    const [row] = await query(
      'SELECT count(*)::int AS later FROM kysely_migration WHERE name > $1',
      ['9'],
    );
    assert.deepEqual(row, { later: 1 });
  });

  test('is waited for by a node whose statements have a limit that is shorter than a long migration', async (t) => {
    const { url, query } = await createTestDatabase({ from: 'empty' });
    await query(
      'CREATE TABLE kysely_migration_lock (id varchar(255) PRIMARY KEY, is_locked integer NOT NULL)',
    );
    const database = open(t, `${url}?statement_timeout=300`, { poolSize: 1 });
    let applied: string[] | undefined;
    let waiting: Promise<unknown> = Promise.resolve();
    const holder = open(t, url);
    await holder.transaction(async (hold) => {
      // A migration of another node: what this one needs is locked for longer than its limit.
      await hold({ text: 'LOCK TABLE kysely_migration_lock' });
      waiting = database.migrate().then((names) => {
        applied = names;
      });
      await hold({ text: 'SELECT pg_sleep(0.6)' });
      assert.equal(applied, undefined);
    });
    await waiting;
    assert.ok((applied ?? []).length > 0);
    const [row] = await database.query({ text: 'SHOW statement_timeout' });
    assert.deepEqual(row, { statement_timeout: '300ms' });
  });
});

describe('a connection', () => {
  test('tells times in UTC and ISO, whatever the role, the database or the URL say', async (t) => {
    const { url, name, query } = await createTestDatabase({ from: 'empty' });
    await query(`ALTER DATABASE ${name} SET TimeZone = 'Asia/Tokyo'`);
    await query(`ALTER DATABASE ${name} SET DateStyle = 'German'`);
    const options = encodeURIComponent('-c work_mem=8MB');
    for (const address of [url, `${url}?options=${options}`]) {
      const [row] = await open(t, address).query({
        text: `SELECT '2026-01-15T10:30:00Z'::timestamptz AS at`,
      });
      assert.deepEqual(row, { at: '2026-01-15 10:30:00+00' }, address);
    }
  });

  test('keeps the settings that the URL gives it', async (t) => {
    const { url } = await createTestDatabase({ from: 'empty' });
    const options = encodeURIComponent('-c work_mem=8MB');
    const [row] = await open(t, `${url}?options=${options}`).query({ text: 'SHOW work_mem' });
    assert.deepEqual(row, { work_mem: '8MB' });
  });

  test('gives json as the text that it is', async (t) => {
    const { url } = await createTestDatabase({ from: 'empty' });
    const [row] = await open(t, url).query({ text: `SELECT '{"b" : 1,"a":2}'::json AS value` });
    assert.deepEqual(row, { value: '{"b" : 1,"a":2}' });
  });

  test('has a limit for every statement', async (t) => {
    const { url } = await createTestDatabase({ from: 'empty' });
    const [row] = await open(t, url).query({ text: 'SHOW statement_timeout' });
    assert.deepEqual(row, { statement_timeout: '15s' });
  });

  test('whose statement takes too long answers unavailable, and works on afterwards', async (t) => {
    const { url } = await createTestDatabase({ from: 'empty' });
    const database = open(t, `${url}?statement_timeout=50`, { poolSize: 1 });
    await assert.rejects(database.query({ text: 'SELECT pg_sleep(60)' }), { status: 503 });
    assert.deepEqual(await database.query({ text: 'SELECT 1 AS one' }), [{ one: 1 }]);
  });

  test('that is cut between statements is made anew without the caller noticing', async (t) => {
    const { url, name, query } = await createTestDatabase({ from: 'empty' });
    const database = open(t, url);
    await database.query({ text: 'SELECT 1' });
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = '${name}' AND pid <> pg_backend_pid()`;
    for (let i = 0; i < 5; i++) {
      const [, rows] = await Promise.all([query(cut), database.query({ text: 'SELECT 1 AS one' })]);
      assert.deepEqual(rows, [{ one: 1 }]);
    }
  });

  test('that cannot be had in time is unavailable, not an endless wait', async (t) => {
    const database = open(t, 'postgres://u:p@127.0.0.1:1/db', { retryForMs: 100 });
    await assert.rejects(database.query({ text: 'SELECT 1' }), { status: 503 });
    await assert.rejects(
      database.transaction(async () => undefined),
      { status: 503 },
    );
    await assert.rejects(database.ping(1_000));
  });
});

describe('a transaction', () => {
  test('keeps all or nothing', async (t) => {
    const { url, query } = await createTestDatabase({ from: 'empty' });
    await query('CREATE TABLE numbers (n integer PRIMARY KEY)');
    const database = open(t, url, { poolSize: 1 });
    const insert = (...numbers: number[]) =>
      database.transaction(async (run) => {
        for (const n of numbers)
          await run({ text: 'INSERT INTO numbers VALUES ($1)', values: [n] });
        if (numbers.includes(13)) throw new Error('unlucky');
      });
    await insert(1, 2);
    await assert.rejects(insert(3, 1), { code: '23505' });
    await assert.rejects(insert(4, 13), /unlucky/);
    const rows = await database.query({ text: 'SELECT n FROM numbers ORDER BY n' });
    assert.deepEqual(rows, [{ n: 1 }, { n: 2 }]);
  });

  test('whose connection is cut is never repeated by itself', async (t) => {
    const { url, query } = await createTestDatabase({ from: 'empty' });
    await query('CREATE TABLE numbers (n integer)');
    let attempts = 0;
    const cut = open(t, url).transaction(async (run) => {
      attempts++;
      await run({ text: 'INSERT INTO numbers VALUES (1)' });
      const [row] = await run<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
      await query('SELECT pg_terminate_backend($1)', [row?.pid]);
      await run({ text: 'INSERT INTO numbers VALUES (2)' });
    });
    await assert.rejects(cut, { status: 503 });
    assert.equal(attempts, 1);
    await eventually(async () =>
      assert.deepEqual(await query('SELECT count(*)::int AS rows FROM numbers'), [{ rows: 0 }]),
    );
  });
});
