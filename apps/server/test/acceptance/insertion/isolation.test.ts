import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/index.ts';
import { LEGACY, leadBody, openScene } from './scene.ts';

const { insert, call, theirs, ours, one, get, post, history } = await openScene();

type Answer = { status: number; headers: object; json: Json };

/** What a prober can compare: all but the ids and the date. */
const shape = ({ status, headers, json }: Answer) => {
  const { request_id, ...body } = json;
  assert.equal(typeof request_id, 'string');
  return { status, body, headers: Object.keys(headers).sort() };
};

const lead = await insert({ external_lead_id: 'ours', campaign_id: 2 });
const etag = String((await get(lead.id)).headers.etag);
const MISSING_ID = '0198c0de-0000-7000-8000-00000000dead';

describe('a lead of another account answers exactly as a missing one: 404, the same body and headers but ids', () => {
  const requests: [name: string, method: string, suffix: string, options: object][] = [
    ['GET', 'GET', '', {}],
    ['history', 'GET', '/history', {}],
    ['history with a cursor', 'GET', '/history?cursor=5&limit=1', {}],
    ['PATCH', 'PATCH', '', { body: { source: 'stolen' } }],
    ['PATCH that would be invalid in the end', 'PATCH', '', { body: { phone: null } }],
    ['PATCH with its ETag', 'PATCH', '', { body: { source: 'x' }, headers: { 'if-match': etag } }],
    [
      'PATCH with a stale ETag',
      'PATCH',
      '',
      { body: { source: 'x' }, headers: { 'if-match': '"0"' } },
    ],
  ];
  for (const [name, method, suffix, options] of requests) {
    for (const [by, id, missing] of [
      ['UUID', lead.id, MISSING_ID],
      ['external id', 'ours', 'none'],
    ] as const) {
      test(`${name} by ${by}`, async () => {
        const with_ = { key: theirs.full, ...options };
        const foreign = await call(method, `${one(id)}${suffix}`, with_);
        const absent = await call(method, `${one(missing)}${suffix}`, with_);
        assert.equal(foreign.status, 404, foreign.text);
        assert.equal(foreign.json.error, 'not_found');
        assert.deepEqual(shape(foreign), shape(absent));
        const signed = { ...options, hmac: theirs.full };
        assert.equal((await call(method, `${one(id)}${suffix}`, signed)).status, 404);
      });
    }
  }

  test('and stays as it was', async () => {
    assert.deepEqual((await get(lead.id)).json.lead, lead);
    assert.equal((await history(lead.id)).json.history.length, 1);
  });
});

describe('another account', () => {
  test('may use the same tuple for a lead of its own', async () => {
    const own = await insert({ external_lead_id: 'shared' });
    const body = leadBody({ external_lead_id: 'shared', source: 'theirs' });
    const answer = await post(body, { key: theirs.full });
    assert.equal(answer.status, 201);
    assert.notEqual(answer.json.lead.id, own.id);
    assert.equal(answer.json.lead.account_id, theirs.id);
    assert.deepEqual((await get('shared')).json.lead, own);
    assert.equal((await get('shared', { key: theirs.full })).json.lead.source, 'theirs');
  });

  test('cannot use or probe a campaign of ours: refused as a missing one', async () => {
    const foreign = await post(leadBody({ campaign_id: 2 }), { key: theirs.full });
    const absent = await post(leadBody({ campaign_id: 2147483647 }), { key: theirs.full });
    assert.equal(foreign.status, 400);
    assert.deepEqual(shape(foreign), shape(absent));
  });

  test('an external id that is the UUID of a lead of ours finds their own', async () => {
    const body = leadBody({ external_lead_id: lead.id });
    const own = (await post(body, { key: theirs.full })).json.lead;
    assert.deepEqual((await get(lead.id, { key: theirs.full })).json.lead, own);
    assert.deepEqual((await get(lead.id)).json.lead, lead);
  });

  test('is counted for itself in the legacy list', async () => {
    const count = async (key: typeof ours.full) =>
      (await call('GET', `${LEGACY}?limit=100`, { key })).json;
    const mine = await count(ours.full);
    const other = await count(theirs.full);
    assert.equal(mine.pagination.total, mine.data.length);
    assert.equal(other.pagination.total, other.data.length);
    const ids = new Set(mine.data.map((entry: Json) => entry.id));
    assert.ok(other.data.every((entry: Json) => !ids.has(entry.id)));
  });
});
