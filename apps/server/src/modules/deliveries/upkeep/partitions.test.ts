import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import pg from 'pg';
import { dayAt, daysFrom } from './days.ts';
import { createStore, DAY_MS, openUpkeep, shiftedClock } from './testing.ts';

const OTHER = 'delivery_attempts_other';

type Store = Awaited<ReturnType<typeof createStore>>;

const tablesOf = async ({ query }: Store): Promise<string[]> => {
  const rows = await query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent = 'delivery_attempts'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name).filter((name) => name !== OTHER);
};

const tableOf = async ({ query }: Store, id: string): Promise<string | undefined> => {
  const [row] = await query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM delivery_attempts WHERE id = $1',
    [id],
  );
  return row?.name;
};

const namesFrom = (ms: number, ahead: number) => daysFrom(ms, ahead).map(({ table }) => table);

describe('the log of attempts', () => {
  test('has a partition for today and each of the next seven days, and an attempt is in that of its day', async (t) => {
    const store = await createStore();
    const upkeep = openUpkeep(t, store);
    await upkeep.runOnce();
    assert.deepEqual(await tablesOf(store), namesFrom(Date.now(), 7));
    const now = await store.addAttempt(randomUUID(), randomUUID());
    const soonMs = Date.now() + 3 * DAY_MS;
    const soon = await store.addAttempt(randomUUID(), randomUUID(), { id: store.idAt(soonMs) });
    assert.equal(await tableOf(store, now), dayAt(Date.now()).table);
    assert.equal(await tableOf(store, soon), dayAt(soonMs).table);
  });

  test('has the indexes and keys of the log in each partition', async (t) => {
    const store = await createStore();
    await openUpkeep(t, store).runOnce();
    const rows = await store.query<{ name: string; indexes: number; constraints: number }>(`
      SELECT inhrelid::regclass::text AS name,
        (SELECT count(*)::int FROM pg_index WHERE indrelid = inhrelid) AS indexes,
        (SELECT count(*)::int FROM pg_constraint WHERE conrelid = inhrelid AND contype <> 'n') AS constraints
      FROM pg_inherits WHERE inhparent = 'delivery_attempts'::regclass`);
    const [other] = rows.filter(({ name }) => name === OTHER);
    assert.ok(other && other.indexes >= 2 && other.constraints >= 4);
    for (const row of rows) assert.deepEqual({ ...row, name: OTHER }, other, row.name);
    const orphans = await store.query(`
      SELECT indexrelid::regclass FROM pg_index JOIN pg_inherits ON inhrelid = indrelid
      WHERE inhparent = 'delivery_attempts'::regclass
        AND indexrelid NOT IN (SELECT inhrelid FROM pg_inherits)`);
    assert.deepEqual(orphans, [], 'every index of a partition is part of an index of the log');
  });

  test('moves what was written before there was a partition for it', async (t) => {
    const store = await createStore();
    const [webhook, event] = [randomUUID(), randomUUID()];
    const early = await store.addAttempt(webhook, event, { answer: Buffer.from('kept') });
    assert.equal(await tableOf(store, early), OTHER);
    await openUpkeep(t, store).runOnce();
    assert.equal(await tableOf(store, early), dayAt(Date.now()).table);
    const rows = await store.query('SELECT * FROM delivery_attempts');
    assert.equal(rows.length, 1);
    assert.deepEqual(rows[0].answer, Buffer.from('kept'));
  });

  test('leaves a day of which too much was written already where it is, and makes the others', async (t) => {
    const store = await createStore();
    const today = dayAt(Date.now());
    await store.query(
      `INSERT INTO delivery_attempts (account_id, webhook_id, event_id, id, outcome, url, duration_ms, started_at)
       SELECT $1, $1, $1, (left($2::text, 14) || '7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'succeeded', 'u', 1, now()
       FROM generate_series(1, 20001) n`,
      [store.accountId, today.from],
    );
    const upkeep = openUpkeep(t, store);
    await upkeep.runOnce();
    assert.deepEqual(await tablesOf(store), namesFrom(Date.now() + DAY_MS, 6));
    assert.ok(upkeep.lines.some(({ details }) => details.table === today.table));
  });

  test('is made once when several workers start at once, while no attempt that is written fails or is lost', async (t) => {
    const store = await createStore();
    const workers = Array.from({ length: 4 }, () => openUpkeep(t, store));
    const written = new Set<string>();
    let isDone = false;
    const write = async () => {
      while (!isDone) written.add(await store.addAttempt(randomUUID(), randomUUID()));
    };
    const writers = [write(), write()];
    for (const { start } of workers) start();
    try {
      await Promise.all(workers.map(({ runOnce }) => runOnce()));
    } finally {
      isDone = true;
      await Promise.all(writers);
      await Promise.all(workers.map(({ stop }) => stop()));
    }
    await workers[0]?.runOnce();
    assert.deepEqual(await tablesOf(store), namesFrom(Date.now(), 7));
    const rows = await store.query<{ id: string }>('SELECT id FROM delivery_attempts');
    assert.deepEqual(new Set(rows.map(({ id }) => id)), written);
    const today = `SELECT FROM delivery_attempts_other`;
    assert.deepEqual(await store.query(today), []);
    const failures = workers.flatMap(({ lines }) => lines.filter(({ level }) => level !== 'info'));
    assert.deepEqual(failures, []);
  });
});

describe('retention', () => {
  test('drops the days that are wholly older, and keeps every attempt that is not', async (t) => {
    const store = await createStore();
    await openUpkeep(t, store, { clock: shiftedClock(-35 * DAY_MS) }).runOnce();
    await openUpkeep(t, store, { clock: shiftedClock(-3 * DAY_MS) }).runOnce();
    const write = (ageDays: number) =>
      store.addAttempt(randomUUID(), randomUUID(), {
        id: store.idAt(Date.now() - ageDays * DAY_MS),
      });
    await write(35);
    await write(31.1);
    const kept = [await write(30), await write(29.9), await write(2), await write(0)];
    await openUpkeep(t, store, { retentionDays: 30 }).runOnce();
    const rows = await store.query<{ id: string }>('SELECT id FROM delivery_attempts ORDER BY id');
    assert.deepEqual(
      rows.map(({ id }) => id),
      kept,
    );
    const [oldest] = await tablesOf(store);
    assert.equal(oldest, dayAt(Date.now() - 30 * DAY_MS).table);
  });

  test('reaches what is in no day of its own', async (t) => {
    const store = await createStore();
    const write = (ageDays: number) =>
      store.addAttempt(randomUUID(), randomUUID(), {
        id: store.idAt(Date.now() - ageDays * DAY_MS),
      });
    await write(400);
    await write(3.1);
    const kept = await write(2.9);
    await openUpkeep(t, store, { retentionDays: 3 }).runOnce();
    assert.deepEqual(await store.query('SELECT id FROM delivery_attempts'), [{ id: kept }]);
  });

  test('leaves a day that somebody reads for the next round, and holds up no writer', async (t) => {
    const store = await createStore();
    await openUpkeep(t, store, { clock: shiftedClock(-40 * DAY_MS) }).runOnce();
    const reader = new pg.Client(store.url);
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM delivery_attempts');
    const upkeep = openUpkeep(t, store);
    const [, id] = await Promise.all([
      upkeep.runOnce(),
      store.addAttempt(randomUUID(), randomUUID()),
    ]);
    const busy = upkeep.lines.filter(({ details }) => details.code === '55P03');
    assert.ok(busy.length > 0 && busy.every(({ level }) => level === 'info'));
    assert.ok((await tablesOf(store)).includes(dayAt(Date.now() - 40 * DAY_MS).table));
    await reader.query('COMMIT');
    await reader.end();
    await upkeep.runOnce();
    assert.deepEqual(await tablesOf(store), namesFrom(Date.now(), 7));
    assert.equal(await tableOf(store, id), dayAt(Date.now()).table);
  });
});
