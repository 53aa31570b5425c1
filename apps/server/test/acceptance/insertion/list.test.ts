import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type Json, startServer } from '../../support/index.ts';
import { assertFails, freshId, LEADS, leadBody, openScene, walk } from './scene.ts';

const { list, batch, insert, database, call, theirs, ours } = await openScene();

const bodies = Array.from({ length: 120 }, (_, n) => leadBody({ campaign_id: (n % 3) + 1 }));
await batch(bodies);
const all: Json[] = (await walk(pageOf('limit=100'))).flat();

/** A page of the list under a filter. */
function pageOf(query: string, key = ours.full) {
  return async (cursor: string | null) => {
    const more = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await list(`?${query}${more}`, { key });
    assert.equal(answer.status, 200, answer.text);
    return { entries: answer.json.leads, next: answer.json.nextCursor };
  };
}

const idsOf = (leads: Json[]): string[] => leads.map((lead) => lead.id);

describe('the list', () => {
  test('shows whole leads, newest first by created_at', async () => {
    assert.equal(all.length, 120);
    const times = all.map((lead) => lead.created_at);
    assert.deepEqual(times, [...times].sort().reverse());
    assert.deepEqual(
      all.map((lead) => lead.external_lead_id).sort(),
      bodies.map((body) => body.external_lead_id).sort(),
    );
    const one = await call('GET', `${LEADS}/${all[0].id}`, { key: ours.full });
    assert.deepEqual(all[0], one.json.lead);
  });

  test('has 25 leads a page unless told otherwise, and ok: true', async () => {
    const { ok, leads, nextCursor } = (await list()).json;
    assert.equal(ok, true);
    assert.deepEqual(idsOf(leads), idsOf(all.slice(0, 25)));
    assert.equal(typeof nextCursor, 'string');
    assert.ok(!Number.isNaN(Date.parse(nextCursor)));
  });

  for (const limit of [1, 7, 25, 40, 99, 100]) {
    test(`walked by cursor with limit ${limit} meets every lead exactly once in order`, async () => {
      const pages = await walk(pageOf(`limit=${limit}`));
      assert.deepEqual(idsOf(pages.flat()), idsOf(all));
      for (const page of pages.slice(0, -1)) assert.equal(page.length, limit);
    });
  }

  test('nextCursor is null on the last page, also where it is exactly full', async () => {
    // 120 leads: 40 a page fill three pages exactly, 60 two.
    assert.equal((await walk(pageOf('limit=40'))).length, 3);
    assert.equal((await walk(pageOf('limit=60'))).length, 2);
    const only = freshId();
    await batch([leadBody({ external_lead_id: only })]);
    const { leads, nextCursor } = (await list(`?limit=1&external_lead_id=${only}`)).json;
    assert.equal(leads.length, 1);
    assert.equal(nextCursor, null);
    await database.query('DELETE FROM leads WHERE external_lead_id = $1', [only]);
  });

  test('the cursor is a time: leads created strictly before it, in any offset', async () => {
    const { created_at } = all[10];
    const older = idsOf(all.slice(11, 21));
    const page = await list(`?limit=10&cursor=${created_at}`);
    assert.deepEqual(idsOf(page.json.leads), older);
    const inOffset = created_at.replace('Z', '+00:00');
    const same = await list(`?limit=10&cursor=${encodeURIComponent(inOffset)}`);
    assert.deepEqual(idsOf(same.json.leads), older);
    assert.deepEqual((await list('?cursor=2001-01-01T00:00:00Z')).json.leads, []);
    assert.equal((await list('?cursor=2001-01-01T00:00:00Z')).json.nextCursor, null);
    const future = await list('?limit=100&cursor=2999-01-01T00:00:00%2B02:00');
    assert.deepEqual(idsOf(future.json.leads), idsOf(all.slice(0, 100)));
  });

  test('filters by campaign_id, and walks under the filter', async () => {
    for (const campaign of [1, 2, 3]) {
      const expected = all.filter((lead) => lead.campaign_id === campaign);
      const pages = await walk(pageOf(`limit=8&campaign_id=${campaign}`));
      assert.deepEqual(idsOf(pages.flat()), idsOf(expected));
      assert.equal(pages.length, 5);
    }
    assert.deepEqual((await list('?campaign_id=2147483647')).json.leads, []);
  });

  test('filters by external_lead_id, in every campaign or in one', async () => {
    const external_lead_id = `ü / ? ${freshId()}`;
    for (const campaign_id of [1, 2]) await insert({ external_lead_id, campaign_id });
    const query = `?external_lead_id=${encodeURIComponent(external_lead_id)}`;
    const both = (await list(query)).json.leads;
    assert.deepEqual(
      both.map((lead: Json) => lead.campaign_id),
      [2, 1],
    );
    const pages = await walk(
      pageOf(`limit=1&external_lead_id=${encodeURIComponent(external_lead_id)}`),
    );
    assert.deepEqual(pages.flat(), both);
    assert.deepEqual((await list(`${query}&campaign_id=1`)).json.leads, [both[1]]);
    assert.deepEqual((await list(`${query}&campaign_id=3`)).json.leads, []);
    assert.deepEqual((await list('?external_lead_id=nothing')).json.leads, []);
    await database.query('DELETE FROM leads WHERE external_lead_id = $1', [external_lead_id]);
  });

  for (const query of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=abc',
    'limit=',
    'limit=1.5',
    'limit=1e1',
    'limit=%2B5',
    'limit=99999999999999999999',
    'limit=5&limit=6',
    'cursor=',
    'cursor=abc',
    'cursor=12345',
    'cursor=2026-02-30T00:00:00Z',
    'cursor=2026-01-15T10:30:00',
    'cursor=2026-01-15',
    'campaign_id=0',
    'campaign_id=abc',
    'campaign_id=2147483648',
    'campaign_id=',
    'external_lead_id=',
    `external_lead_id=${'x'.repeat(256)}`,
    'external_lead_id=%00',
    'unknown=1',
    'offset=5',
    'Limit=5',
    'status=new',
    '__proto__=1',
    'limit[]=5',
  ]) {
    test(`?${query.slice(0, 40)} is refused with a 400 that names the parameter`, async () => {
      const name = query.split(/[=[]/, 1)[0] ?? '';
      assertFails(await list(`?${query}`), 400, new RegExp(name));
    });
  }
});

describe('while others insert', () => {
  test('a walk by cursor meets every lead that was there exactly once', async () => {
    const before = new Set(idsOf(await walk(pageOf('limit=100')).then((pages) => pages.flat())));
    let isWalking = true;
    const inserting = Array.from({ length: 3 }, async () => {
      while (isWalking) await batch([leadBody(), leadBody({ campaign_id: 2 })]);
    });
    const met = idsOf((await walk(pageOf('limit=3'))).flat());
    isWalking = false;
    await Promise.all(inserting);
    assert.equal(new Set(met).size, met.length);
    assert.deepEqual(met.filter((id) => before.has(id)).length, before.size);
  });

  test('by two nodes, no two leads of an account share a created_at, and a walk meets all', async () => {
    const other = await startServer({ database });
    after(() => other.stop());
    const rows = () => Array.from({ length: 250 }, () => leadBody({ source: 'nodes' }));
    const send = (target: typeof call) =>
      target('POST', `${LEADS}/batch`, { key: ours.full, body: { leads: rows() } });
    const answers = await Promise.all([call, other.call, call, other.call].map(send));
    for (const answer of answers) assert.equal(answer.json.counts?.inserted, 250, answer.text);
    const leads = (await walk(pageOf('limit=100'))).flat();
    assert.equal(new Set(leads.map((lead) => lead.created_at)).size, leads.length);
    assert.equal(leads.filter((lead) => lead.source === 'nodes').length, 1000);
  });
});

describe('another account', () => {
  test('sees none of it', async () => {
    const { leads, nextCursor } = (await list('', { key: theirs.full })).json;
    assert.deepEqual({ leads, nextCursor }, { leads: [], nextCursor: null });
    const query = `?external_lead_id=${bodies[0]?.external_lead_id}`;
    assert.deepEqual((await list(query, { key: theirs.full })).json.leads, []);
  });
});
