import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import type { Json } from '../../support/index.ts';
import { openScene, shape } from './scene.ts';

const scene = await openScene();
const { get, post, webhook, event, waits, tried, ours, theirs, call, database } = scene;

async function listed(hook: Json, one: { id: string }): Promise<Json> {
  return (await get(`${hook.id}/deliveries?event_id=${one.id}`)).json.data[0];
}
const queued = (one: { uuid: string }): Promise<Json[]> =>
  database.query(
    `SELECT attempts, replay_id, due_at <= now() AS is_due, now() - due_at < interval '1 minute' AS is_fresh
     FROM deliveries WHERE event_id = $1`,
    [one.uuid],
  );
const DUE = { attempts: 0, replay_id: null, is_due: true, is_fresh: true };
const inactive = async (hook: Json) => {
  const body = { active: false };
  const answer = await call('PATCH', `/api/v1/webhooks/${hook.id}`, { key: ours.full, body });
  assert.equal(answer.status, 200, answer.text);
};

describe('POST /api/v1/webhooks/:id/deliveries/:delivery/retry', () => {
  for (const [name, outcome] of [
    ['was delivered', 'succeeded'],
    ['was given up', 'given_up'],
  ] as const) {
    test(`queues one that ${name} again: due now, with all of its attempts before it`, async () => {
      const hook = await webhook();
      const one = await event();
      await tried(hook, one, { outcome });
      const before = await listed(hook, one);
      const { status, json } = await post(`${hook.id}/deliveries/${before.id}/retry`);
      assert.equal(status, 202);
      assert.deepEqual(json, {
        ...before,
        state: 'waiting',
        next_attempt_at: json.next_attempt_at,
      });
      assert.ok(json.next_attempt_at <= new Date(Date.now() + 1000).toISOString());
      assert.deepEqual(await queued(one), [DUE]);
      assert.deepEqual(await listed(hook, one), json);
    });
  }

  test('makes one that waits for its next attempt due now, and its schedule begin anew', async () => {
    const hook = await webhook();
    const one = await event();
    await tried(hook, one, { outcome: 'failed' });
    await waits(hook, one, 7);
    const { id } = await listed(hook, one);
    const { json } = await post(`${hook.id}/deliveries/${id}/retry`);
    assert.equal(json.state, 'waiting');
    assert.deepEqual(await queued(one), [DUE]);
  });

  test('leaves one that is overdue its place in the queue', async () => {
    const hook = await webhook();
    const one = await event();
    await waits(hook, one, 2, -3_600_000);
    const before = (await listed(hook, one)).next_attempt_at;
    const { json } = await post(`${hook.id}/deliveries/${(await listed(hook, one)).id}/retry`);
    assert.equal(json.next_attempt_at, before);
    assert.deepEqual(await queued(one), [{ ...DUE, is_fresh: false }]);
  });

  test('asked for many times at once queues it once', async () => {
    const hook = await webhook();
    const one = await event();
    await tried(hook, one);
    const { id } = await listed(hook, one);
    const ask = () => post(`${hook.id}/deliveries/${id}/retry`);
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    assert.ok(answers.every(({ status }) => status === 202));
    assert.deepEqual(await queued(one), [DUE]);
  });

  test('of an inactive webhook is a 409 that says what to do, and nothing is queued', async () => {
    const hook = await webhook();
    const [done, waiting] = [await event(), await event()];
    await tried(hook, done);
    await waits(hook, waiting, 3);
    await inactive(hook);
    for (const one of [done, waiting]) {
      const answer = await post(`${hook.id}/deliveries/${(await listed(hook, one)).id}/retry`);
      assert.match(assertFailure(answer, 409, 'conflict').message, /Activate it first/);
    }
    assert.deepEqual(await queued(done), []);
    assert.equal((await queued(waiting))[0]?.attempts, 3);
  });

  test('sends nothing that is not a delivery of this webhook of this account: the same 404', async () => {
    const [hook, other] = [await webhook(), await webhook()];
    const foreign = await webhook({}, { key: theirs.full });
    const [one, untold] = [await event(), await event()];
    const theirEvent = await event({ account: theirs.id });
    await tried(hook, one);
    await tried(foreign, theirEvent);
    const idOf = (event_: Json, hook_: Json) =>
      `dlv_${Buffer.from((event_.uuid + hook_.uuid).replaceAll('-', ''), 'hex').toString('base64url')}`;
    const missing = await post(`${hook.id}/deliveries/dlv_${'A'.repeat(43)}/retry`);
    assertFailure(missing, 404, 'not_found');
    for (const path of [
      `${hook.id}/deliveries/${idOf(untold, hook)}`,
      `${other.id}/deliveries/${idOf(one, other)}`,
      `${other.id}/deliveries/${idOf(one, hook)}`,
      `${hook.id}/deliveries/${idOf(theirEvent, hook)}`,
      `${foreign.id}/deliveries/${idOf(theirEvent, foreign)}`,
      `${foreign.id}/deliveries/${idOf(one, foreign)}`,
    ]) {
      assert.deepEqual(shape(await post(`${path}/retry`)), shape(missing), path);
    }
    const theirKey = { key: theirs.full };
    const stolen = await post(
      `${hook.id}/deliveries/${idOf(one, hook)}/retry`,
      undefined,
      theirKey,
    );
    assert.deepEqual(shape(stolen), shape(missing));
    await call('DELETE', `/api/v1/webhooks/${hook.id}`, { key: ours.full });
    const deleted = await post(`${hook.id}/deliveries/${idOf(one, hook)}/retry`);
    assert.deepEqual(shape(deleted), shape(missing));
    for (const never of [one, untold, theirEvent]) assert.deepEqual(await queued(never), []);
  });

  test('needs both scopes', async () => {
    const hook = await webhook();
    const one = await event();
    await tried(hook, one);
    const path = `${hook.id}/deliveries/${(await listed(hook, one)).id}/retry`;
    const ask = (key: typeof ours.full) => post(path, undefined, { key });
    assertFailure(await ask(ours.reader), 403, 'scope_required:leads:write');
    assertFailure(await ask(ours.writer), 403, 'scope_required:leads:read');
    assert.deepEqual(await queued(one), []);
  });
});
