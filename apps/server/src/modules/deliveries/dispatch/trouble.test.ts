import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createTestDatabase,
  eventually,
  type TestDatabase,
} from '../../../../test/support/index.ts';
import { createClock } from '../../../platform/clock/index.ts';
import type { AttemptResult } from '../sending/index.ts';
import { MAX_WINDOW } from './endpoint-health.ts';
import {
  addWaiting,
  addWebhook,
  FAILURE,
  SUCCESS,
  silent,
  startWorker,
  waiting,
} from './testing.ts';

describe('what a worker makes of a change of a webhook:', () => {
  const statusOf = async ({ query }: TestDatabase) =>
    (
      await query(
        'SELECT active, failures, failing_since FROM webhooks JOIN webhook_queues ON webhook_id = id',
      )
    )[0];

  /** As a PATCH does it. */
  const changeUrl = async ({ query }: TestDatabase, id: string, url: string) => {
    await query('UPDATE webhooks SET url = $2, updated_at = clock_timestamp() WHERE id = $1', [
      id,
      url,
    ]);
    await query(
      'UPDATE webhook_queues SET failures = 0, failing_since = NULL WHERE webhook_id = $1',
      [id],
    );
  };

  test('the failures of the old address say nothing of the new one', async (t) => {
    const store = await createTestDatabase();
    const webhook = await addWebhook(store, 'https://old.test');
    await store.query(
      `UPDATE webhook_queues SET failures = 40, failing_since = now() - interval '6 days'`,
    );
    await addWaiting(store, webhook, 3);
    const probe = Promise.withResolvers<AttemptResult>();
    const worker = startWorker(t, store, ({ url }) =>
      url.includes('old') ? probe.promise : FAILURE,
    );
    await eventually(() => assert.equal(worker.sent.length, 1));
    await changeUrl(store, webhook.id, 'https://new.test');
    worker.notify(`${webhook.account}/${webhook.id}`);
    probe.resolve(FAILURE);
    await eventually(() => assert.ok(worker.sent.some(({ url }) => url.includes('new'))));
    await eventually(async () => assert.ok((await statusOf(store)).failures > 0));
    const { active, failures, failing_since } = await statusOf(store);
    assert.ok(active && failures < 40, `${failures} failures`);
    assert.ok(Date.now() - failing_since.getTime() < 60_000);
  });

  test('nothing that was read before is sent after it', async (t) => {
    const store = await createTestDatabase();
    const webhook = await addWebhook(store, 'https://old.test');
    await addWaiting(store, webhook, 200);
    const first = Promise.withResolvers<void>();
    const worker = startWorker(t, store, async () => {
      await first.promise;
      return SUCCESS;
    });
    await eventually(() => assert.ok(worker.sent.length > 0));
    await changeUrl(store, webhook.id, 'https://new.test');
    worker.notify(`${webhook.account}/${webhook.id}`);
    const before = worker.sent.length;
    first.resolve();
    await eventually(async () => assert.equal(await waiting(store), 0));
    assert.ok(before <= MAX_WINDOW);
    assert.ok(worker.sent.slice(before).every(({ url }) => url.includes('new')));
  });
});

describe('trouble that is not the endpoint’s', () => {
  test('leaves the deliveries of a webhook that cannot be signed for waiting, says so once, and harms no other', async (t) => {
    const store = await createTestDatabase();
    const [bad, good] = [
      await addWebhook(store, 'https://bad.test'),
      await addWebhook(store, 'https://good.test'),
    ];
    await addWaiting(store, bad, 20);
    await addWaiting(store, good, 20);
    const errors: object[] = [];
    const worker = startWorker(t, store, () => SUCCESS, {
      log: { ...silent, error: (details: object) => void errors.push(details) },
      secretsOf({ webhookId }) {
        if (webhookId === bad.id) throw new Error('no key');
        return ['whsec_'];
      },
    });
    await eventually(async () => assert.equal(await waiting(store), 20));
    // Polls have come and gone meanwhile.
    await addWaiting(store, good, 5);
    await eventually(() => assert.equal(worker.sent.length, 25));
    const [queue] = await store.query('SELECT * FROM webhook_queues WHERE webhook_id = $1', [
      bad.id,
    ]);
    assert.deepEqual([queue.failures, queue.lease_holder], [0, null]);
    assert.equal(errors.length, 1);
  });

  test('passes over an event that is not there', async (t) => {
    const store = await createTestDatabase();
    const webhook = await addWebhook(store, 'https://one.test');
    await addWaiting(store, webhook, 1);
    await store.query('DELETE FROM events');
    const others = await addWaiting(store, webhook, 30);
    const worker = startWorker(t, store, () => SUCCESS);
    await eventually(() => assert.deepEqual(worker.idsSent().toSorted(), others));
    await eventually(async () => assert.equal(await waiting(store), 1));
  });

  test('does not count against an endpoint when this process is out of sockets', async (t) => {
    const store = await createTestDatabase();
    const webhook = await addWebhook(store, 'https://one.test');
    const [event] = await addWaiting(store, webhook, 1);
    let tries = 0;
    const worker = startWorker(t, store, () =>
      tries++ === 0
        ? { ...FAILURE, status: null, error: 'connection_failed', detail: 'EMFILE' }
        : SUCCESS,
    );
    await eventually(() => assert.deepEqual(worker.idsSent(), [event, event]));
    await eventually(async () => assert.equal(await waiting(store), 0));
    const log = await store.query('SELECT outcome FROM delivery_attempts');
    assert.deepEqual(log, [{ outcome: 'succeeded' }]);
  });

  test('is no clock that is an hour behind', async (t) => {
    const store = await createTestDatabase();
    const [event] = await addWaiting(store, await addWebhook(store, 'https://one.test'), 1);
    const hourBehind = createClock(() => (Date.now() - 3_600_000) * 1000);
    const worker = startWorker(t, store, () => SUCCESS, { clock: hourBehind });
    await eventually(() => assert.deepEqual(worker.idsSent(), [event]));
  });
});
