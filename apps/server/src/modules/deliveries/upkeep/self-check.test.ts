import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../../../test/support/index.ts';
import { createStore, DAY_MS, openUpkeep, shiftedClock } from './testing.ts';

const GAUGE = 'leadwire_unaccounted_events';
type Upkeep = ReturnType<typeof openUpkeep>;

const lostOf = ({ lines }: Upkeep) =>
  lines.filter(({ level }) => level === 'error').flatMap(({ details }) => details.events);

async function assertCount(upkeep: Upkeep, count: number): Promise<void> {
  await upkeep.runOnce();
  assert.equal(await upkeep.gauge(GAUGE), count);
}

/** What a transaction has run beside is looked at, however old it is; those of other tests' databases on the same server count, too. */
const untilNothingRunsBeside = ({ query, accountId }: Awaited<ReturnType<typeof createStore>>) =>
  eventually(async () => {
    const beside = await query(
      `SELECT id FROM events WHERE account_id = $1 AND written_in >= pg_snapshot_xmin(pg_current_snapshot())`,
      [accountId],
    );
    assert.equal(beside.length, 0);
  });

describe('the self-check', () => {
  test('shows nothing before it has looked', async (t) => {
    const upkeep = openUpkeep(t, await createStore());
    assert.equal(await upkeep.gauge(GAUGE), undefined);
    await assertCount(upkeep, 0);
  });

  test('counts an event of which nothing is known, and logs account, webhook and event', async (t) => {
    const store = await createStore();
    const [lossy, whole] = [await store.addWebhook(), await store.addWebhook()];
    const eventId = await store.addEvent();
    await store.addDelivery(whole, eventId);
    const upkeep = openUpkeep(t, store);
    await assertCount(upkeep, 1);
    assert.deepEqual(lostOf(upkeep), [{ accountId: store.accountId, webhookId: lossy, eventId }]);
  });

  test('counts no event that waits, was delivered, was given up, or waits after a failure', async (t) => {
    const store = await createStore();
    const webhook = await store.addWebhook();
    const [waiting, delivered, givenUp, failed] = [
      await store.addEvent(),
      await store.addEvent(),
      await store.addEvent(),
      await store.addEvent(),
    ];
    await store.addDelivery(webhook, waiting);
    await store.addAttempt(webhook, delivered);
    await store.addAttempt(webhook, givenUp, { outcome: 'given_up', error: 'status' });
    await store.addDelivery(webhook, failed, { attempts: 1 });
    await store.addAttempt(webhook, failed, {
      ...{ outcome: 'failed', error: 'status', next_attempt_at: new Date() },
    });
    const upkeep = openUpkeep(t, store);
    await assertCount(upkeep, 0);
    await store.query('DELETE FROM deliveries WHERE event_id = $1', [failed]);
    const another = openUpkeep(t, store);
    await assertCount(another, 1);
    assert.deepEqual(lostOf(another), [
      { accountId: store.accountId, webhookId: webhook, eventId: failed },
    ]);
  });

  test('counts nothing for a webhook that is inactive, deleted, wants other events or subscribed later', async (t) => {
    const store = await createStore();
    const off = { active: false, inactive_reason: 'requested' };
    await store.addWebhook(off);
    await store.addWebhook({ ...off, deleted_at: new Date(), secret_encrypted: null });
    await store.addWebhook({ events: ['lead.converted', 'lead.updated'] });
    await store.addWebhook({ subscribed_at: new Date() });
    await store.addEvent();
    await assertCount(openUpkeep(t, store), 0);
  });

  test('counts the event of another account as little as that account’s webhook counts ours', async (t) => {
    const store = await createStore();
    await store.addWebhook();
    const eventId = await store.addEvent();
    await store.query(`INSERT INTO accounts (id, name, created_at) VALUES ($1, 'B', now())`, [
      eventId,
    ]);
    await store.query('UPDATE events SET account_id = $1', [eventId]);
    await assertCount(openUpkeep(t, store), 0);
  });

  test('finds what was lost while it ran, and what was lost within the hour before its start', async (t) => {
    const store = await createStore();
    await store.addWebhook();
    await store.addEvent('lead.created', 65 * 60_000);
    await store.addEvent('lead.created', 50 * 60_000);
    await untilNothingRunsBeside(store);
    const upkeep = openUpkeep(t, store);
    await assertCount(upkeep, 1);
    await store.addEvent();
    await assertCount(upkeep, 2);
    assert.equal(lostOf(upkeep).length, 2, 'each is logged once');
  });

  test('misses no event whose transaction ends late, and waits with no other for it', async (t) => {
    const store = await createStore();
    await store.addWebhook();
    const upkeep = openUpkeep(t, store);
    const late = new pg.Client(store.url);
    await late.connect();
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO events (account_id, id, type, occurred_at, lead_id, lead_version)
       VALUES ($1, $2, 'lead.created', now(), $2, 1)`,
      [store.accountId, store.idAt(Date.now())],
    );
    await store.addEvent();
    await assertCount(upkeep, 1);
    await store.addEvent();
    await assertCount(upkeep, 2);
    await late.query('COMMIT');
    await late.end();
    await assertCount(upkeep, 3);
    await assertCount(upkeep, 3);
    assert.equal(lostOf(upkeep).length, 3, 'each is logged once');
  });

  test('counts no longer what was queued again, or what nobody wants any more', async (t) => {
    const store = await createStore();
    const webhook = await store.addWebhook();
    const [first] = [await store.addEvent(), await store.addEvent()];
    const upkeep = openUpkeep(t, store);
    await assertCount(upkeep, 2);
    await assertCount(upkeep, 2);
    await store.addDelivery(webhook, first);
    await assertCount(upkeep, 1);
    await store.query(`UPDATE webhooks SET active = false, inactive_reason = 'requested'`);
    await assertCount(upkeep, 0);
  });

  test('tells until when it has looked', async (t) => {
    const store = await createStore();
    const clock = shiftedClock(DAY_MS);
    const upkeep = openUpkeep(t, store, { clock });
    const before = clock.nowMs();
    await upkeep.runOnce();
    const at = await upkeep.gauge('leadwire_unaccounted_events_checked_timestamp_seconds');
    assert.ok(at && at * 1000 >= before && at * 1000 <= clock.nowMs());
  });
});
