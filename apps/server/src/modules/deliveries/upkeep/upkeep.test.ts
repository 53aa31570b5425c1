import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { eventually } from '../../../../test/support/index.ts';
import { createStore, DAY_MS, openUpkeep } from './testing.ts';

const DELETED = {
  ...{ active: false, inactive_reason: 'requested', deleted_at: new Date() },
  secret_encrypted: null,
};

describe('upkeep', () => {
  test('removes all that waits for a deleted webhook, and nothing else', async (t) => {
    const store = await createStore();
    const gone = await store.addWebhook(DELETED);
    const others = [
      await store.addWebhook(),
      await store.addWebhook({ active: false, inactive_reason: 'failing' }),
    ];
    const fill = `INSERT INTO deliveries (account_id, webhook_id, event_id, due_at)
      SELECT $1, $2, gen_random_uuid(), now() FROM generate_series(1, $3)`;
    await store.query(fill, [store.accountId, gone, 10_001]);
    for (const id of others) await store.query(fill, [store.accountId, id, 3]);
    await openUpkeep(t, store).runOnce();
    const left = await store.query(
      'SELECT webhook_id AS id, count(*)::int AS rows FROM deliveries GROUP BY 1',
    );
    const expected = others.map((id) => ({ id, rows: 3 }));
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    assert.deepEqual(left.toSorted(byId), expected.toSorted(byId));
  });

  test('blanks the answers to requests that were under way while their lead was erased, and no others', async (t) => {
    const store = await createStore();
    const webhook = await store.addWebhook();
    const answerTo = async (erasedMsAgo: number | null, startedMsAgo: number) => {
      const [event, lead] = [await store.addEvent(), randomUUID()];
      const ago = (ms: number | null) => (ms === null ? null : new Date(Date.now() - ms));
      await store.query(
        `INSERT INTO leads (account_id, id, campaign_id, external_lead_id, version, status, phone, custom_fields,
           created_at, updated_at, erased_at)
         VALUES ($1, $2::uuid, 1, $2::uuid::text, 1, 'new', $3, '{}', clock_timestamp(), now(), $4)`,
        [store.accountId, lead, erasedMsAgo === null ? '+14155550132' : null, ago(erasedMsAgo)],
      );
      await store.query('UPDATE events SET lead_id = $2 WHERE id = $1', [event, lead]);
      const attempt = { answer: Buffer.from('echo'), started_at: ago(startedMsAgo) };
      return store.addAttempt(webhook, event, attempt);
    };
    const underWay = await answerTo(10_000, 9_000);
    const others = [await answerTo(null, 9_000), await answerTo(300_000, 9_000)];
    await openUpkeep(t, store).runOnce();
    const kept = await store.query('SELECT id FROM delivery_attempts WHERE answer IS NOT NULL');
    assert.deepEqual(kept.map(({ id }) => id).sort(), others.sort());
    assert.equal((await store.query('SELECT 1 FROM delivery_attempts')).length, 3, underWay);
  });

  test('forgets a replaced secret once it no longer signs, and not before', async (t) => {
    const store = await createStore();
    const secretUntil = (ms: number) =>
      store.addWebhook({
        ...{ previous_secret_encrypted: 'old', previous_secret_until: new Date(Date.now() + ms) },
      });
    const [past, future] = [await secretUntil(-1_000), await secretUntil(DAY_MS)];
    await openUpkeep(t, store).runOnce();
    const secrets = await store.query(
      'SELECT id, secret_encrypted AS now, previous_secret_encrypted AS old FROM webhooks',
    );
    const of = (id: string) => secrets.find((row) => row.id === id);
    assert.deepEqual(of(past), { id: past, now: 'sealed', old: null });
    assert.deepEqual(of(future), { id: future, now: 'sealed', old: 'old' });
  });

  test('removes replays that ended before retention, cancels those of deleted webhooks, keeps all others', async (t) => {
    const store = await createStore();
    const [webhook, deleted] = [await store.addWebhook(), await store.addWebhook(DELETED)];
    const old = new Date(Date.now() - 31 * DAY_MS);
    const add = async (state: string, finishedAt: Date | null, webhookId = webhook) => {
      const id = randomUUID();
      await store.query(
        `INSERT INTO webhook_replays (account_id, webhook_id, id, from_at, to_at, event_types, state, position, created_at, finished_at)
         VALUES ($1, $2, $3, now(), now(), '{}', $4, $3, $5, $6)`,
        [store.accountId, webhookId, id, state, old, finishedAt],
      );
      return id;
    };
    await add('queued', old);
    await add('canceled', old);
    const running = await add('running', null);
    const recent = await add('queued', new Date(Date.now() - 29 * DAY_MS));
    const unfinished = await add('queued', old);
    await store.addDelivery(webhook, randomUUID(), { replay_id: unfinished });
    const ofDeleted = await add('running', null, deleted);
    await openUpkeep(t, store, { retentionDays: 30 }).runOnce();
    const rows = await store.query('SELECT id, state FROM webhook_replays');
    assert.deepEqual(
      new Map(rows.map(({ id, state }) => [id, state])),
      new Map([
        [running, 'running'],
        [recent, 'queued'],
        [unfinished, 'queued'],
        [ofDeleted, 'canceled'],
      ]),
    );
  });

  test('measures what waits, how late the oldest is, and how many endpoints fail', async (t) => {
    const store = await createStore();
    const [active, failing] = [await store.addWebhook(), await store.addWebhook()];
    const inactive = await store.addWebhook({ active: false, inactive_reason: 'failing' });
    await store.query(
      'UPDATE webhook_queues SET failures = 3, failing_since = now() WHERE webhook_id = ANY ($1)',
      [[failing, inactive]],
    );
    const dueAgo = (minutes: number) => ({ due_at: new Date(Date.now() - minutes * 60_000) });
    await store.addDelivery(active, randomUUID(), dueAgo(2));
    await store.addDelivery(failing, randomUUID(), dueAgo(10));
    await store.addDelivery(failing, randomUUID(), dueAgo(-60));
    await store.addDelivery(inactive, randomUUID(), dueAgo(500));
    await store.addDelivery(active, randomUUID(), { ...dueAgo(90), replay_id: randomUUID() });
    const upkeep = openUpkeep(t, store);
    await upkeep.runOnce();
    assert.equal(await upkeep.gauge('leadwire_deliveries_waiting'), 5);
    assert.equal(await upkeep.gauge('leadwire_webhooks_failing'), 1);
    const age = (await upkeep.gauge('leadwire_deliveries_due_oldest_age_seconds')) as number;
    assert.ok(age >= 600 && age < 900, `${age} s`);
    await store.query('DELETE FROM deliveries WHERE due_at < now()');
    await upkeep.runOnce();
    assert.equal(await upkeep.gauge('leadwire_deliveries_due_oldest_age_seconds'), 0);
  });

  test('clears away the dead rows of the queue', async (t) => {
    const store = await createStore();
    const webhook = await store.addWebhook();
    await store.query(
      `INSERT INTO deliveries (account_id, webhook_id, event_id, due_at)
       SELECT $1, $2, gen_random_uuid(), now() FROM generate_series(1, 30000)`,
      [store.accountId, webhook],
    );
    await store.query('DELETE FROM deliveries');
    const upkeep = openUpkeep(t, store);
    await eventually(async () => {
      await upkeep.runOnce();
      const [row] = await store.query(
        `SELECT n_dead_tup::int AS dead, vacuum_count::int AS vacuums FROM pg_stat_user_tables WHERE relname = 'deliveries'`,
      );
      assert.equal(row.dead, 0);
      assert.ok(row.vacuums > 0);
    });
  });

  test('starts at once, and after stop() nothing of it runs', async (t) => {
    const store = await createStore();
    const upkeep = openUpkeep(t, store);
    upkeep.start();
    await eventually(async () =>
      assert.equal(await upkeep.gauge('leadwire_unaccounted_events'), 0),
    );
    await upkeep.stop();
    const [row] = await store.query(
      `SELECT count(*)::int AS busy FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'leadwire' AND state <> 'idle'`,
    );
    assert.deepEqual(row, { busy: 0 });
  });
});
