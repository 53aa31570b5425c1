import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { cliJson, createKey, eventually, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { assertUnique, EVENTS, LEADS, openScene } from './scene.ts';

const { database, server, ours, theirs, feed, page, post, walk, walked } = await openScene();

const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
const ID = '019bc1a5-8f3c-7a80-b6e2-d4f60718293a';

describe('the event feed', () => {
  it('of an account without events is an empty page with a cursor that goes on', async () => {
    const empty = await page();
    assert.deepEqual(empty.data, []);
    assert.equal(empty.hasMore, false);
    const again = await page({ cursor: empty.nextCursor });
    assert.deepEqual(again, empty);
    const first = await post();
    const [event] = await eventually(async () => {
      const { data } = await page({ cursor: empty.nextCursor });
      assert.equal(data.length, 1);
      return data;
    });
    assert.equal(event.data.lead.id, first.lead.id);
  });

  it('shows every event once, oldest first, whatever the size of the pages, and hasMore until the last', async () => {
    for (let n = 0; n < 11; n++) await post({ first_name: `N${n}` });
    const all = await walked(12);
    assertUnique(all.map(({ id }) => id));
    const times = all.map(({ timestamp }) => timestamp);
    assert.deepEqual(times, times.toSorted());
    for (const limit of [1, 3, 4, 12, 100]) {
      assert.deepEqual(await walk({ limit: String(limit) }), all, `limit ${limit}`);
    }
    assert.equal((await page({ limit: '12' })).hasMore, false, 'exactly full');
    assert.equal((await page({ limit: '11' })).hasMore, true);
  });

  it('has 25 events on a page unless told otherwise', async () => {
    const leads = Array.from({ length: 30 }, () => newLead({ campaign_id: 2 }));
    await server.call('POST', `${LEADS}/batch`, { key: ours.full, body: { leads } });
    await walked(42);
    const first = await page();
    assert.equal(first.data.length, 25);
    assert.equal(first.hasMore, true);
  });

  it('keeps the numbers and the keys of a lead as they were sent, byte for byte', async () => {
    const custom = '{"z":1.0,"10":2,"a":9007199254740991,"e":1e2,"\\u00e9":"\\ud83d\\ude00"}';
    const body = `{"campaign_id":3,"external_lead_id":"bytes","phone":"+14155550132","custom_fields":${custom}}`;
    const { text } = await server.call('POST', LEADS, { key: ours.full, body });
    const lead = /"lead":(\{.*\})\}$/s.exec(text)?.[1] ?? assert.fail(text);
    await walked(43);
    const answer = await feed({ limit: '100' });
    assert.ok(answer.text.includes(`"data":{"lead":${lead},"changed":[]}}`), lead);
  });

  it('shows the events of one type, or of several, and pages through them', async () => {
    const { lead } = await post({ external_lead_id: 'typed' });
    const change = { external_lead_id: 'typed', status: 'converted' };
    await post({ campaign_id: lead.campaign_id, ...change });
    await walked(46);
    const types = async (type: string, limit = '100') =>
      (await walk({ type, limit })).map((event) => event.type);
    assert.deepEqual(await types('lead.converted'), ['lead.converted']);
    assert.deepEqual(await types('lead.updated,lead.converted'), [
      ...['lead.updated', 'lead.converted'],
    ]);
    assert.equal((await types('lead.created', '7')).length, 44);
    assert.deepEqual(await types('campaign.paused'), []);
    const { nextCursor } = await page({ type: 'campaign.paused' });
    assert.deepEqual((await page({ cursor: nextCursor })).data, [], 'its cursor has moved on');
  });

  it('with from=now begins behind what has happened, and misses nothing that comes after', async () => {
    const now = await page({ from: 'now', limit: '1' });
    assert.deepEqual(now.data, []);
    assert.equal(now.hasMore, false);
    const { lead } = await post();
    const seen = await eventually(async () => {
      const { data } = await page({ cursor: now.nextCursor });
      assert.equal(data.length, 1);
      return data;
    });
    assert.equal(seen[0].data.lead.id, lead.id);
    const before = await walk({ from: 'start' });
    assert.deepEqual(before.at(-1), seen[0]);
  });

  it('gives a page of a rare type a bound: 5,000 events are looked at, and its cursor moves on', async () => {
    const { id } = await cliJson(['accounts', 'create', '--name', 'Many'], database.env);
    const key = await createKey(database.env, id);
    const values = "json_build_object('id', 1, 'account_id', $1::uuid, 'name', 'x', 'state', 'x')";
    const add = (type: string, count: number) =>
      database.query(
        `INSERT INTO events (account_id, id, type, occurred_at, campaign)
         SELECT $1::uuid, gen_random_uuid(), $2::text, now(), ${values} FROM generate_series(1, $3::int)`,
        [id, type, count],
      );
    await add('campaign.started', 12_000);
    await add('campaign.paused', 1);
    await walked(1, { type: 'campaign.paused' }, { key });
    const sizes: number[] = [];
    let query: Record<string, string> = { type: 'campaign.paused' };
    for (let hasMore = true; hasMore; ) {
      const one = await page(query, { key });
      sizes.push(one.data.length);
      query = { type: 'campaign.paused', cursor: one.nextCursor };
      hasMore = one.hasMore;
    }
    assert.deepEqual(sizes, [0, 0, 1]);
  });
});

describe('the event feed is one account’s own', () => {
  it('shows nothing of another account, with its cursor neither', async () => {
    const mine = await page({ limit: '5' });
    assert.deepEqual((await page('', { key: theirs.full })).data, []);
    assert.deepEqual((await page({ cursor: mine.nextCursor }, { key: theirs.full })).data, []);
    const { lead } = await post({}, { key: theirs.full });
    const [event, ...more] = await walked(1, {}, { key: theirs.full });
    assert.equal(event.data.lead.id, lead.id);
    assert.deepEqual(more, []);
    assert.equal(event.account_id, theirs.id);
    const behind = await page({ cursor: mine.nextCursor }, { key: theirs.full });
    assert.deepEqual(behind.data, [event]);
    const all = await walk({ limit: '100' });
    assert.ok(all.every(({ account_id }) => account_id === ours.id));
  });

  it('wants leads:read, a Bearer key, and the feature', async () => {
    assertFailure(await feed('', { key: ours.writer }), 403, 'scope_required:leads:read');
    assert.equal((await feed('', { key: ours.reader })).status, 200);
    assertFailure(await feed('', { key: undefined }), 401, 'missing_auth');
    const signed = await feed('', { key: undefined, hmac: ours.full });
    assertFailure(signed, 401, 'missing_auth');
    assert.ok((await feed()).headers['x-request-id']);
    const off = await startServer({ database, env: { LEADWIRE_FEATURES_OFF: 'webhooks' } });
    try {
      const answer = await off.call('GET', EVENTS, { key: ours.full });
      assertFailure(answer, 404, 'not_found');
    } finally {
      await off.stop();
    }
  });

  it('is switched off for one account alone', async () => {
    await cliJson(['features', 'set', '--account', theirs.id, 'webhooks=off'], database.env);
    await eventually(async () =>
      assertFailure(await feed('', { key: theirs.full }), 404, 'not_found'),
    );
    assert.equal((await feed()).status, 200);
  });

  it('counts against the rate limit of the key', async () => {
    const key = await createKey(database.env, ours.id, { rateLimit: '2/600' });
    const first = await feed('', { key });
    assert.match(String(first.headers.ratelimit), /"default";r=1;/);
    await feed('', { key });
    assertFailure(await feed('', { key }), 429, 'rate_limited');
  });
});

describe('the event feed refuses', () => {
  const bad: [name: string, query: string, error: RegExp][] = [
    ['a limit of 0', '?limit=0', /^limit must be an integer from 1 to 100$/],
    ['a limit of 101', '?limit=101', /^limit must be an integer from 1 to 100$/],
    ['a limit that is no number', '?limit=ten', /^limit must be an integer/],
    ['an unknown parameter', '?after=1', /^after is not a known parameter$/],
    ['a parameter that comes twice', '?type=lead.created&type=lead.updated', /^type must be/],
    ['an unknown type', '?type=lead.deleted', /^type must be lead\.created or /],
    ['an unknown type among others', '?type=lead.created,nope', /^type must be/],
    ['an empty type', '?type=', /^type must be/],
    ['spaces between types', '?type=lead.created,%20lead.updated', /^type must be/],
    ['an unknown place to begin', '?from=end', /^from must be start or now$/],
    ['from=now beside a cursor', `?from=now&cursor=${cursorOf(`3.${ID}`)}`, /^from=now/],
    ['a cursor that is empty', '?cursor=', /^cursor must be/],
    ['a cursor that is no base64url', '?cursor=%2B%2B%2F', /^cursor must be/],
    ['a cursor that is an event id', `?cursor=evt_${ID.replaceAll('-', '')}`, /^cursor must be/],
    ['a cursor without an id', `?cursor=${cursorOf('3.')}`, /^cursor must be/],
    ['a cursor without a number', `?cursor=${cursorOf(`.${ID}`)}`, /^cursor must be/],
    ['a negative number in a cursor', `?cursor=${cursorOf(`-3.${ID}`)}`, /^cursor must be/],
    ['SQL in a cursor', `?cursor=${cursorOf(`3' OR 1=1 --.${ID}`)}`, /^cursor must be/],
    ['a number beyond 64 bits', `?cursor=${cursorOf(`18446744073709551616.${ID}`)}`, /^cursor/],
    ['more behind a cursor', `?cursor=${cursorOf(`3.${ID}.3`)}`, /^cursor must be/],
    ['a cursor in padded base64', `?cursor=${cursorOf(`33.${ID}`)}%3D`, /^cursor must be/],
    [
      'a cursor of another store, ahead of this one',
      `?cursor=${cursorOf(`9${'0'.repeat(18)}.${ID}`)}`,
      /^cursor is not of this store; begin with from=start$/,
    ],
  ];
  for (const [name, query, error] of bad) {
    it(name, async () => assertFailure(await feed(query), 400, error, query));
  }

  it('several things at once, each by its name', async () => {
    const answer = await feed('?type=nope&cursor=nope&from=now');
    const { errors } = assertFailure(answer, 400, /^cursor .*, type .*, from=now/);
    assert.deepEqual(
      errors.map(({ path }: { path: string }) => path),
      ['cursor', 'type', 'from'],
    );
  });
});
