import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../../support/index.ts';
import { startScene } from '../delivery/scene.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 2;

const scene = await startScene({
  env: { LEADWIRE_ATTEMPT_RETENTION_DAYS: String(RETENTION_DAYS) },
});
const { database } = scene;
const receiver = await scene.receiver();
after(() => scene.close());

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
const partitionOf = (ms: number) => `delivery_attempts_${dateOf(ms)}`;

const partitions = async (): Promise<string[]> => {
  const rows = await database.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent = 'delivery_attempts'::regclass AND inhrelid <> 'delivery_attempts_other'::regclass
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

/** Writes an attempt as it was made so many days ago. */
async function addAttempt(ageDays: number): Promise<string> {
  const at = Date.now() - ageDays * DAY_MS;
  const hex = Math.floor(at).toString(16).padStart(12, '0');
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${hex}`;
  await database.query(
    `INSERT INTO delivery_attempts (account_id, webhook_id, event_id, id, outcome, url, status, duration_ms, started_at)
     VALUES ($1, $2, $3, $3, 'succeeded', 'http://127.0.0.1/', 204, 1, $4)`,
    [scene.key.account_id, '019a0000-0000-7000-8000-000000000001', id, new Date(at)],
  );
  return id;
}

describe('the log of attempts', () => {
  it('has a partition for today and the next seven days, and what is sent today is in that of today', async () => {
    const expected = Array.from({ length: 8 }, (_, day) => partitionOf(Date.now() + day * DAY_MS));
    await eventually(async () => assert.deepEqual(await partitions(), expected));
    const hook = await scene.webhook(receiver.url);
    await scene.lead();
    await scene.attempted(hook, 1);
    const rows = await database.query<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM delivery_attempts WHERE webhook_id = $1',
      [hook.uuid],
    );
    assert.deepEqual(rows, [{ name: partitionOf(Date.now()) }]);
  });

  it('keeps attempts for as many days as the setting says, and drops the days before those', async () => {
    const day = partitionOf(Date.now() - 4 * DAY_MS);
    const bound = (ms: number) => {
      const hex = (Math.floor(ms / DAY_MS) * DAY_MS).toString(16).padStart(12, '0');
      return `'${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000'`;
    };
    const [from, to] = [bound(Date.now() - 4 * DAY_MS), bound(Date.now() - 3 * DAY_MS)];
    const [old, older, recent] = await (async () => {
      await database.query(
        `CREATE TABLE ${day} PARTITION OF delivery_attempts FOR VALUES FROM (${from}) TO (${to})`,
      );
      return [await addAttempt(4), await addAttempt(100), await addAttempt(RETENTION_DAYS - 0.1)];
    })();
    // A worker looks at once when it starts.
    await scene.withoutServer(async () => undefined);
    await eventually(async () => {
      assert.ok(!(await partitions()).includes(day));
      const rows = await database.query<{ id: string }>(
        'SELECT id FROM delivery_attempts WHERE id = ANY ($1)',
        [[old, older, recent]],
      );
      assert.deepEqual(rows, [{ id: recent }]);
    });
  });
});

describe('what waits for a webhook', () => {
  it('is removed in the background once the webhook is deleted, all of it', async () => {
    const [deleted, kept] = [
      await scene.webhook(receiver.url, { active: false }),
      await scene.webhook(receiver.url, { active: false }),
    ];
    for (const hook of [deleted, kept]) {
      await database.query(
        `INSERT INTO deliveries (account_id, webhook_id, event_id, due_at)
         SELECT $1, $2, gen_random_uuid(), now() FROM generate_series(1, 6000)`,
        [scene.key.account_id, hook.uuid],
      );
    }
    await scene.remove(deleted);
    await eventually(async () => assert.equal((await scene.waiting(deleted)).length, 0));
    assert.equal((await scene.waiting(kept)).length, 6000);
  });
});
