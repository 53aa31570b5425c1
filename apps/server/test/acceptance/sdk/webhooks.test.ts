import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  AuthenticationError,
  NotFoundError,
  ScopeError,
  ValidationError,
  verifyWebhook,
} from '@leadwire/sdk';
import { eventually, type Received } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { all, startScene } from './scene.ts';

const scene = await startScene();
const { leadwire, ours } = scene;
const { webhooks } = leadwire;
after(() => scene.close());

/** A webhook whose endpoint answers as told, and which hears of leads alone. */
async function hookFor(respond: number = 204) {
  const receiver = await scene.receiver({ respond });
  const hook = await webhooks.create({ url: receiver.url, events: ['lead.created'] });
  return { receiver, hook };
}

/** A lead, and the request that told of it. */
async function told({ receiver }: Awaited<ReturnType<typeof hookFor>>) {
  const { lead } = await leadwire.leads.insert(newLead({ first_name: 'Zoë 🦊' }));
  const [request] = await receiver.waitFor(({ json }) => json.data.lead.id === lead.id);
  assert.ok(request);
  return { lead, request };
}

describe('a webhook', () => {
  test('is created, read, listed, changed and deleted', async () => {
    const { hook } = await hookFor();
    assert.match(hook.secret, /^whsec_/);
    const { secret, ...shown } = hook;
    assert.deepEqual(await webhooks.get(hook.id), shown);
    const pages = await all(webhooks.list({ limit: 1 }));
    assert.ok(pages.some(({ data }) => data[0]?.id === hook.id));
    const changed = await webhooks.update(hook.id, { active: false, description: 'Off' });
    assert.deepEqual([changed.active, changed.description], [false, 'Off']);
    assert.deepEqual(await webhooks.delete(hook.id), { id: hook.id, deleted: true });
    await assert.rejects(webhooks.get(hook.id), NotFoundError);
    await assert.rejects(webhooks.delete(hook.id), NotFoundError);
  });

  test('that is none is refused with the fields that are wrong', async () => {
    await assert.rejects(webhooks.create({ url: 'nowhere', events: [] }), (error) => {
      assert.ok(error instanceof ValidationError);
      assert.deepEqual(
        error.errors.map(({ path }) => path),
        ['url', 'events'],
      );
      return true;
    });
    const { hook } = await hookFor();
    await assert.rejects(webhooks.update(hook.id, { url: 'nowhere' }), ValidationError);
  });

  test('is not changed with a key that only reads', async () => {
    const reader = scene.clientOf(ours.reader);
    const { hook } = await hookFor();
    await assert.rejects(reader.webhooks.rotateSecret(hook.id), ScopeError);
    assert.equal((await reader.webhooks.get(hook.id)).id, hook.id);
  });

  test('is asked for with a valid key alone', async () => {
    const stranger = scene.clientOf({ ...ours.full, secret_key: 'lwsk_none' });
    await assert.rejects(all(stranger.webhooks.list()), AuthenticationError);
  });

  test('sends a sample, which verifies', async () => {
    const { receiver, hook } = await hookFor();
    const answer = await webhooks.test(hook.id, { type: 'campaign.started' });
    assert.deepEqual([answer.succeeded, answer.status], [true, 204]);
    const [request] = await receiver.waitFor(1);
    assert.ok(request);
    const event = await verifyWebhook(request.body, request.headers, hook.secret);
    assert.equal(event.id, answer.event_id);
    assert.equal(event.type === 'campaign.started' && typeof event.data.campaign.name, 'string');
    assert.equal((await webhooks.test(hook.id)).succeeded, true);
  });
});

describe('verifyWebhook', () => {
  test('accepts what the worker sends, and types it', async () => {
    const scene = await hookFor();
    const { lead, request } = await told(scene);
    const event = await verifyWebhook(request.body, request.headers, scene.hook.secret);
    assert.ok(event.type === 'lead.created');
    assert.deepEqual(event.data.lead, lead);
  });

  test('accepts either secret while one replaces another', async () => {
    const scene = await hookFor();
    const rotated = await webhooks.rotateSecret(scene.hook.id);
    assert.ok(Date.parse(rotated.previous_secret_until) > Date.now());
    const { request } = await told(scene);
    for (const secret of [scene.hook.secret, rotated.secret]) {
      await verifyWebhook(request.body, request.headers, secret);
    }
  });

  test('refuses what was tampered with', async () => {
    const scene = await hookFor();
    const { request } = await told(scene);
    const { headers, body } = request;
    const other = (await hookFor()).hook.secret;
    const later = String(Number(request.timestamp) + 1);
    const tampered: [string, Partial<Received>, string][] = [
      ['invalid_signature', { body: body.replace('Zoë', 'Zoe') }, scene.hook.secret],
      ['invalid_signature', { headers: { ...headers, 'webhook-id': 'evt_0' } }, scene.hook.secret],
      [
        'invalid_signature',
        { headers: { ...headers, 'webhook-timestamp': later } },
        scene.hook.secret,
      ],
      ['invalid_signature', {}, other],
      [
        'missing_header',
        { headers: { ...headers, 'webhook-signature': undefined } },
        scene.hook.secret,
      ],
    ];
    for (const [code, change, secret] of tampered) {
      const sent = { ...request, ...change };
      await assert.rejects(verifyWebhook(sent.body, sent.headers, secret), { code });
    }
  });
});

describe('deliveries and replays', () => {
  test('what became of an event is listed, read, and sent again', async () => {
    const scene = await hookFor(500);
    const { lead } = await told(scene);
    const { id } = scene.hook;
    const delivery = await eventually(async () => {
      const [page] = await all(webhooks.deliveries(id, { state: 'retrying' }));
      const [first] = page?.data ?? [];
      assert.ok(first);
      return first;
    });
    const detail = await webhooks.delivery(id, delivery.id);
    assert.equal(detail.attempts[0]?.status, 500);
    assert.ok(detail.event.type === 'lead.created' && detail.event.data.lead.id === lead.id);
    scene.receiver.respond(204);
    assert.equal((await webhooks.retryDelivery(id, delivery.id)).id, delivery.id);
    await eventually(async () =>
      assert.equal((await webhooks.delivery(id, delivery.id)).state, 'delivered'),
    );
  });

  test('a replay is made, read, listed and stopped', async () => {
    const scene = await hookFor();
    await told(scene);
    const { id } = scene.hook;
    const to = new Date().toISOString();
    const replay = await webhooks.replay(id, { from: '2026-01-01T00:00:00Z', to });
    assert.equal((await webhooks.getReplay(id, replay.id)).webhook_id, id);
    const [page] = await all(webhooks.replays(id));
    assert.deepEqual(
      page?.data.map((one) => one.id),
      [replay.id],
    );
    assert.equal((await webhooks.cancelReplay(id, replay.id)).id, replay.id);
  });

  test('of a webhook, delivery or replay that is not there are not found', async () => {
    const { hook } = await hookFor();
    const gone = 'wh_019bc1b07d2e7f45a1c8e9b6d5041f3a';
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    for (const call of [
      () => all(webhooks.deliveries(gone)),
      () => all(webhooks.replays(gone)),
      () => webhooks.delivery(hook.id, 'dlv_none/'),
      () => webhooks.retryDelivery(hook.id, 'dlv_none'),
      () => webhooks.getReplay(hook.id, 'rpl_none'),
      () => webhooks.cancelReplay(hook.id, 'rpl_none'),
      () => webhooks.replay(gone, range),
      () => webhooks.test(gone),
      () => webhooks.rotateSecret(gone),
    ]) {
      await assert.rejects(call, NotFoundError);
    }
    const backwards = { from: range.to, to: range.from };
    await assert.rejects(webhooks.replay(hook.id, backwards), ValidationError);
  });
});

describe('events.list', () => {
  test('gives every event once, oldest first, and goes on where it ended', async () => {
    const [begin] = await all(leadwire.events.list({ from: 'now' }));
    assert.ok(begin);
    assert.deepEqual(begin.data, []);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await leadwire.leads.insert(newLead())).lead.id);
    await eventually(async () => {
      const filter = { cursor: begin.nextCursor, type: 'lead.created', limit: 2 };
      const pages = await all(leadwire.events.list(filter));
      const found = pages.flatMap(({ data }) =>
        data.map((event) => ('lead' in event.data ? event.data.lead.id : '')),
      );
      assert.deepEqual(found, ids);
      assert.ok(pages.length >= 3);
      const cursor = pages.at(-1)?.nextCursor ?? '';
      assert.deepEqual((await all(leadwire.events.list({ cursor })))[0]?.data, []);
    });
  });

  test('refuses what is no cursor', async () => {
    await assert.rejects(all(leadwire.events.list({ cursor: '!' })), ValidationError);
  });
});
