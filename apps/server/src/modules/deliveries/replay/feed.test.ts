import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, eventually, seed } from '../../../../test/support/index.ts';
import { createClock, formatMicros } from '../../../platform/clock/index.ts';
import { createDatabase } from '../../../platform/database/index.ts';
import { createIds, toPublicId } from '../../../platform/ids/index.ts';
import { createFeed } from './feed.ts';
import { createReplays } from './index.ts';

const { query, url } = await createTestDatabase();
const migrations = new URL('../../../../migrations/', import.meta.url);
const log = { warn: () => undefined };
const database = createDatabase({ url, migrations, log, poolSize: 4, retryForMs: 3000 });
after(() => database.close());

const account = seed().ours.id;
const NOW_MS = Date.UTC(2026, 0, 20);
const FROM_MS = Date.UTC(2026, 0, 15);
const RANGE = { from: '2026-01-15T00:00:00Z', to: '2026-01-16T00:00:00Z' };
let nowMs = NOW_MS;
const clock = createClock(() => nowMs * 1000);
const newId = createIds();
const replays = createReplays({ database, clock, newId });
const createOwnFeed = () => createFeed({ database, clock, random: Math.random });
const feedNow = createOwnFeed();
/** A replay begins when no transaction of the whole server runs any more that did so at its creation; other tests have some. */
async function feed() {
  await eventually(async () => {
    const held = await query(
      'SELECT FROM webhook_replays WHERE created_in >= pg_snapshot_xmin(pg_current_snapshot())',
    );
    assert.equal(held.length, 0);
  });
  return feedNow();
}

const idAt = (ms: number) => createIds(() => ms)();

async function webhook(owner = account): Promise<string> {
  const id = newId();
  await query(
    `INSERT INTO webhooks (account_id, id, url, events, active, secret_encrypted, created_at, updated_at, subscribed_at)
     VALUES ($1, $2, 'http://127.0.0.1:9/', '{campaign.started}', true, 'x', now(), now(), now())`,
    [owner, id],
  );
  return id;
}

const WRITE_EVENT = `INSERT INTO events (account_id, id, type, occurred_at, campaign) VALUES ($1, $2, $3, $4, '{}')`;

type EventOptions = { type?: string; idMs?: number; owner?: string };

async function event(ms: number, options: EventOptions = {}): Promise<string> {
  const id = idAt(options.idMs ?? ms);
  const { type = 'campaign.started', owner = account } = options;
  await query(WRITE_EVENT, [owner, id, type, formatMicros(ms * 1000)]);
  return id;
}

/** `count` events in a row, one a millisecond. */
async function events(count: number, fromMs: number, type = 'campaign.started'): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => idAt(fromMs + n));
  await query(
    `INSERT INTO events (account_id, id, type, occurred_at, campaign)
     SELECT $1, id, $3, to_timestamp($4::float8 / 1000) + n * interval '1 ms', '{}'
     FROM unnest($2::uuid[]) WITH ORDINALITY AS made (id, n)`,
    [account, ids, type, fromMs - 1],
  );
  return ids;
}

const waiting = async (hook: string): Promise<string[]> => {
  const sql = 'SELECT event_id FROM deliveries WHERE webhook_id = $1 ORDER BY event_id';
  return (await query(sql, [hook])).map((row) => row.event_id);
};
/** Takes what waits out of the queue, as if it were delivered. */
const send = async (hook: string): Promise<string[]> => {
  const sql = 'DELETE FROM deliveries WHERE webhook_id = $1 RETURNING event_id';
  return (await query(sql, [hook])).map((row) => row.event_id);
};
const ask = (hook: string, body: object = {}) =>
  replays.create(account, toPublicId('wh', hook), { ...RANGE, ...body });
const read = (hook: string, { id }: { id: string }) =>
  replays.get(account, toPublicId('wh', hook), id);
const clean = () => query('TRUNCATE events, deliveries, webhook_replays');

describe('feed', () => {
  test('queues every event of the range in its order, with no cap on all but one on those that wait', async () => {
    await clean();
    const hook = await webhook();
    const ids = await events(430, FROM_MS);
    const replay = await ask(hook);
    const sent: string[] = [];
    for (let turn = 0; turn < 10; turn++) {
      assert.deepEqual(
        await feed(),
        sent.length < 430 ? [{ accountId: account, webhookId: hook }] : [],
      );
      assert.deepEqual(await feed(), [], 'nothing more while a hundred wait');
      const page = await waiting(hook);
      assert.deepEqual(page, ids.slice(sent.length, sent.length + 100));
      sent.push(...(await send(hook)));
    }
    assert.deepEqual(sent.sort(), ids);
    const { state, progress, finished_at } = await read(hook, replay);
    assert.deepEqual([state, progress.queued, progress.waiting], ['done', 430, 0]);
    assert.equal(progress.position, '2026-01-16T00:00:00.000000Z');
    assert.ok(finished_at);
  });

  test('takes what happened from the beginning of the range on and before its end, whatever time their ids have', async () => {
    await clean();
    const hook = await webhook();
    const toMs = FROM_MS + 86_400_000;
    await event(FROM_MS - 1);
    await event(toMs);
    await event(FROM_MS + 5, { type: 'campaign.paused' });
    await event(FROM_MS + 5, { owner: seed().theirs.id });
    const wanted = [
      await event(FROM_MS),
      await event(FROM_MS + 1, { idMs: FROM_MS - 9 * 60_000 }),
      await event(toMs - 1),
      await event(toMs - 1, { idMs: toMs + 9 * 60_000 }),
    ];
    await event(FROM_MS - 1, { idMs: FROM_MS + 1 });
    const replay = await ask(hook);
    await feed();
    assert.deepEqual(await waiting(hook), wanted.sort());
    assert.equal((await read(hook, replay)).state, 'running');
    await send(hook);
    assert.equal((await read(hook, replay)).state, 'done');
  });

  test('counts what waits anyway and leaves it as it is', async () => {
    await clean();
    const hook = await webhook();
    const [first, second] = await events(2, FROM_MS);
    await query(
      'INSERT INTO deliveries (account_id, webhook_id, event_id, due_at, attempts) VALUES ($1, $2, $3, now(), 4)',
      [account, hook, first],
    );
    const replay = await ask(hook);
    await feed();
    const sql = 'SELECT attempts, replay_id IS NULL AS live FROM deliveries WHERE event_id = $1';
    assert.deepEqual(await query(sql, [first]), [{ attempts: 4, live: true }]);
    assert.deepEqual(await query(sql, [second]), [{ attempts: 0, live: false }]);
    const { progress } = await read(hook, replay);
    assert.deepEqual([progress.queued, progress.already_waiting, progress.waiting], [1, 1, 1]);
  });

  test('passes over thousands of events of other types', async () => {
    await clean();
    const hook = await webhook();
    await events(9000, FROM_MS, 'campaign.paused');
    const last = await event(FROM_MS + 10_000);
    const replay = await ask(hook);
    await feed();
    assert.deepEqual(await waiting(hook), [last]);
    assert.equal((await read(hook, replay)).progress.queued, 1);
  });

  test('waits for transactions that ran when the replay was made, so that no late commit is missed', async () => {
    await clean();
    const hook = await webhook();
    const early = await event(FROM_MS + 5);
    const late = idAt(FROM_MS + 1);
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(WRITE_EVENT, [account, late, 'campaign.started', RANGE.from]);
      const replay = await ask(hook);
      await feedNow();
      assert.deepEqual(await waiting(hook), []);
      assert.equal((await read(hook, replay)).state, 'running');
      await client.query('COMMIT');
    } finally {
      await client.end();
    }
    await feed();
    assert.deepEqual(await waiting(hook), [late, early]);
  });

  test('looks at the newest seconds later, so that an event that is written after its time is not missed', async () => {
    await clean();
    const hook = await webhook();
    const old = await event(NOW_MS - 60_000);
    const young = await event(NOW_MS - 1000);
    const replay = await ask(hook, { from: '2026-01-19T00:00:00Z', to: '2026-01-20T00:00:00Z' });
    await feed();
    assert.deepEqual(await waiting(hook), [old]);
    const late = await event(NOW_MS - 1500);
    nowMs = NOW_MS + 19_000;
    await feed();
    assert.equal((await read(hook, replay)).finished_at, null);
    nowMs = NOW_MS + 20_001;
    await feed();
    assert.deepEqual(await waiting(hook), [old, late, young]);
    assert.ok((await read(hook, replay)).finished_at);
    nowMs = NOW_MS;
  });

  test('leaves an inactive webhook alone, and goes on where it was when that is active again', async () => {
    await clean();
    const hook = await webhook();
    const ids = await events(120, FROM_MS);
    await ask(hook);
    await feed();
    await send(hook);
    const setActive = (active: boolean) =>
      query('UPDATE webhooks SET active = $2, inactive_reason = $3 WHERE id = $1', [
        ...[hook, active, active ? null : 'requested'],
      ]);
    await setActive(false);
    assert.deepEqual(await feed(), []);
    await setActive(true);
    await feed();
    assert.deepEqual(await waiting(hook), ids.slice(100));
  });

  test('ends the replays of a deleted webhook', async () => {
    await clean();
    const hook = await webhook();
    await events(3, FROM_MS);
    await ask(hook);
    await query(
      `UPDATE webhooks SET active = false, inactive_reason = 'requested', deleted_at = now(), secret_encrypted = NULL
       WHERE id = $1`,
      [hook],
    );
    await feed();
    assert.deepEqual(await waiting(hook), []);
    const states = await query('SELECT state FROM webhook_replays WHERE webhook_id = $1', [hook]);
    assert.deepEqual(states, [{ state: 'canceled' }]);
  });

  test('of many workers at once queues each event once', async () => {
    await clean();
    const hook = await webhook();
    const ids = await events(1000, FROM_MS);
    const replay = await ask(hook);
    const workers = Array.from({ length: 4 }, createOwnFeed);
    const sent: string[] = [];
    for (let turn = 0; turn < 1000 && sent.length < 1000; turn++) {
      const feeding = workers.map((work) => work());
      sent.push(...(await send(hook)));
      await Promise.all(feeding);
      sent.push(...(await send(hook)));
    }
    await feed();
    assert.deepEqual(sent.sort(), ids);
    const { state, progress } = await read(hook, replay);
    assert.deepEqual([state, progress.queued, progress.already_waiting], ['done', 1000, 0]);
  });

  test('of a canceled replay queues nothing more, and what waited of it is gone; live ones stay', async () => {
    await clean();
    const hook = await webhook();
    const ids = await events(150, FROM_MS);
    const live = await event(NOW_MS);
    await query(
      'INSERT INTO deliveries (account_id, webhook_id, event_id, due_at) VALUES ($1, $2, $3, now())',
      [account, hook, live],
    );
    const replay = await ask(hook);
    await feed();
    assert.equal((await waiting(hook)).length, 101);
    const canceled = await replays.cancel(account, toPublicId('wh', hook), replay.id);
    assert.deepEqual([canceled.state, canceled.progress.waiting], ['canceled', 0]);
    assert.deepEqual(await feed(), []);
    assert.deepEqual(await waiting(hook), [live]);
    assert.equal(canceled.progress.queued, 100);
    assert.ok(ids.length > 100);
  });
});
