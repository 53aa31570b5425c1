import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/index.ts';
import { assertFails, leadBody, MICROS, openScene, walk } from './scene.ts';

const { post, patch, insert, history, ours, get, database } = await openScene();

describe('the history of a lead', () => {
  test('has a record for each write, newest first, with who, when, request, address, kind and each changed field', async () => {
    const body = leadBody({ first_name: 'Ada' });
    const id = (await post(body, { headers: { 'x-request-id': 'one' } })).json.lead.id;
    await post(
      { ...body, first_name: 'Grace' },
      { key: ours.writer, headers: { 'x-request-id': 'two' } },
    );
    const edit = { status: 'contacted', first_name: null, custom_fields: { a: 1 } };
    await patch(id, edit, { headers: { 'x-request-id': 'three' } });
    const answer = await history(id);
    assert.equal(answer.status, 200);
    const { ok, history: records, nextCursor } = answer.json;
    assert.deepEqual({ ok, nextCursor }, { ok: true, nextCursor: null });
    assert.deepEqual(
      records.map((record: Json) => record.request_id),
      ['three', 'two', 'one'],
    );
    assert.equal(new Set(records.map((record: Json) => record.kind)).size, 3);
    assert.deepEqual(records[0].changes, [
      { field: 'first_name', before: 'Grace', after: null },
      { field: 'custom_fields', before: {}, after: { a: 1 } },
      { field: 'status', before: 'new', after: 'contacted' },
    ]);
    assert.deepEqual(records[1].changes, [{ field: 'first_name', before: 'Ada', after: 'Grace' }]);
    for (const record of records) {
      assert.match(record.occurred_at, MICROS);
      assert.equal(record.address, '127.0.0.1');
    }
    const actors = records.map((record: Json) => record.actor.id);
    assert.equal(actors[0], actors[2]);
    assert.notEqual(actors[0], actors[1]);
    assert.equal(JSON.stringify(records).includes(ours.full.secret_key), false);
  });

  test('the record of an insert names what was sent, each before null or absent', async () => {
    const lead = await insert({ email: 'a@example.com', custom_fields: { a: 1 } });
    const [record] = (await history(lead.id)).json.history;
    const after = Object.fromEntries(
      record.changes.map((change: Json) => [change.field, change.after]),
    );
    for (const field of ['campaign_id', 'external_lead_id', 'phone', 'email', 'custom_fields']) {
      assert.deepEqual(after[field], lead[field], field);
    }
    for (const change of record.changes) assert.equal(change.before ?? null, null);
  });

  test('what changed nothing or was refused leaves no record', async () => {
    const body = leadBody();
    const { id } = (await post(body)).json.lead;
    await post(body);
    await patch(id, { phone: body.phone });
    await patch(id, { phone: 'no' });
    await patch(id, { source: 'x' }, { headers: { 'if-match': '"stale"' } });
    assert.equal((await history(id)).json.history.length, 1);
  });

  test('replayed from its first record it gives the lead of today', async () => {
    const lead = await insert({ custom_fields: { a: 1 }, address: { city: 'X' } });
    for (const change of [
      { custom_fields: { a: null, b: [1] } },
      { address: null },
      { status: 'converted', email: 'z@example.com' },
      { phone: null },
      { address: { zip: '1' }, source: 'ü' },
    ]) {
      assert.equal((await patch(lead.id, change)).status, 200);
    }
    const state: Json = {};
    for (const record of (await history(lead.id)).json.history.reverse()) {
      for (const { field, before, after } of record.changes) {
        if (record.version > 1) assert.deepEqual(before, state[field] ?? null, field);
        state[field] = after;
      }
    }
    const today = (await get(lead.id)).json.lead;
    for (const [field, value] of Object.entries(state))
      assert.deepEqual(today[field], value, field);
  });

  test('is paged by cursor: every record exactly once, the last page exactly full → null', async () => {
    const { id } = await insert();
    for (let n = 1; n < 30; n++) await patch(id, { source: `s${n}` });
    const versions = (records: Json[]) => records.map((record) => record.version);
    const first = (await history(id)).json;
    assert.equal(first.history.length, 25);
    for (const limit of [1, 7, 10, 30, 100]) {
      const pages = await walk(async (cursor) => {
        const more = cursor === null ? '' : `&cursor=${cursor}`;
        const { history: entries, nextCursor: next } = (await history(id, `?limit=${limit}${more}`))
          .json;
        return { entries, next };
      });
      assert.deepEqual(
        versions(pages.flat()),
        Array.from({ length: 30 }, (_, n) => 30 - n),
      );
      assert.equal(pages.length, Math.ceil(30 / limit));
    }
  });

  for (const query of [
    'limit=0',
    'limit=101',
    'limit=abc',
    'cursor=abc',
    'cursor=',
    'unknown=1',
    'offset=1',
  ]) {
    test(`?${query} is refused with a 400 that names the parameter`, async () => {
      const { id } = await insert();
      assertFails(await history(id, `?${query}`), 400, new RegExp(query.split('=', 1)[0] ?? ''));
    });
  }
});

describe('events', () => {
  const eventsOf = async (id: string): Promise<string[]> => {
    const sql = 'SELECT type FROM events WHERE lead_id = $1 ORDER BY lead_version, type';
    return (await database.query(sql, [id])).map((row) => row.type);
  };

  test('an insert has one lead.created, each change one lead.updated, and nothing else has any', async () => {
    const body = leadBody();
    const { id } = (await post(body)).json.lead;
    await post(body);
    await post({ ...body, source: 'a' });
    await patch(id, { source: 'b' });
    await patch(id, { source: 'b' });
    await patch(id, { phone: 'no' });
    await patch(id, { source: 'c' }, { headers: { 'if-match': '"stale"' } });
    assert.deepEqual(await eventsOf(id), ['lead.created', 'lead.updated', 'lead.updated']);
  });

  test('becoming converted has lead.converted beside lead.updated; staying converted has none', async () => {
    const body = leadBody();
    const { id } = (await post(body)).json.lead;
    await patch(id, { status: 'converted' });
    await patch(id, { source: 'x' });
    await post({ ...body, status: 'converted', source: 'y' });
    assert.deepEqual(await eventsOf(id), [
      'lead.created',
      'lead.converted',
      'lead.updated',
      'lead.updated',
      'lead.updated',
    ]);
    await post({ ...body, status: 'new' });
    await post({ ...body, status: 'converted' });
    const types = await eventsOf(id);
    assert.equal(types.filter((type) => type === 'lead.converted').length, 2);
    assert.equal(types.filter((type) => type === 'lead.updated').length, 5);
  });

  test('an insert that is converted has lead.converted beside lead.created', async () => {
    const { id } = await insert({ status: 'converted' });
    assert.deepEqual((await eventsOf(id)).sort(), ['lead.converted', 'lead.created']);
  });
});
