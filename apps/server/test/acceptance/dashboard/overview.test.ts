import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Overview } from '@leadwire/contract/dashboard';
import {
  createTestDatabase,
  eventually,
  type Json,
  seed,
  startReceiver,
  startServer,
  type TestServer,
} from '../../support/index.ts';
import { startLoad } from '../../support/load.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';
const ENV = { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'on' };

const database = await createTestDatabase();
const nodes = await Promise.all([1, 2].map(() => startServer({ database, env: ENV })));
const [one, two] = nodes as [TestServer, TestServer];
const receiver = await startReceiver();
after(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await receiver.close();
});
const { ours, theirs, people } = seed();
const owner = { cookie: people.owner.cookie };
const stranger = { cookie: people.stranger.cookie };
const pathOf = (account: string, rest: string) => `/dashboard/api/accounts/${account}/${rest}`;

async function overview(account = ours.id, headers = owner, range = 'hour'): Promise<Overview> {
  const answer = await two.call('GET', pathOf(account, `overview?range=${range}`), { headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

async function post(node: TestServer, body: Json, path = LEADS): Promise<Json> {
  const answer = await node.call('POST', path, { key: ours.full, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.json;
}

/** How the figures have changed since `before`. */
const since = (before: Overview, now: Overview) => ({
  inserted: now.leads.totals.inserted - before.leads.totals.inserted,
  patched: now.leads.totals.patched - before.leads.totals.patched,
  deduped: now.leads.totals.deduped - before.leads.totals.deduped,
});

describe('the figures of an account', () => {
  it('are what was answered, however many post at once and to whichever node', async () => {
    const before = await overview();
    const leads = Array.from({ length: 40 }, (_, i) =>
      newLead({ campaign_id: 1 + (i % 2), source: `source ${i % 3}` }),
    );
    const answered = { inserted: 0, patched: 0, deduped: 0 };
    const send = async (lead: Json, node: number) => {
      const { status } = await post(node % 2 ? one : two, lead);
      answered[status as keyof typeof answered]++;
    };
    await Promise.all([...leads, ...leads, ...leads].map(send));
    await Promise.all(leads.map((lead, i) => send({ ...lead, last_name: `Name ${i}` }, i)));
    const { counts } = await post(
      one,
      { leads: [...leads.slice(0, 3), newLead({ source: 'batch' }), newLead({ source: 'batch' })] },
      `${LEADS}/batch`,
    );
    for (const status of ['inserted', 'patched', 'deduped'] as const) {
      answered[status] += counts[status];
    }
    assert.deepEqual(answered, { inserted: 42, patched: 40, deduped: 83 });
    await eventually(async () => assert.deepEqual(since(before, await overview()), answered));
    for (const range of ['hour', 'day', 'week', 'month']) {
      const { leads: shown } = await overview(ours.id, owner, range);
      for (const parts of [shown.by_campaign, shown.by_source, shown.points]) {
        for (const outcome of ['inserted', 'patched', 'deduped'] as const) {
          const sum = parts.reduce((all, part) => all + part[outcome], 0);
          assert.equal(sum, shown.totals[outcome], `${range} ${outcome}`);
        }
      }
    }
    const { by_campaign: campaigns, by_source: sources } = (await overview()).leads;
    assert.deepEqual(campaigns.map(({ name }) => name).toSorted(), ['Campaign 1', 'Campaign 2']);
    assert.equal(sources.find(({ source }) => source === 'batch')?.inserted, 2);
  });

  it('show what was refused, and why', async () => {
    const refusedFor = async (reason: string) =>
      (await overview()).refused.by_reason.find((one) => one.reason === reason)?.count ?? 0;
    const before = await refusedFor('validation');
    await one.call('POST', LEADS, { key: ours.full, body: {} });
    await two.call('POST', LEADS, { key: ours.full, body: newLead({ phone: 'none' }) });
    await eventually(async () => assert.equal(await refusedFor('validation'), before + 2));
  });

  it('show how deliveries went, and a webhook that fails as what needs attention', async () => {
    const created = async (url: string) => {
      const body = { url, events: ['lead.created'] };
      return (await one.call('POST', '/api/v1/webhooks', { key: ours.full, body })).json.id;
    };
    await created(receiver.url);
    const failing = await created('http://127.0.0.1:9/');
    for (let n = 0; n < 3; n++) await post(one, newLead());
    await eventually(async () => {
      const { totals, latency_ms: latency } = (await overview()).deliveries;
      assert.ok(totals.succeeded >= 3 && totals.failed >= 3, JSON.stringify(totals));
      assert.ok(latency.p50 !== null && latency.p99 !== null && latency.p50 <= latency.p99);
    });
    await eventually(async () => {
      const { json } = await one.call('GET', pathOf(ours.id, 'attention'), { headers: owner });
      const [item] = json.items;
      assert.deepEqual([item?.kind, item?.webhook_id], ['webhook_failing', failing]);
      assert.ok(item.failures >= 3);
    });
  });

  it('show nothing of another account', async () => {
    const figures = await overview(theirs.id, stranger, 'month');
    const none = { inserted: 0, patched: 0, deduped: 0 };
    assert.deepEqual(figures.leads.totals, none);
    assert.deepEqual([figures.leads.by_campaign, figures.refused.by_reason], [[], []]);
    assert.deepEqual(figures.deliveries.totals, { succeeded: 0, failed: 0, given_up: 0 });
    const { json } = await one.call('GET', pathOf(theirs.id, 'attention'), { headers: stranger });
    assert.deepEqual(json.items, []);
  });

  it('say that leads are refused while insertion is switched off', async () => {
    const kinds = async (insertion: boolean) => {
      const body = { features: { insertion } };
      const changed = await one.call('PATCH', `/dashboard/api/accounts/${theirs.id}`, {
        headers: stranger,
        body,
      });
      assert.equal(changed.status, 200, changed.text);
      const { json } = await one.call('GET', pathOf(theirs.id, 'attention'), { headers: stranger });
      return json.items.map(({ kind }: Json) => kind);
    };
    assert.deepEqual(await kinds(false), ['insertion_off']);
    assert.deepEqual(await kinds(true), []);
  });

  it('name a key that is about to expire, and not one that was rotated', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const create = async (name: string, days: number) => {
      const body = { name, scopes: ['leads:read'], expires_at: inDays(days) };
      const answer = await one.call('POST', pathOf(theirs.id, 'keys'), { headers: stranger, body });
      assert.equal(answer.status, 200, answer.text);
      return answer.json.key.id;
    };
    const [soon, rotated] = [await create('soon', 13), await create('rotated', 13)];
    await create('later', 15);
    const body = { overlap_hours: 24 };
    const path = pathOf(theirs.id, `keys/${rotated}/rotate`);
    assert.equal((await one.call('POST', path, { headers: stranger, body })).status, 200);
    const { json } = await one.call('GET', pathOf(theirs.id, 'attention'), { headers: stranger });
    const named = json.items.map(({ key_id: id }: Json) => id);
    assert.ok(named.includes(soon) && !named.includes(rotated), JSON.stringify(json.items));
    assert.ok(
      json.items.every(({ kind, name }: Json) => kind === 'key_expires' && name !== 'later'),
    );
  });

  it('name a form whose key was revoked, until it is switched off', async () => {
    const ask = async (method: string, rest: string, body?: unknown): Promise<Json> => {
      const answer = await one.call(method, pathOf(theirs.id, rest), { headers: stranger, body });
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    };
    const formsNamed = async () =>
      (await ask('GET', 'attention')).items.filter(({ kind }: Json) => kind === 'form_without_key');
    const { key } = await ask('POST', 'keys', { name: 'of a form', scopes: ['leads:write'] });
    const made = { name: 'Contact', campaign_id: 1, key_id: key.id };
    const { id } = await ask('POST', 'forms', made);
    assert.deepEqual(await formsNamed(), []);
    await ask('POST', `keys/${key.id}/revoke`);
    assert.deepEqual(await formsNamed(), [
      { kind: 'form_without_key', form_id: id, name: 'Contact' },
    ]);
    await ask('PATCH', `forms/${id}`, { active: false });
    assert.deepEqual(await formsNamed(), []);
  });

  it('count each lead that was stored when a node is killed at work', async () => {
    const third = await startServer({ database, env: ENV });
    const load = startLoad({ url: third.url, key: theirs.full, senders: 8 });
    await eventually(() => assert.ok(load.acknowledged.length > 100), { deadlineMs: 20_000 });
    await third.kill('SIGKILL');
    await load.end();
    // What was under way at the store when the process died has ended by then.
    const stored = async () => {
      const [{ n }] = await database.query(
        `SELECT count(*)::int AS n FROM leads WHERE account_id = $1`,
        [theirs.id],
      );
      return n as number;
    };
    await eventually(async () => {
      const [n, figures] = [await stored(), await overview(theirs.id, stranger)];
      assert.ok(n >= load.acknowledged.length);
      assert.equal(figures.leads.totals.inserted, n);
    });
  });
});

/** A stream, read from the start. */
async function watch(node: TestServer, { account = ours.id, cookie = owner.cookie } = {}) {
  const leaving = new AbortController();
  const response = await fetch(`${node.url}${pathOf(account, 'live')}`, {
    headers: { cookie },
    signal: leaving.signal,
  });
  const stream = { text: '', isOver: false };
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) stream.text += decoder.decode(chunk);
  })().catch(() => undefined);
  const over = reading.then(() => {
    stream.isOver = true;
  });
  return Object.assign(stream, { response, over, leave: () => leaving.abort() });
}

type Watched = Awaited<ReturnType<typeof watch>>;
const says = (stream: Watched, part: RegExp) => eventually(() => assert.match(stream.text, part));

describe('the live stream of an account', () => {
  it('tells of a lead that came in at another node, and the other account nothing', async () => {
    const [mine, other] = [
      await watch(one),
      await watch(one, { account: theirs.id, cookie: stranger.cookie }),
    ];
    assert.equal(mine.response.headers.get('content-type'), 'text/event-stream');
    assert.equal(mine.response.headers.get('cache-control'), 'no-store');
    await Promise.all([says(mine, /event: ready\n/), says(other, /event: ready\n/)]);
    await post(two, newLead());
    await says(mine, /event: changed\ndata: \{"what":\[[^\]]*"leads"/);
    assert.doesNotMatch(other.text, /changed/);
    for (const stream of [mine, other]) stream.leave();
  });

  it('ends when the person is no member any more, and when they sign out', async () => {
    const removed = await watch(one, { cookie: people.member.cookie });
    const leaving = await watch(one, { cookie: people.viewer.cookie });
    await Promise.all([says(removed, /ready/), says(leaving, /ready/)]);
    const path = pathOf(ours.id, `members/${people.member.id}`);
    assert.equal((await two.call('DELETE', path, { headers: owner })).status, 200);
    const headers = { cookie: people.viewer.cookie };
    const out = await two.call('POST', '/dashboard/api/sign-out', { headers });
    assert.equal(out.status, 200, out.text);
    await eventually(() => assert.ok(removed.isOver && leaving.isOver), { deadlineMs: 15_000 });
  });

  it('is refused to whom it is not for, and to a person with too many of them', async () => {
    const refused = await watch(one, { cookie: stranger.cookie });
    assert.equal(refused.response.status, 404);
    const { cookie } = people.admin;
    const many = await Promise.all(Array.from({ length: 21 }, () => watch(one, { cookie })));
    const statuses = many.map(({ response }) => response.status);
    assert.deepEqual(statuses.toSorted(), [...Array(20).fill(200), 429]);
    for (const stream of many) stream.leave();
    await eventually(async () => {
      const again = await watch(one, { cookie });
      again.leave();
      assert.equal(again.response.status, 200);
    });
  });

  it('does not keep the service from stopping', async () => {
    const third = await startServer({ database, env: ENV });
    const streams = await Promise.all([watch(third), watch(third), watch(third)]);
    for (const stream of streams) await says(stream, /ready/);
    assert.equal(await third.stop(), 0);
    await Promise.all(streams.map(({ over }) => over));
  });
});
