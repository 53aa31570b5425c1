import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { cliJson, eventually, type Json } from '../../support/index.ts';
import { MICROS, openScene, START_MS, shape, walk } from './scene.ts';

const scene = await openScene();
const { database, get, webhook, event, waits, tried, ours, theirs, call } = scene;

const list = async (hook: Json, query = ''): Promise<Json> => {
  const answer = await get(`${hook.id}/deliveries${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const eventsOf = (data: Json[]): string[] => data.map((one) => one.event_id);

describe('GET /api/v1/webhooks/:id/deliveries', () => {
  test('shows what waits and what the log holds, newest event first, each event once', async () => {
    const hook = await webhook();
    const [delivered, givenUp, retrying, waiting] = [
      await event(),
      await event(),
      await event(),
      await event(),
    ];
    await tried(hook, delivered, { outcome: 'failed', at: START_MS + 100 });
    await tried(hook, delivered, { at: START_MS + 5100 });
    await tried(hook, givenUp, { outcome: 'given_up', error: 'timeout', status: null });
    await tried(hook, retrying, { outcome: 'failed' });
    await waits(hook, retrying, 1);
    await waits(hook, waiting);
    const { data, nextCursor } = await list(hook);
    assert.equal(nextCursor, null);
    assert.deepEqual(
      data.map((one: Json) => [
        one.event_id,
        one.state,
        one.attempt_count,
        one.last_status,
        one.last_error,
      ]),
      [
        [waiting.id, 'waiting', 0, null, null],
        [retrying.id, 'retrying', 1, 500, 'status'],
        [givenUp.id, 'given_up', 1, null, 'timeout'],
        [delivered.id, 'delivered', 2, 204, null],
      ],
    );
    for (const one of data) {
      assert.match(one.id, /^dlv_[A-Za-z0-9_-]{43}$/);
      assert.equal(one.webhook_id, hook.id);
      assert.equal(one.event_type, 'campaign.started');
      assert.equal(one.next_attempt_at !== null, ['waiting', 'retrying'].includes(one.state));
    }
    assert.equal(data[3].created_at, delivered.at);
    assert.equal(data[3].last_attempt_at, '2026-01-15T10:00:05.100000Z');
    assert.match(data[0].next_attempt_at, MICROS);
  });

  test('shows nothing of another webhook, nor of an event that the webhook was not told of', async () => {
    const [hook, other] = [await webhook(), await webhook()];
    const [told, untold] = [await event(), await event()];
    await waits(hook, told);
    await tried(other, untold);
    assert.deepEqual(eventsOf((await list(hook)).data), [told.id]);
    assert.deepEqual(eventsOf((await list(other)).data), [untold.id]);
    assert.deepEqual(await list(await webhook()), { data: [], nextCursor: null });
  });

  describe('filters', () => {
    const filtered = async (hook: Json, query: string) => eventsOf((await list(hook, query)).data);

    test('by state: what waits anew after it was delivered or given up is waiting alone', async () => {
      const hook = await webhook();
      const made: Record<string, { uuid: string; id: string }> = {};
      for (const name of ['done', 'lost', 'again', 'revived', 'new', 'trying', 'lostThenDone']) {
        made[name] = await event();
      }
      const { done, lost, again, revived, new: fresh, trying, lostThenDone } = made as Json;
      await tried(hook, done, { outcome: 'failed', at: START_MS });
      await tried(hook, done);
      await tried(hook, lost, { outcome: 'given_up' });
      await tried(hook, again);
      await waits(hook, again);
      await tried(hook, revived, { outcome: 'given_up' });
      await waits(hook, revived);
      await waits(hook, fresh);
      await tried(hook, trying, { outcome: 'failed' });
      await waits(hook, trying, 1);
      await tried(hook, lostThenDone, { outcome: 'given_up', at: START_MS });
      await tried(hook, lostThenDone);
      assert.deepEqual(await filtered(hook, '?state=delivered'), [lostThenDone.id, done.id]);
      assert.deepEqual(await filtered(hook, '?state=given_up'), [lost.id]);
      assert.deepEqual(await filtered(hook, '?state=waiting'), [fresh.id, revived.id, again.id]);
      assert.deepEqual(await filtered(hook, '?state=retrying'), [trying.id]);
      const { data } = await list(hook);
      for (const state of ['delivered', 'given_up', 'waiting', 'retrying']) {
        const alike = data.filter((one: Json) => one.state === state);
        assert.deepEqual((await list(hook, `?state=${state}`)).data, alike);
      }
    });

    test('what failed and waits no more is given up', async () => {
      const hook = await webhook();
      const left = await event();
      await tried(hook, left, { outcome: 'failed' });
      assert.equal((await list(hook)).data[0].state, 'given_up');
      assert.deepEqual(await filtered(hook, '?state=given_up'), [left.id]);
    });

    test('by type, by event, and by the time of the event, both ends excluded; also together', async () => {
      const hook = await webhook();
      const at = START_MS + 86_400_000;
      const first = await event({ at, type: 'campaign.paused' });
      const second = await event({ at: at + 1000 });
      const third = await event({ at: at + 2000, type: 'campaign.paused' });
      await tried(hook, first);
      await tried(hook, second, { outcome: 'given_up' });
      await waits(hook, third);
      const times = (after: string, before: string) =>
        `?created_after=${after}&created_before=${before}`;
      assert.deepEqual(await filtered(hook, '?type=campaign.paused'), [third.id, first.id]);
      assert.deepEqual(await filtered(hook, '?type=lead.created'), []);
      for (const one of [first, second, third]) {
        assert.deepEqual(await filtered(hook, `?event_id=${one.id}`), [one.id]);
      }
      assert.deepEqual(await filtered(hook, `?event_id=${(await event()).id}`), []);
      assert.deepEqual(await filtered(hook, times(first.at, third.at)), [second.id]);
      assert.deepEqual(await filtered(hook, `?created_after=${second.at}`), [third.id]);
      assert.deepEqual(await filtered(hook, `?created_before=${second.at}`), [first.id]);
      assert.deepEqual(await filtered(hook, '?created_before=0001-01-01T00:00:00Z'), []);
      assert.deepEqual(await filtered(hook, '?created_after=9999-12-31T00:00:00Z'), []);
      const both = `?type=campaign.paused&state=waiting&created_after=${first.at}`;
      assert.deepEqual(await filtered(hook, both), [third.id]);
      assert.deepEqual(await filtered(hook, `?event_id=${third.id}&state=delivered`), []);
    });
  });

  describe('pages', () => {
    const seen = (pages: Json[][]) => eventsOf(pages.flat());

    async function many(hook: Json, count: number): Promise<string[]> {
      const ids: string[] = [];
      for (let n = 0; n < count; n++) {
        const one = await event();
        ids.unshift(one.id);
        if (n % 3 === 0) await waits(hook, one, n % 2);
        if (n % 3 !== 0 || n % 2 === 1) {
          await tried(hook, one, { outcome: n % 5 === 0 ? 'given_up' : 'succeeded' });
        }
      }
      return ids;
    }

    test('of every size show each delivery once, in one order, under every filter', async () => {
      const hook = await webhook();
      const ids = await many(hook, 31);
      assert.equal((await list(hook)).data.length, 25);
      for (const limit of [1, 7, 30, 31, 100]) {
        const pages = await walk((cursor) => list(hook, `?limit=${limit}${cursor}`));
        assert.deepEqual(seen(pages), ids);
        assert.equal(pages.length, Math.ceil(31 / limit));
      }
      const { data } = await list(hook, '?limit=100');
      for (const state of ['waiting', 'retrying', 'delivered', 'given_up']) {
        const expected = eventsOf(data.filter((one: Json) => one.state === state));
        assert.ok(expected.length > 2, state);
        const pages = await walk((cursor) => list(hook, `?limit=2&state=${state}${cursor}`));
        assert.deepEqual(seen(pages), expected);
      }
    });

    test('skip nothing where some events have many attempts and older ones wait', async () => {
      const hook = await webhook();
      const ids: string[] = [];
      for (let n = 0; n < 12; n++) {
        const one = await event();
        ids.unshift(one.id);
        if (n < 5) await waits(hook, one);
        else
          for (let m = 0; m < 12; m++)
            await tried(hook, one, { outcome: 'failed', at: START_MS + m });
      }
      for (const limit of [1, 3, 5]) {
        const pages = await walk((cursor) => list(hook, `?limit=${limit}${cursor}`));
        assert.deepEqual(seen(pages), ids);
      }
    });

    test('show each delivery that stays as it is exactly once, while others come, are sent and end', async () => {
      const hook = await webhook();
      const steady = await many(hook, 40);
      const moving: { uuid: string }[] = [];
      for (let n = 0; n < 20; n++) moving.push(await event({ at: START_MS - 60_000 + n }));
      for (const one of moving) await waits(hook, one);
      let turn = 0;
      const pages = await walk(async (cursor) => {
        const page = await list(hook, `?limit=3${cursor}`);
        const next = moving[turn++];
        if (next) {
          await tried(hook, next);
          await database.query('DELETE FROM deliveries WHERE event_id = $1', [next.uuid]);
        }
        await waits(hook, await event());
        return page;
      });
      const shown = seen(pages);
      assert.equal(new Set(shown).size, shown.length);
      assert.deepEqual(shown.slice(0, 40), steady);
      // One that is sent between two pages is shown as it was or as it is, never left out.
      assert.equal(shown.length, 60);
    });

    test('are bounded in what they look at: a rare state comes page by page, and none is missed', async () => {
      const hook = await webhook();
      await database.query(
        `WITH made AS (
           INSERT INTO events (account_id, id, type, occurred_at, campaign)
           SELECT $1, (lpad(to_hex(1768471200000 + n), 12, '0') || '7000800000000000' || lpad(to_hex(n), 4, '0'))::uuid,
             CASE WHEN n % 5000 = 1 THEN 'campaign.paused' ELSE 'campaign.started' END,
             to_timestamp((1768471200000 + n) / 1000.0), '{"id":1}' FROM generate_series(1, 12001) n
           RETURNING id, type)
         INSERT INTO deliveries (account_id, webhook_id, event_id, due_at, attempts)
         SELECT $1, $2, id, now() + interval '1 h', CASE WHEN type = 'campaign.paused' THEN 1 ELSE 0 END FROM made`,
        [ours.id, hook.uuid],
      );
      for (const filter of ['state=retrying', 'type=campaign.paused']) {
        const first = await list(hook, `?${filter}`);
        assert.equal(first.data.length < 3 && first.nextCursor !== null, true, filter);
        const pages = await walk((cursor) => list(hook, `?${filter}${cursor}`));
        assert.equal(seen(pages).length, 3, filter);
        assert.equal(new Set(seen(pages)).size, 3);
      }
    });
  });

  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=',
    'cursor=abc',
    'cursor=AZvBpY88eoC24tT2BxgpOgAA',
    'cursor=!!!BpY88eoC24tT2BxgpOg',
    'state=done',
    'type=lead.deleted',
    'event_id=evt_1',
    'event_id=019bc1a58f3c7a80b6e2d4f60718293a',
    'created_after=yesterday',
    'created_before=2026-02-30T00:00:00Z',
    'webhook_id=1',
  ]) {
    test(`?${query} is refused with a 400 that names the parameter`, async () => {
      const answer = await get(`${(await webhook()).id}/deliveries?${query}`);
      assertFailure(answer, 400, new RegExp(`^${query.split('=', 1)[0]} `));
    });
  }

  test('of another account, a deleted, a missing and a malformed webhook all answer the same 404', async () => {
    const hook = await webhook();
    await waits(hook, await event());
    const deleted = await webhook();
    await waits(deleted, await event());
    await call('DELETE', `/api/v1/webhooks/${deleted.id}`, { key: ours.full });
    const missing = await get('wh_019bc1b07d2e7f45a1c8e9b6d5041f3a/deliveries');
    assertFailure(missing, 404, 'not_found');
    const expected = shape(missing);
    const theirKey = { key: theirs.full };
    assert.deepEqual(shape(await get(`${hook.id}/deliveries`, theirKey)), expected);
    for (const id of [deleted.id, 'x', hook.uuid, `${hook.id}0`, hook.id.toUpperCase()]) {
      assert.deepEqual(shape(await get(`${id}/deliveries`)), expected, id);
    }
  });

  test('is not there while the feature is off for the account, and neither is all that belongs to it', async () => {
    const hook = await webhook({}, { key: theirs.full });
    const set = (state: string) =>
      cliJson(['features', 'set', '--account', theirs.id, `webhooks=${state}`], database.env);
    const paths: [method: string, path: string][] = [
      ['GET', 'deliveries'],
      ['GET', `deliveries/dlv_${'A'.repeat(43)}`],
      ['POST', `deliveries/dlv_${'A'.repeat(43)}/retry`],
      ['POST', 'test'],
      ['POST', 'replay'],
      ['GET', 'replays'],
      ['GET', 'replays/x'],
      ['POST', 'replays/x/cancel'],
    ];
    await set('off');
    await eventually(async () => {
      for (const [method, path] of paths) {
        const target = `/api/v1/webhooks/${hook.id}/${path}`;
        assertFailure(await call(method, target, { key: theirs.full }), 404, 'not_found');
      }
    });
    await set('on');
    await eventually(async () => {
      assert.equal((await get(`${hook.id}/deliveries`, { key: theirs.full })).status, 200);
    });
  });

  test('needs leads:read and Bearer', async () => {
    const path = `${(await webhook()).id}/deliveries`;
    assert.equal((await get(path, { key: ours.reader })).status, 200);
    assertFailure(await get(path, { key: ours.writer }), 403, 'scope_required:leads:read');
    const signed = await get(path, { key: undefined, hmac: ours.full });
    assert.equal(signed.status, 401);
  });
});
