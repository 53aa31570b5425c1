import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { createTestDatabase, eventually } from '../../../../test/support/index.ts';
import { MAX_WINDOW } from './endpoint-health.ts';
import { addWaiting, addWebhook, FAILURE, SUCCESS, startWorker, waiting } from './testing.ts';

describe('a worker', () => {
  test('sends everything that waits, each once, logs it and leaves nothing in the queue', async (t) => {
    const store = await createTestDatabase();
    const webhooks = await Promise.all(
      [1, 2, 3].map((n) => addWebhook(store, `https://${n}.test`)),
    );
    const expected = await Promise.all(webhooks.map((one) => addWaiting(store, one, 300)));
    const worker = startWorker(t, store, () => SUCCESS);
    await eventually(async () => assert.equal(await waiting(store), 0));
    assert.deepEqual(worker.idsSent().toSorted(), expected.flat().toSorted());
    const [log] = await store.query(
      `SELECT count(*)::int, count(DISTINCT (webhook_id, event_id))::int AS different FROM delivery_attempts`,
    );
    assert.deepEqual(log, { count: 900, different: 900 });
  });

  test('sends one event to every webhook that waits for it, at once', async (t) => {
    const store = await createTestDatabase();
    const [one, two] = [
      await addWebhook(store, 'https://1.test'),
      await addWebhook(store, 'https://2.test'),
    ];
    const hanging: (() => void)[] = [];
    t.after(() => {
      for (const end of hanging) end();
    });
    const worker = startWorker(
      t,
      store,
      () => new Promise((go) => hanging.push(() => go(SUCCESS))),
    );
    const [event] = await addWaiting(store, one, 1);
    await eventually(() => assert.deepEqual(worker.idsSent(), [event]));
    // The same event for the second, while it is on its way to the first.
    await store.query(
      `INSERT INTO deliveries (account_id, webhook_id, event_id, due_at)
       SELECT account_id, $1, event_id, due_at FROM deliveries`,
      [two.id],
    );
    await eventually(() => assert.deepEqual(worker.idsSent(), [event, event]));
  });

  test('has no more than its cap in flight to one webhook', async (t) => {
    const store = await createTestDatabase();
    await addWaiting(store, await addWebhook(store, 'https://one.test'), 600);
    let inFlight = 0;
    let most = 0;
    startWorker(t, store, async () => {
      most = Math.max(most, ++inFlight);
      await new Promise((done) => setTimeout(done, 2));
      inFlight--;
      return SUCCESS;
    });
    await eventually(async () => assert.equal(await waiting(store), 0));
    assert.equal(most, MAX_WINDOW);
  });

  test('sends to others while one endpoint does not answer', async (t) => {
    const store = await createTestDatabase();
    await addWaiting(store, await addWebhook(store, 'https://hangs.test'), 300);
    const good = await addWebhook(store, 'https://good.test');
    const expected = await addWaiting(store, good, 300);
    const hanging: (() => void)[] = [];
    t.after(() => {
      for (const end of hanging) end();
    });
    const worker = startWorker(t, store, ({ url }) =>
      url.includes('good') ? SUCCESS : new Promise((done) => hanging.push(() => done(FAILURE))),
    );
    const received = () => worker.sent.filter(({ url }) => url.includes('good'));
    await eventually(() => assert.equal(received().length, 300));
    assert.deepEqual(
      received()
        .map(({ eventId }) => eventId)
        .toSorted(),
      expected,
    );
    assert.ok(hanging.length > 0 && hanging.length <= MAX_WINDOW);
  });

  test('that is stopped hands its queues to the next one at once', async (t) => {
    const store = await createTestDatabase();
    const webhook = await addWebhook(store, 'https://one.test');
    const first = startWorker(t, store, () => SUCCESS);
    const [before] = await addWaiting(store, webhook, 1);
    await eventually(() => assert.deepEqual(first.idsSent(), [before]));
    await first.stop();
    const [queue] = await store.query('SELECT lease_holder FROM webhook_queues');
    assert.equal(queue.lease_holder, null);
    const second = startWorker(t, store, () => SUCCESS);
    const [next] = await addWaiting(store, webhook, 1);
    await eventually(() => assert.deepEqual(second.idsSent(), [next]));
  });
});

describe('a lease', () => {
  test('keeps a queue to one worker', async (t) => {
    const store = await createTestDatabase();
    const webhooks = await Promise.all(
      [1, 2, 3].map((n) => addWebhook(store, `https://${n}.test`)),
    );
    const workers = [1, 2, 3].map(() => startWorker(t, store, () => SUCCESS));
    const expected = await Promise.all(webhooks.map((one) => addWaiting(store, one, 200)));
    await eventually(async () => assert.equal(await waiting(store), 0));
    const all = workers.flatMap((worker) => worker.idsSent());
    assert.deepEqual(all.toSorted(), expected.flat().toSorted());
  });

  test('that ended is taken by another, who sends again what was not stored', async (t) => {
    const store = await createTestDatabase();
    const webhook = await addWebhook(store, 'https://one.test');
    const expected = await addWaiting(store, webhook, 3);
    const hanging: (() => void)[] = [];
    t.after(() => {
      for (const end of hanging) end();
    });
    const first = startWorker(t, store, () => new Promise((go) => hanging.push(() => go(SUCCESS))));
    await eventually(() => assert.equal(first.sent.length, 3));
    // As if the first worker were frozen, and ten seconds over.
    await store.query(`UPDATE webhook_queues SET lease_holder = $1, leased_until = now()`, [
      randomUUID(),
    ]);
    const second = startWorker(t, store, () => SUCCESS);
    await eventually(() => assert.deepEqual(second.idsSent().toSorted(), expected));
    await eventually(async () => assert.equal(await waiting(store), 0));
    const later = await addWaiting(store, webhook, 2);
    await eventually(() => assert.equal(second.sent.length, 5));
    assert.equal(first.sent.length, 3, 'who lost the lease starts nothing more');
    assert.deepEqual(second.idsSent().slice(3).toSorted(), later);
  });
});
