import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/index.ts';
import { assertFails, LEGACY, leadBody, openScene, walk } from './scene.ts';

const { batch, call, list, insert, ours, theirs } = await openScene();

const STATUSES = ['new', 'contacted', 'qualified', 'converted'];
for (let n = 0; n < 5; n++) {
  // Several batches, so that times lie apart.
  const rows = Array.from({ length: 12 }, (_, i) =>
    leadBody({
      campaign_id: ((i + n) % 3) + 1,
      status: STATUSES[(i * 7 + n) % 4],
      email: 'a@example.com',
    }),
  );
  assert.equal((await batch(rows)).json.counts.inserted, 12);
}
const pages = await walk(async (cursor) => {
  const { leads, nextCursor } = (await list(`?limit=100${cursor ? `&cursor=${cursor}` : ''}`)).json;
  return { entries: leads, next: nextCursor };
});
const all: Json[] = pages.flat();

const legacy = (query: Record<string, string> = {}) =>
  call('GET', `${LEGACY}?${new URLSearchParams(query)}`, { key: ours.full });

/** The list as the contract words it, over all leads in memory. */
function expected(query: Record<string, string>) {
  const { campaign_id, status, created_after, created_before } = query;
  const limit = Number(query.limit ?? 20);
  const offset = Number(query.offset ?? 0);
  const found = all.filter(
    (lead) =>
      (campaign_id === undefined || String(lead.campaign_id) === campaign_id) &&
      (status === undefined || lead.status === status) &&
      (created_after === undefined || lead.created_at > created_after) &&
      (created_before === undefined || lead.created_at < created_before),
  );
  const ids = found.slice(offset, offset + limit).map((lead) => lead.id);
  const has_more = offset + ids.length < found.length;
  return { ids, pagination: { total: found.length, limit, offset, has_more } };
}

const shown = ({ data, pagination }: Json) => ({
  ids: data.map((lead: Json) => lead.id),
  pagination,
});

describe('the legacy list', () => {
  test('shows a lead with campaign_id as a string and an address of four strings', async () => {
    const lead = await insert({ campaign_id: 2, first_name: 'Ada', address: { city: 'X' } });
    const { data } = (await legacy({ limit: '1' })).json;
    assert.deepEqual(data, [
      {
        id: lead.id,
        campaign_id: '2',
        status: 'new',
        first_name: 'Ada',
        last_name: null,
        email: null,
        phone: lead.phone,
        address: { street: '', city: 'X', state: '', zip: '' },
        created_at: lead.created_at,
        updated_at: lead.updated_at,
      },
    ]);
    all.unshift(lead);
    const bare = await insert();
    all.unshift(bare);
    assert.deepEqual((await legacy({ limit: '1' })).json.data[0].address, {
      ...{ street: '', city: '', state: '', zip: '' },
    });
  });

  test('has the newest first, 20 of them unless told otherwise', async () => {
    assert.deepEqual(shown((await legacy()).json), expected({}));
  });

  const middle = Math.floor(all.length / 2);
  const choices: Record<string, (string | undefined)[]> = {
    campaign_id: [undefined, '2', '99'],
    status: [undefined, 'new', 'converted'],
    created_after: [undefined, all[middle + 12].created_at],
    created_before: [undefined, all[middle - 12].created_at],
    limit: [undefined, '1', '100'],
    offset: [undefined, '3', '1000'],
  };

  test('totals, pages and has_more are exact under every combination of filters', async () => {
    let queries: Record<string, string>[] = [{}];
    for (const [name, values] of Object.entries(choices)) {
      queries = queries.flatMap((query) =>
        values.map((value) => (value === undefined ? query : { ...query, [name]: value })),
      );
    }
    assert.equal(queries.length, 324);
    for (const query of queries) {
      const answer = await legacy(query);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(shown(answer.json), expected(query), JSON.stringify(query));
    }
  });

  test('both ends of the time range are exclusive, to the microsecond', async () => {
    const [newer, at, older] = [all[4], all[5], all[6]];
    const range = { created_after: older.created_at, created_before: newer.created_at };
    assert.deepEqual(shown((await legacy(range)).json).ids, [at.id]);
    const point = { created_after: at.created_at, created_before: at.created_at };
    assert.equal((await legacy(point)).json.pagination.total, 0);
  });

  test('takes times with an offset', async () => {
    const created_after = all[5].created_at.replace('Z', '+00:00');
    assert.equal((await legacy({ created_after })).json.pagination.total, 5);
  });

  test('has_more is false on the last page, also where it is exactly full', async () => {
    const half = String(all.length / 2);
    assert.equal((await legacy({ limit: half })).json.pagination.has_more, true);
    const last = (await legacy({ limit: half, offset: half })).json;
    assert.equal(last.data.length, all.length / 2);
    assert.equal(last.pagination.has_more, false);
  });

  for (const [name, value] of [
    ['status', 'sold'],
    ['status', ''],
    ['status', 'NEW'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'abc'],
    ['limit', '1.5'],
    ['offset', '-1'],
    ['offset', 'abc'],
    ['offset', '99999999999999999999'],
    ['created_after', 'yesterday'],
    ['created_after', '2026-02-30T00:00:00Z'],
    ['created_before', ''],
    ['created_before', '2026-01-15T10:30:00'],
    ['created_before', '12345'],
  ] as const) {
    test(`?${name}=${value} is refused with a 400 that names the parameter`, async () => {
      assertFails(await legacy({ [name]: value }), 400, new RegExp(name));
    });
  }

  test('a campaign_id that is none finds nothing or is refused, and never fails', async () => {
    for (const campaign_id of [
      'abc',
      '0',
      '-1',
      '2147483648',
      '9'.repeat(30),
      '',
      '\u0000',
      '1 OR 1=1',
    ]) {
      const answer = await legacy({ campaign_id });
      if (answer.status === 200) assert.equal(answer.json.pagination.total, 0, campaign_id);
      else assertFails(answer, 400, /campaign_id/);
    }
  });

  test('needs leads:read', async () => {
    const answer = await call('GET', LEGACY, { key: ours.writer });
    assertFails(answer, 403, 'scope_required:leads:read');
  });

  test('of another account shows nothing of this one', async () => {
    const answer = await call('GET', LEGACY, { key: theirs.full });
    assert.deepEqual(answer.json, {
      data: [],
      pagination: { total: 0, limit: 20, offset: 0, has_more: false },
    });
  });
});
