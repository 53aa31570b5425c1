import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/index.ts';
import {
  FAILING_SINCE,
  MICROS,
  openScene,
  SECRET,
  WEBHOOK_ID,
  webhookBody,
  withoutSecret,
} from './scene.ts';

const { post, get, list, patch, remove, create, stored, markFailing, deactivate, theirs } =
  await openScene();

describe('POST /api/v1/webhooks', () => {
  test('answers 201 with the Webhook and its secret, and nothing around it', async () => {
    const body = {
      url: 'https://CRM.example.com:8443/a%20b?x=1#top',
      events: ['lead.updated', 'campaign.paused', 'lead.created'],
      description: 'Der große Empfänger 😀',
    };
    const answer = await post(body);
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { id, secret, created_at } = answer.json;
    assert.match(id, WEBHOOK_ID);
    assert.match(secret, SECRET);
    assert.match(created_at, MICROS);
    assert.deepEqual(answer.json, {
      ...{ id, ...body, active: true, inactive_reason: null, failing_since: null },
      ...{ created_at, updated_at: created_at, secret },
    });
    const { secret: _shown, ...webhook } = answer.json;
    assert.deepEqual((await get(id)).json, webhook);
  });

  test('takes url and events alone: no description, and active', async () => {
    const { description, active, inactive_reason } = await create();
    assert.deepEqual([description, active, inactive_reason], [null, true, null]);
  });

  test('makes one inactive where that is asked for', async () => {
    const { active, inactive_reason } = await create({ active: false, description: null });
    assert.deepEqual([active, inactive_reason], [false, 'requested']);
  });

  test('takes a url of 2048 characters, a description of 500 and every event', async () => {
    const url = `https://crm.example.com/${'x'.repeat(2048 - 24)}`;
    const events = [
      ...['campaign.paused', 'campaign.started'],
      ...['lead.converted', 'lead.updated', 'lead.created'],
    ];
    const webhook = await create({ url, events, description: '😀'.repeat(500) });
    assert.equal(webhook.url, url);
    assert.deepEqual(webhook.events, events);
    assert.equal(webhook.description, '😀'.repeat(500));
  });

  test('makes a webhook of its own each time, with a secret of its own', async () => {
    const body = webhookBody();
    const made = await Promise.all(Array.from({ length: 5 }, () => create(body)));
    assert.equal(new Set(made.map(({ id }) => id)).size, 5);
    assert.equal(new Set(made.map(({ secret }) => secret)).size, 5);
  });
});

describe('GET /api/v1/webhooks', () => {
  test('lists the webhooks of the account, newest first, each as GET of one shows it', async () => {
    const first = await create({}, { key: theirs.full });
    const second = await create({ active: false }, { key: theirs.full });
    const answer = await list('', { key: theirs.full });
    assert.equal(answer.status, 200);
    const data = [withoutSecret(second), withoutSecret(first)];
    assert.deepEqual(answer.json, { data, nextCursor: null });
    assert.deepEqual((await get(first.id, { key: theirs.full })).json, data[1]);
  });

  test('in pages shows each exactly once, and null after the last, also where it is exactly full', async () => {
    for (let n = 0; n < 4; n++) await create();
    const all = (await list('?limit=100')).json.data;
    for (const limit of [1, 3, all.length]) {
      const seen: Json[] = [];
      let query = `?limit=${limit}`;
      for (;;) {
        const { data, nextCursor } = (await list(query)).json;
        assert.ok(data.length <= limit);
        seen.push(...data);
        if (nextCursor === null) break;
        query = `?limit=${limit}&cursor=${nextCursor}`;
      }
      assert.deepEqual(seen, all);
    }
  });

  test('has no deleted ones, and a cursor goes on where its own was deleted', async () => {
    for (let n = 0; n < 3; n++) await create();
    const all = (await list('?limit=100')).json.data;
    const { data, nextCursor } = (await list('?limit=2')).json;
    await remove(data[1].id);
    const rest = (await list(`?limit=100&cursor=${nextCursor}`)).json.data;
    assert.deepEqual(rest, all.slice(2));
    assert.deepEqual((await list('?limit=100')).json.data, [data[0], ...rest]);
  });
});

describe('PATCH /api/v1/webhooks/:id', () => {
  test('changes what is sent, keeps the rest, and answers the Webhook without its secret', async () => {
    const created = withoutSecret(await create({ description: 'a' }));
    const changes = [
      { url: 'https://other.example.com/' },
      { events: ['lead.converted', 'lead.created'] },
      { description: 'b' },
      { description: null },
      { url: 'https://last.example.com/', events: ['campaign.started'], description: 'c' },
    ];
    let expected = created;
    for (const change of changes) {
      const answer = await patch(created.id, change);
      assert.equal(answer.status, 200, answer.text);
      const { updated_at } = answer.json;
      assert.ok(updated_at > expected.updated_at);
      expected = { ...expected, ...change, updated_at };
      assert.deepEqual(answer.json, expected);
      assert.deepEqual((await get(created.id)).json, expected);
    }
  });

  test('that changes nothing answers 200 and writes nothing', async () => {
    const created = withoutSecret(await create({ description: 'a', active: false }));
    const before = await stored(created.id);
    const { url, events, description, active } = created;
    for (const body of [{ url }, { events }, { description }, { active }, { url, events }]) {
      const answer = await patch(created.id, body);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json, created);
    }
    assert.deepEqual(await stored(created.id), before);
  });

  test('with active false makes it inactive by request, with active true active again', async () => {
    const { id } = await create();
    const off = (await patch(id, { active: false })).json;
    assert.deepEqual([off.active, off.inactive_reason], [false, 'requested']);
    const on = (await patch(id, { active: true })).json;
    assert.deepEqual([on.active, on.inactive_reason], [true, null]);
  });

  for (const reason of ['gone', 'failing'] as const) {
    test(`shows that it is ${reason}, keeps that through other changes, and forgets it with active true`, async () => {
      const { id } = await create();
      await deactivate(id, reason);
      await markFailing(id);
      const shown = (await get(id)).json;
      assert.deepEqual(
        [shown.active, shown.inactive_reason, shown.failing_since],
        [false, reason, FAILING_SINCE],
      );
      const kept = (await patch(id, { description: 'x', active: false })).json;
      assert.deepEqual([kept.inactive_reason, kept.failing_since], [reason, FAILING_SINCE]);
      const on = (await patch(id, { active: true })).json;
      assert.deepEqual([on.active, on.inactive_reason, on.failing_since], [true, null, null]);
      assert.deepEqual((await get(id)).json, on);
      assert.equal((await stored(id)).failures, 0);
    });
  }

  test('of the url gives the endpoint a fresh start; of anything else, or the same url, does not', async () => {
    const { id, url } = await create();
    await markFailing(id);
    for (const body of [{ description: 'x' }, { events: ['lead.updated'] }, { url }]) {
      const { failing_since } = (await patch(id, { ...body, active: true })).json;
      assert.equal(failing_since, FAILING_SINCE, JSON.stringify(body));
    }
    const fresh = (await patch(id, { url: 'https://fresh.example.com/' })).json;
    assert.equal(fresh.failing_since, null);
    assert.equal((await get(id)).json.failing_since, null);
    assert.equal((await stored(id)).failures, 0);
  });

  test('moves the time of the subscription with events and active, and with nothing else', async () => {
    const { id } = await create();
    const since = async () => Number((await stored(id)).subscribed_at);
    let last = await since();
    for (const body of [{ description: 'x' }, { url: 'https://other.example.com/' }]) {
      await patch(id, body);
      assert.equal(await since(), last);
    }
    for (const body of [{ events: ['lead.updated'] }, { active: false }, { active: true }]) {
      await patch(id, body);
      assert.ok((await since()) > last, JSON.stringify(body));
      last = await since();
    }
  });
});

describe('DELETE /api/v1/webhooks/:id', () => {
  test('answers 200 with exactly id and deleted', async () => {
    const { id } = await create();
    const answer = await remove(id);
    assert.equal(answer.status, 200);
    assert.equal(answer.text, JSON.stringify({ id, deleted: true }));
  });

  test('works on an inactive one too', async () => {
    const { id } = await create({ active: false });
    assert.equal((await remove(id)).status, 200);
    assert.equal((await get(id)).status, 404);
  });

  test('leaves no secret in the store', async () => {
    const { id } = await create();
    await remove(id);
    const row = await stored(id);
    assert.ok(row.deleted_at);
    assert.equal(row.active, false);
    assert.deepEqual([row.secret_encrypted, row.previous_secret_encrypted], [null, null]);
  });
});
