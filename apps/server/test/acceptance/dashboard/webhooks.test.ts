import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  eventually,
  type Json,
  openDashboard,
  startReceiver,
  startServer,
  type Visitor,
  visitor,
} from '../../support/index.ts';
import { uuidAt } from '../deliveries/scene.ts';

const { database, server, ours, theirs, people, as } = await openDashboard({
  env: { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'on' },
});
const receiver = await startReceiver();
after(() => receiver.close());
const [admin, member] = [as('admin'), as('member')];
const [viewer, stranger] = [as('viewer'), as('stranger')];

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const MISSING = 'wh_0198c0de000070008000000000dead00';
const at = (path = '', account = ours.id) => `/accounts/${account}/webhooks${path}`;

async function ok(who: Visitor, method: string, path: string, body?: unknown) {
  const answer = await who.call(method, path, { body });
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}

async function refused(
  who: Visitor,
  [method, path, body]: [method: string, path: string, body?: unknown],
  status: number,
): Promise<Json> {
  const answer = await who.call(method, path, { body });
  assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
  return answer.json;
}

const create = (fields: object = {}): Promise<Json> =>
  ok(admin, 'POST', at(), { url: receiver.url, events: ['lead.created'], ...fields });

let leads = 0;
async function postLead(): Promise<void> {
  const id = `lead-${++leads}`;
  const body = { campaign_id: 1, external_lead_id: id, email: `${id}@example.com` };
  const answer = await server.call('POST', '/api/v1/insertion/leads', { key: ours.full, body });
  assert.equal(answer.status, 201, answer.text);
}

/** A campaign was started long ago, so that a replay need not wait for what may still commit. */
const oldEvent = (ms: number) =>
  database.query(
    `INSERT INTO events (account_id, id, type, occurred_at, campaign)
     VALUES ($1, $2, 'campaign.started', $3, $4)`,
    [
      ...[ours.id, uuidAt(ms), new Date(ms).toISOString()],
      JSON.stringify({ id: 1, account_id: ours.id, name: 'Spring', state: 'active' }),
    ],
  );

const deliveriesOf = async (id: string, query = ''): Promise<Json[]> =>
  (await ok(viewer, 'GET', at(`/${id}/deliveries${query}`))).data;

/** Waits until the newest delivery of a webhook has a state. @returns it */
const newest = (id: string, state: string): Promise<Json> =>
  eventually(async () => {
    const [found] = await deliveriesOf(id);
    assert.equal(found?.state, state);
    return found as Json;
  });

describe('a webhook on the dashboard', () => {
  test('shows its secret when it is made and when it is rotated, and nowhere else', async () => {
    const { secret, ...webhook } = await create({ description: 'The CRM' });
    assert.match(secret, SECRET);
    const rotated = await ok(admin, 'POST', at(`/${webhook.id}/rotate-secret`));
    assert.match(rotated.secret, SECRET);
    assert.notEqual(rotated.secret, secret);
    assert.ok(rotated.previous_secret_until > rotated.updated_at);
    const shown = [
      await ok(admin, 'GET', at()),
      await ok(admin, 'GET', at(`/${webhook.id}`)),
      await ok(admin, 'PATCH', at(`/${webhook.id}`), { description: null }),
    ];
    assert.doesNotMatch(JSON.stringify(shown), /whsec_|"secret|previous_secret/);
    assert.doesNotMatch(server.logs(), /whsec_/);
  });

  test('is changed, paused, activated and deleted', async () => {
    const { id } = await create();
    const paused = await ok(admin, 'PATCH', at(`/${id}`), { active: false });
    assert.deepEqual([paused.active, paused.inactive_reason], [false, 'requested']);
    const active = await ok(admin, 'PATCH', at(`/${id}`), {
      active: true,
      events: ['lead.updated', 'campaign.paused'],
    });
    assert.deepEqual([active.active, active.inactive_reason], [true, null]);
    const { health, events } = await ok(viewer, 'GET', at(`/${id}`));
    assert.deepEqual(events, ['lead.updated', 'campaign.paused']);
    assert.deepEqual(health, { failures: 0, waiting: 0, next_attempt_at: null });
    assert.deepEqual(await ok(admin, 'DELETE', at(`/${id}`)), { id, deleted: true });
    await refused(viewer, ['GET', at(`/${id}`)], 404);
  });

  test('with bad fields is refused, each error at its field', async () => {
    const body = { url: 'ftp://x', events: [], description: 'x'.repeat(501), secret: 'mine' };
    const { errors } = await refused(admin, ['POST', at(), body], 400);
    const paths = errors.map(({ path }: Json) => path);
    assert.deepEqual(paths.sort(), ['description', 'events', 'secret', 'url']);
    const { id } = await create();
    const change = await refused(admin, ['PATCH', at(`/${id}`), { url: 'http://u:p@x/' }], 400);
    assert.equal(change.errors[0].path, 'url');
    await refused(admin, ['PATCH', at(`/${id}`), {}], 400);
  });

  test('to a private address, or by plain http, is refused where the service does not allow it', async (t) => {
    const env = { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'off', LEADWIRE_ROLE: 'api' };
    const strict = await startServer({ database, env });
    t.after(() => strict.stop());
    const who = visitor(strict, people.admin.cookie);
    for (const url of ['https://127.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'http://example.com/']) {
      const body = { url, events: ['lead.created'] };
      const { errors } = await refused(who, ['POST', at(), body], 400);
      assert.deepEqual([errors.length, errors[0].path], [1, 'url'], url);
    }
  });
});

describe('deliveries on the dashboard', () => {
  test('show the body, each attempt with its answer as text, and are sent again on request', async () => {
    const page = '<script>alert(1)</script>';
    receiver.respond({ status: 500, headers: { 'content-type': 'text/html' }, body: page });
    const { id } = await create();
    await postLead();
    const { id: delivery, next_attempt_at } = await newest(id, 'retrying');
    assert.ok(next_attempt_at);
    await eventually(async () => {
      const { webhooks } = await ok(viewer, 'GET', at());
      const { failing_since, health } = webhooks.find((one: Json) => one.id === id);
      assert.ok(failing_since);
      assert.deepEqual(health, { failures: 1, waiting: 1, next_attempt_at });
    });
    receiver.respond(204);
    await ok(member, 'POST', at(`/${id}/deliveries/${delivery}/retry`));
    await newest(id, 'delivered');
    const { attempts, event } = await ok(viewer, 'GET', at(`/${id}/deliveries/${delivery}`));
    const seen = attempts.map((one: Json) => [one.outcome, one.status, one.answer]);
    assert.deepEqual(seen, [
      ['failed', 500, page],
      ['succeeded', 204, ''],
    ]);
    assert.equal(event.data.lead.external_lead_id, `lead-${leads}`);
    await eventually(async () =>
      assert.equal((await ok(viewer, 'GET', at(`/${id}`))).failing_since, null),
    );
    await ok(admin, 'DELETE', at(`/${id}`));
  });

  test('are paged and filtered; what is no cursor is refused', async () => {
    const { id } = await create();
    await postLead();
    await postLead();
    await eventually(async () =>
      assert.equal((await deliveriesOf(id, '?state=delivered')).length, 2),
    );
    const first = await ok(viewer, 'GET', at(`/${id}/deliveries?limit=1`));
    const second = await ok(
      viewer,
      'GET',
      at(`/${id}/deliveries?limit=1&cursor=${first.nextCursor}`),
    );
    assert.equal(second.nextCursor, null);
    assert.ok(first.data[0].created_at > second.data[0].created_at);
    const of = `?event_id=${second.data[0].event_id}`;
    assert.deepEqual(await deliveriesOf(id, of), second.data);
    for (const query of ['?state=given_up', '?type=campaign.paused', '?state=waiting']) {
      assert.deepEqual(await deliveriesOf(id, query), [], query);
    }
    for (const query of ['?cursor=x', '?state=sent', '?limit=1000', '?sort=up', '?event_id=1']) {
      await refused(viewer, ['GET', at(`/${id}/deliveries${query}`)], 400);
    }
    await ok(admin, 'DELETE', at(`/${id}`));
  });

  test('of a test are told at once, and stored nowhere', async () => {
    const { id } = await create();
    receiver.respond({ status: 418, body: 'I am a teapot' });
    const told = await ok(member, 'POST', at(`/${id}/test`), { type: 'campaign.paused' });
    receiver.respond(204);
    assert.deepEqual(
      [told.succeeded, told.status, told.error, told.answer],
      [false, 418, 'status', 'I am a teapot'],
    );
    assert.equal((await ok(member, 'POST', at(`/${id}/test`), {})).succeeded, true);
    assert.deepEqual(await deliveriesOf(id), []);
    await ok(admin, 'DELETE', at(`/${id}`));
  });

  test('of a range are replayed; the replay is found again, with how far it came', async () => {
    for (const second of [1, 2]) await oldEvent(Date.UTC(2026, 0, 15, 10, 0, second));
    const { id } = await create({ events: ['campaign.started'] });
    const range = { from: '2026-01-15T00:00:00Z', to: '2026-01-16T00:00:00+00:00' };
    const started = await ok(member, 'POST', at(`/${id}/replays`), range);
    const done = await eventually(async () => {
      const { replays } = await ok(viewer, 'GET', at(`/${id}/replays`));
      assert.deepEqual([replays.length, replays[0].state], [1, 'done']);
      return replays[0];
    });
    assert.equal(done.id, started.id);
    assert.deepEqual([done.progress.queued, done.progress.delivered], [2, 2]);
    const canceled = await ok(member, 'POST', at(`/${id}/replays/${done.id}/cancel`));
    assert.equal(canceled.state, 'done');
    const ahead = { ...range, to: '2999-01-01T00:00:00Z' };
    const { errors } = await refused(member, ['POST', at(`/${id}/replays`), ahead], 400);
    assert.equal(errors[0].path, 'to');
    await ok(admin, 'DELETE', at(`/${id}`));
  });

  test('are not sent again, nor replayed, while the webhook is inactive', async () => {
    const { id } = await create();
    await postLead();
    const { id: delivery } = await newest(id, 'delivered');
    await ok(admin, 'PATCH', at(`/${id}`), { active: false });
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    for (const [path, body] of [
      [`/${id}/deliveries/${delivery}/retry`],
      [`/${id}/replays`, range],
    ] as const) {
      const { message } = await refused(member, ['POST', at(path), body], 409);
      assert.match(message, /inactive.*Activate it first/);
    }
  });
});

describe('who may what with webhooks', () => {
  test('a viewer reads, a member sends, an admin changes', async () => {
    const { id } = await create();
    const sending: [string, string, unknown?][] = [
      ['POST', at(`/${id}/test`), {}],
      ['POST', at(`/${id}/replays`), { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }],
    ];
    const changing: [string, string, unknown?][] = [
      ['POST', at(), { url: receiver.url, events: ['lead.created'] }],
      ['PATCH', at(`/${id}`), { active: false }],
      ['POST', at(`/${id}/rotate-secret`)],
      ['DELETE', at(`/${id}`)],
    ];
    for (const request of [...sending, ...changing]) {
      assert.match((await refused(viewer, request, 403)).error, /^permission_required:/);
    }
    for (const request of changing) {
      const { error } = await refused(member, request, 403);
      assert.equal(error, 'permission_required:webhooks.change');
    }
    for (const [method, path, body] of sending) await ok(member, method, path, body);
    assert.equal((await ok(viewer, 'GET', at(`/${id}`))).active, true);
    await ok(admin, 'DELETE', at(`/${id}`));
  });

  test('nothing of an account is there for others, by its address or through their own', async () => {
    const { id } = await create();
    await postLead();
    const { id: delivery } = await newest(id, 'delivered');
    const requests = (account: string): [string, string, unknown?][] => [
      ['GET', at(`/${id}`, account)],
      ['PATCH', at(`/${id}`, account), { active: false }],
      ['POST', at(`/${id}/rotate-secret`, account)],
      ['POST', at(`/${id}/test`, account), {}],
      ['GET', at(`/${id}/deliveries`, account)],
      ['GET', at(`/${id}/deliveries/${delivery}`, account)],
      ['POST', at(`/${id}/deliveries/${delivery}/retry`, account)],
      ['GET', at(`/${id}/replays`, account)],
      ['DELETE', at(`/${id}`, account)],
    ];
    for (const request of [...requests(ours.id), ...requests(theirs.id)]) {
      assert.equal((await refused(stranger, request, 404)).error, 'not_found');
    }
    assert.deepEqual(await ok(stranger, 'GET', at('', theirs.id)), { webhooks: [] });
    await refused(admin, ['GET', at(`/${MISSING}`)], 404);
    assert.equal((await ok(viewer, 'GET', at(`/${id}`))).active, true);
  });

  test('where the feature is off each address says so, until it is on again', async () => {
    const set = (on: boolean) =>
      database.query(
        `UPDATE accounts SET features = features || jsonb_build_object('webhooks', $2::boolean) WHERE id = $1`,
        [ours.id, on],
      );
    await set(false);
    for (const path of [at(), at(`/${MISSING}`), at(`/${MISSING}/deliveries`)]) {
      const { error, message } = await refused(admin, ['GET', path], 404);
      assert.equal(error, 'feature_off');
      assert.match(message, /switched off/);
    }
    await set(true);
    await ok(admin, 'GET', at());
  });
});
