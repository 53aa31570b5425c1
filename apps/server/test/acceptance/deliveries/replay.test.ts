import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { eventually, type Json, startReceiver } from '../../support/index.ts';
import { MICROS, openScene, START_MS, shape, walk } from './scene.ts';

const scene = await openScene();
const { get, post, webhook, ours, theirs, call, database } = scene;

const RANGE = { from: '2026-01-15T00:00:00Z', to: '2026-01-16T00:00:00+00:00' };
const replay = (hook: Json, body: object = {}, options: object = {}) =>
  post(`${hook.id}/replay`, { ...RANGE, ...body }, options);
async function begin(hook: Json, body: object = {}): Promise<Json> {
  const answer = await replay(hook, body);
  assert.equal(answer.status, 202, answer.text);
  return answer.json;
}
const NO_PROGRESS = { queued: 0, already_waiting: 0, delivered: 0, given_up: 0, waiting: 0 };

describe('POST /api/v1/webhooks/:id/replay', () => {
  test('begins a replay of the types of the webhook unless told otherwise, and shows it', async () => {
    const hook = await webhook({ events: ['lead.created', 'campaign.paused'] });
    const { id, created_at, ...rest } = await begin(hook);
    assert.match(id, /^rpl_[0-9a-f]{32}$/);
    assert.match(created_at, MICROS);
    assert.deepEqual(rest, {
      webhook_id: hook.id,
      from: '2026-01-15T00:00:00.000000Z',
      to: '2026-01-16T00:00:00.000000Z',
      events: ['lead.created', 'campaign.paused'],
      state: 'running',
      progress: { position: '2026-01-15T00:00:00.000000Z', ...NO_PROGRESS },
      finished_at: null,
    });
    const shown = await get(`${hook.id}/replays/${id}`);
    assert.deepEqual(shown.json, { id, created_at, ...rest });
    // Types that the webhook is not subscribed to can be asked for.
    assert.deepEqual((await begin(hook, { events: ['lead.updated'] })).events, ['lead.updated']);
  });

  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const bad: [name: string, body: unknown, error: RegExp][] = [
    ['no body', undefined, /^empty_body$/],
    ['no JSON', '{', /^malformed_json$/],
    ['no object', [], /./],
    ['nothing', {}, /^from is required, to is required$/],
    ['a time without an offset', { ...RANGE, from: '2026-01-15T00:00:00' }, /^from must be an ISO/],
    ['a number for a time', { ...RANGE, to: 5 }, /^to must be a string$/],
    ['an empty range', { from: RANGE.from, to: RANGE.from }, /^to must be later than from$/],
    ['a range that ends first', { from: RANGE.to, to: RANGE.from }, /^to must be later than from$/],
    ['a range that ends in the future', { ...RANGE, to: soon }, /^to must not be in the future$/],
    ['no types', { ...RANGE, events: [] }, /^events /],
    ['an unknown type', { ...RANGE, events: ['lead.deleted'] }, /^events/],
    ['a repeated type', { ...RANGE, events: ['lead.created', 'lead.created'] }, /^events /],
    ['null for types', { ...RANGE, events: null }, /^events /],
    ['an unknown field', { ...RANGE, event: ['lead.created'] }, /^event is not a known field$/],
  ];
  for (const [name, body, error] of bad) {
    test(`refuses ${name} with a 400, and begins nothing`, async () => {
      const hook = await webhook();
      assertFailure(await post(`${hook.id}/replay`, body), 400, error);
      assert.deepEqual((await get(`${hook.id}/replays`)).json, { data: [], nextCursor: null });
    });
  }

  test('lets five run for a webhook, however many are asked for at once', async () => {
    const [hook, other] = [await webhook(), await webhook()];
    const answers = await Promise.all(Array.from({ length: 12 }, () => replay(hook)));
    const begun = answers.filter(({ status }) => status === 202);
    assert.equal(begun.length, 5);
    for (const answer of answers.filter(({ status }) => status !== 202)) {
      assert.match(assertFailure(answer, 409, 'conflict').message, /^5 replays/);
    }
    assert.equal((await replay(other)).status, 202);
    await post(`${hook.id}/replays/${begun[0]?.json.id}/cancel`);
    assert.equal((await replay(hook)).status, 202);
  });

  test('of an inactive webhook is a 409 that says what to do', async () => {
    const hook = await webhook({ active: false });
    assert.match(assertFailure(await replay(hook), 409, 'conflict').message, /Activate it first/);
  });

  test('needs both scopes', async () => {
    const hook = await webhook();
    const refused = async (key: typeof ours.full, error: string) =>
      assertFailure(await replay(hook, {}, { key }), 403, error);
    await refused(ours.reader, 'scope_required:leads:write');
    await refused(ours.writer, 'scope_required:leads:read');
  });
});

describe('GET /api/v1/webhooks/:id/replays', () => {
  test('lists the replays of one webhook, newest first, page by page', async () => {
    const [hook, other] = [await webhook(), await webhook()];
    await begin(other);
    const begun: Json[] = [];
    for (let n = 0; n < 7; n++) {
      begun.unshift(await begin(hook));
      await post(`${hook.id}/replays/${begun[0].id}/cancel`);
    }
    for (const limit of [1, 3, 7, 100]) {
      const pages = await walk(
        async (cursor) => (await get(`${hook.id}/replays?limit=${limit}${cursor}`)).json,
      );
      assert.deepEqual(
        pages.flat().map(({ id }) => id),
        begun.map(({ id }) => id),
      );
      assert.equal(pages.length, Math.ceil(7 / limit));
    }
  });

  for (const query of ['limit=0', 'limit=101', 'cursor=x', 'state=running']) {
    test(`?${query} is refused with a 400 that names the parameter`, async () => {
      const answer = await get(`${(await webhook()).id}/replays?${query}`);
      assertFailure(answer, 400, new RegExp(`^${query.split('=', 1)[0]} `));
    });
  }
});

describe('POST /api/v1/webhooks/:id/replays/:replay/cancel', () => {
  test('ends it; again it stays as it is', async () => {
    const hook = await webhook();
    const { id } = await begin(hook);
    const canceled = await post(`${hook.id}/replays/${id}/cancel`);
    assert.equal(canceled.status, 200);
    assert.equal(canceled.json.state, 'canceled');
    assert.match(canceled.json.finished_at, MICROS);
    assert.deepEqual((await post(`${hook.id}/replays/${id}/cancel`)).json, canceled.json);
    assert.deepEqual((await get(`${hook.id}/replays/${id}`)).json, canceled.json);
  });

  test('leaves one that is done as it is', async () => {
    const hook = await webhook();
    const { id } = await begin(hook);
    await database.query(
      `UPDATE webhook_replays SET state = 'queued', finished_at = now() WHERE webhook_id = $1`,
      [hook.uuid],
    );
    assert.equal((await post(`${hook.id}/replays/${id}/cancel`)).json.state, 'done');
  });

  test('needs both scopes', async () => {
    const hook = await webhook();
    const path = `${hook.id}/replays/${(await begin(hook)).id}`;
    for (const key of [ours.reader, ours.writer]) {
      assert.equal((await post(`${path}/cancel`, undefined, { key })).status, 403);
    }
    assert.equal((await get(path, { key: ours.writer })).status, 403);
    assert.equal((await get(path, { key: ours.reader })).json.state, 'running');
  });
});

test('a webhook or replay of another account, a deleted, a missing and a malformed one answer the same 404', async () => {
  const [hook, other, gone] = [await webhook(), await webhook(), await webhook()];
  const foreign = await webhook({}, { key: theirs.full });
  const { id } = await begin(hook);
  const goneId = (await begin(gone)).id;
  await call('DELETE', `/api/v1/webhooks/${gone.id}`, { key: ours.full });
  const theirId = (await replay(foreign, {}, { key: theirs.full })).json.id;
  const none = 'rpl_019bc1b2e4f07c1d8a96b5c4d3e2f1a0';
  const missing = await get(`${hook.id}/replays/${none}`);
  assertFailure(missing, 404, 'not_found');
  const paths = [
    `${other.id}/replays/${id}`,
    `${hook.id}/replays/${theirId}`,
    `${foreign.id}/replays/${theirId}`,
    `${foreign.id}/replays/${id}`,
    `${gone.id}/replays/${goneId}`,
    `${hook.id}/replays/x`,
    `x/replays/${id}`,
  ];
  for (const path of paths) {
    assert.deepEqual(shape(await get(path)), shape(missing), path);
    assert.deepEqual(shape(await post(`${path}/cancel`)), shape(missing), path);
  }
  for (const one of [foreign, gone, { id: 'x' }, { id: 'wh_019bc1b07d2e7f45a1c8e9b6d5041f3a' }]) {
    assert.deepEqual(shape(await get(`${one.id}/replays`)), shape(missing));
    assert.deepEqual(shape(await replay(one)), shape(missing));
  }
  const theirKey = { key: theirs.full };
  const stolen = await get(`${hook.id}/replays/${id}`, theirKey);
  assert.deepEqual(shape(stolen), shape(missing));
  const untouched = await get(`${foreign.id}/replays/${theirId}`, theirKey);
  assert.equal(untouched.json.state, 'running');
});

describe('a replay on a service that sends', async () => {
  const sending = await openScene({ role: 'all' });
  const receiver = await startReceiver();
  after(() => receiver.close());
  const day = { from: '2026-01-15T00:00:00Z', to: '2026-01-17T00:00:00Z' };

  test('delivers every event of the range with its own id, and counts it', async () => {
    const hook = await sending.webhook({ url: receiver.url });
    const told: string[] = [];
    for (let n = 0; n < 130; n++) told.push((await sending.event()).id);
    await sending.event({ type: 'campaign.paused' });
    await sending.event({ at: START_MS - 86_400_000 });
    const { id } = (await sending.post(`${hook.id}/replay`, day)).json;
    const done = await eventually(async () => {
      const { json } = await sending.get(`${hook.id}/replays/${id}`);
      assert.equal(json.state, 'done', JSON.stringify(json));
      return json;
    });
    assert.deepEqual(receiver.requests.map((request) => request.id).sort(), told.sort());
    const { queued, delivered, given_up, waiting, already_waiting } = done.progress;
    assert.deepEqual([queued, delivered, given_up, waiting, already_waiting], [130, 130, 0, 0, 0]);
    const { data } = (await sending.get(`${hook.id}/deliveries?limit=100`)).json;
    assert.ok(data.every((one: Json) => one.replay_id === id && one.state === 'delivered'));
    const again = `${hook.id}/deliveries/${data[0].id}/retry`;
    assert.equal((await sending.post(again)).status, 202);
    const repeated = await receiver.waitFor((request) => request.id === data[0].event_id);
    await eventually(async () => {
      const { json } = await sending.get(`${hook.id}/deliveries/${data[0].id}`);
      assert.deepEqual([json.state, json.attempt_count, json.replay_id], ['delivered', 2, null]);
    });
    assert.ok(repeated.length >= 1);
  });
});
