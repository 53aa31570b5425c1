import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually, startServer } from '../../support/index.ts';
import { startScene, uuidOf } from '../delivery/scene.ts';

const GAUGE = 'leadwire_unaccounted_events';

// Nothing is sent by it, so that what waits can be taken away before it is.
const scene = await startScene({ env: { LEADWIRE_ROLE: 'api' } });
const { database } = scene;
const receiver = await scene.receiver();
after(() => scene.close());

/** What a worker says that has just started, and what it logged; it looks at the hour before its start. */
async function askWorker(): Promise<{ count: number; logged: Record<string, string>[] }> {
  const env = { LEADWIRE_ROLE: 'worker', LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'on' };
  const worker = await startServer({ database, env });
  try {
    const count = await eventually(async () => {
      const { text } = await worker.call('GET', '/metrics');
      const value = new RegExp(`^${GAUGE} (\\d+)$`, 'm').exec(text)?.[1];
      assert.ok(value, 'the worker has not looked yet');
      return Number(value);
    });
    const lines = worker.logLines().filter(({ msg }) => /unaccounted/.test(msg));
    assert.ok(lines.every(({ level }) => level === 'error'));
    return { count, logged: lines.flatMap(({ events }) => events) };
  } finally {
    await worker.stop();
  }
}

const forget = (uuid: string) =>
  database.query('DELETE FROM deliveries WHERE webhook_id = $1', [uuid]);

describe('leadwire_unaccounted_events', () => {
  it('counts an event that was lost before it was sent, says of which webhook, and nothing that was not lost', async () => {
    const lossy = await scene.webhook(receiver.url);
    const healthy = await scene.webhook(receiver.url);
    const failing = await scene.webhook('http://127.0.0.1:9/');
    const filtered = await scene.webhook(receiver.url, { events: ['lead.converted'] });
    const inactive = await scene.webhook(receiver.url);
    const deleted = await scene.webhook(receiver.url);
    await database.query(`UPDATE webhooks SET subscribed_at = now() - interval '1 day'`);
    await scene.lead();
    for (const hook of [lossy, inactive, deleted]) await forget(hook.uuid);
    await scene.change(inactive, { active: false });
    await scene.remove(deleted);
    assert.equal((await scene.waiting(filtered)).length, 0);
    const [event] = await database.query<{ id: string }>('SELECT id FROM events');

    const lost = { accountId: scene.key.account_id, webhookId: lossy.uuid, eventId: event?.id };
    assert.deepEqual(await askWorker(), { count: 1, logged: [lost] });

    await scene.attempted(healthy, 1);
    await scene.attempted(failing, 1);
    assert.deepEqual(await askWorker(), { count: 1, logged: [lost] });
    assert.deepEqual(
      receiver.requests.map(({ id }) => uuidOf(id)),
      [event?.id],
    );
  });

  it('is 0 again once the event is queued again', async () => {
    const [lost] = await database.query<{ webhook_id: string; event_id: string }>(
      `SELECT w.id AS webhook_id, e.id AS event_id FROM webhooks w, events e
       WHERE w.active AND 'lead.created' = ANY (w.events)
         AND NOT EXISTS (SELECT FROM delivery_attempts a WHERE a.webhook_id = w.id)`,
    );
    await database.query(
      'INSERT INTO deliveries (account_id, webhook_id, event_id, due_at) VALUES ($1, $2, $3, now())',
      [scene.key.account_id, lost?.webhook_id, lost?.event_id],
    );
    assert.deepEqual(await askWorker(), { count: 0, logged: [] });
  });

  it('is not shown by a process that does not look', async () => {
    const { text } = await scene.server().call('GET', '/metrics');
    assert.doesNotMatch(text, new RegExp(`^${GAUGE} `, 'm'));
  });
});
