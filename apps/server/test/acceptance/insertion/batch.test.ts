import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/index.ts';
import { assertFails, BATCH, freshId, leadBody, openScene, PHONE } from './scene.ts';

const { batch, get, call, ours, post, history, database } = await openScene();

const ndjson = (text: string | Buffer, type = 'application/x-ndjson') =>
  call('POST', BATCH, { key: ours.full, body: text, headers: { 'content-type': type } });

const json = (text: string) => call('POST', BATCH, { key: ours.full, body: text });

const statuses = (answer: { json: Json }) =>
  answer.json.results.map((result: Json) => result.status ?? 'failed');

const SIZE_LIMIT = 5 * 1024 * 1024;

describe('a batch', () => {
  test('answers 200 with a result for each row in its place, and the counts', async () => {
    const known = leadBody();
    await post(known);
    const patched = leadBody();
    await post(patched);
    const bodies = [leadBody(), known, { ...patched, source: 'x' }, leadBody({ phone: 'no' })];
    const answer = await batch(bodies);
    assert.equal(answer.status, 200);
    const { ok, results, counts } = answer.json;
    assert.equal(ok, true);
    assert.deepEqual(counts, { inserted: 1, patched: 1, deduped: 1, failed: 1 });
    assert.deepEqual(
      results.map((result: Json) => result.index),
      [0, 1, 2, 3],
    );
    assert.deepEqual(statuses(answer), ['inserted', 'deduped', 'patched', 'failed']);
    for (const n of [0, 1, 2]) {
      const stored = (await get(bodies[n]?.external_lead_id ?? '')).json.lead;
      assert.equal(results[n].lead_id, stored.id);
      assert.equal('error' in results[n], false);
    }
    assert.equal(results[3].lead_id, null);
    assert.equal(
      results[3].error,
      'phone must be in international format with a leading plus sign',
    );
  });

  test('stores what a single post would store', async () => {
    const fields = {
      email: 'a@example.com',
      custom_fields: { a: { b: null, c: 1 } },
      status: 'qualified',
    };
    const single = leadBody({ ...fields, phone: '+1 (415) 555-0132' });
    const inBatch = { ...single, external_lead_id: freshId() };
    await post(single);
    await batch([inBatch]);
    const without = ({ id, external_lead_id, created_at, updated_at, ...rest }: Json) => rest;
    const [a, b] = await Promise.all([get(single.external_lead_id), get(inBatch.external_lead_id)]);
    assert.deepEqual(without(b.json.lead), without(a.json.lead));
  });

  test('fails every bad row by itself with the summary of a single post, and stores all others', async () => {
    const bad: unknown[] = [
      null,
      7,
      'x',
      [],
      {},
      leadBody({ campaign_id: 99 }),
      leadBody({ campaign_id: '1' }),
      leadBody({ unknown: 1 }),
      leadBody({ external_lead_id: '' }),
      leadBody({ first_name: '\u0000' }),
      leadBody({ status: 'sold' }),
      leadBody({ phone: null }),
      [leadBody()],
    ];
    const rows = bad.flatMap((row) => [row, leadBody()]);
    const answer = await batch(rows);
    assert.equal(answer.status, 200, answer.text);
    const { results, counts } = answer.json;
    assert.deepEqual(counts, { inserted: bad.length, patched: 0, deduped: 0, failed: bad.length });
    for (const [n, row] of rows.entries()) {
      if (n % 2 === 1) {
        assert.equal(results[n].status, 'inserted');
        continue;
      }
      const single = await post(JSON.stringify(row));
      assert.equal(single.status, 400);
      assert.equal(results[n].lead_id, null);
      if (Object.keys(row ?? {}).length > 0) assert.equal(results[n].error, single.json.error);
    }
  });

  test('rows of one tuple take effect in their order', async () => {
    const a = leadBody({ source: '1' });
    const other = leadBody();
    const answer = await batch([
      a,
      other,
      { ...a, source: '2' },
      { ...a, source: '2' },
      { ...a, source: '3', custom_fields: { k: 1 } },
      other,
      { ...a, source: '4', custom_fields: { k: null } },
    ]);
    assert.deepEqual(statuses(answer), [
      'inserted',
      'inserted',
      'patched',
      'deduped',
      'patched',
      'deduped',
      'patched',
    ]);
    const { lead } = (await get(a.external_lead_id)).json;
    assert.equal(lead.source, '4');
    assert.deepEqual(lead.custom_fields, {});
    const sources = (await history(lead.id)).json.history.map(
      (record: Json) => record.changes.find((change: Json) => change.field === 'source').after,
    );
    assert.deepEqual(sources, ['4', '3', '2', '1']);
  });

  test('100 rows of one tuple end with the last one', async () => {
    const body = leadBody();
    const answer = await batch(
      Array.from({ length: 100 }, (_, n) => ({ ...body, source: `s${n}` })),
    );
    assert.deepEqual(answer.json.counts, { inserted: 1, patched: 99, deduped: 0, failed: 0 });
    assert.equal((await get(body.external_lead_id)).json.lead.source, 's99');
  });

  test('of 1000 leads is stored whole, each with an audit record and an event; 1001 are refused whole', async () => {
    const bodies = Array.from({ length: 1001 }, () => leadBody({ source: 'thousand' }));
    assertFails(await batch(bodies), 400, /1000/);
    assertFails(await ndjson(bodies.map((body) => JSON.stringify(body)).join('\n')), 400, /1000/);
    const stored = "SELECT id FROM leads WHERE source = 'thousand'";
    assert.equal((await database.query(stored)).length, 0);
    const answer = await batch(bodies.slice(1));
    assert.deepEqual(answer.json.counts, { inserted: 1000, patched: 0, deduped: 0, failed: 0 });
    assert.equal((await database.query(stored)).length, 1000);
    for (const table of ['events', 'lead_audit_records']) {
      const rows = await database.query(`SELECT 1 FROM ${table} WHERE lead_id IN (${stored})`);
      assert.equal(rows.length, 1000, table);
    }
    assert.equal((await batch(bodies.slice(1))).json.counts.deduped, 1000);
  });

  test('without rows is refused', async () => {
    assertFails(await batch([]), 400);
    assertFails(await ndjson('\n\n'), 400);
  });

  test('that is not { "leads": [ … ] } is refused', async () => {
    for (const body of [
      '{}',
      '[]',
      'null',
      '1',
      '"x"',
      '{"leads":{}}',
      '{"leads":null}',
      '{"leads":"x"}',
    ]) {
      assertFails(await json(body), 400);
    }
    assertFails(
      await json(`{"leads":[${JSON.stringify(leadBody())}],"more":1}`),
      400,
      /more|leads/,
    );
  });

  test('that is no JSON is refused whole: malformed_json', async () => {
    const row = JSON.stringify(leadBody());
    for (const body of [
      `{"leads":[${row},]}`,
      `{"leads":[${row}`,
      `{"leads":[${row}],"leads":[]}`,
    ]) {
      assertFails(await json(body), 400, 'malformed_json');
    }
    assertFails(await json(''), 400, 'empty_body');
    assertFails(await call('POST', BATCH, { key: ours.full }), 400, 'empty_body');
  });

  test('is read as JSON whatever other content type it has', async () => {
    for (const type of [
      'text/plain',
      'application/octet-stream',
      undefined,
      'application/xml; x=y',
      'nonsense',
    ]) {
      const body = JSON.stringify({ leads: [leadBody()] });
      const headers = { 'content-type': type };
      const answer = await call('POST', BATCH, { key: ours.full, body, headers });
      assert.equal(answer.status, 200, `${type}: ${answer.text}`);
    }
  });

  test('of 5 MiB is accepted, and one byte more is 413', async () => {
    const text = JSON.stringify({ leads: [leadBody()] });
    assert.equal((await json(text.padEnd(SIZE_LIMIT))).status, 200);
    assertFails(await json(text.padEnd(SIZE_LIMIT + 1)), 413, 'payload_too_large');
    const line = `${JSON.stringify(leadBody())}\n`;
    assert.equal((await ndjson(line.padEnd(SIZE_LIMIT, '\n'))).status, 200);
    assertFails(await ndjson(line.padEnd(SIZE_LIMIT + 1, '\n')), 413, 'payload_too_large');
    const chunked = { key: ours.full, body: text.padEnd(SIZE_LIMIT + 1), chunked: true };
    assertFails(await call('POST', BATCH, chunked), 413, 'payload_too_large');
  });

  test('needs leads:write', async () => {
    assertFails(await batch([leadBody()], { key: ours.reader }), 403, 'scope_required:leads:write');
  });
});

describe('newline-delimited JSON', () => {
  test('is read line by line; empty lines, CRLF and a missing last newline do not matter', async () => {
    const rows = [leadBody(), leadBody(), leadBody()].map((row) => JSON.stringify(row));
    const answer = await ndjson(`\n${rows[0]}\r\n\r\n${rows[1]}\n\n${rows[2]}`);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(statuses(answer), ['inserted', 'inserted', 'inserted']);
  });

  test('a line that is no JSON fails by itself', async () => {
    const row = () => JSON.stringify(leadBody());
    const lines = [row(), '{"campaign_id":1,', row(), 'nonsense', '{"a":1,"a":2}', row()];
    const answer = await ndjson(lines.join('\n'));
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(statuses(answer), [
      'inserted',
      'failed',
      'inserted',
      'failed',
      'failed',
      'inserted',
    ]);
    for (const n of [1, 3, 4]) assert.equal(answer.json.results[n].error, 'malformed_json');
  });

  test('keeps the order of rows of one tuple', async () => {
    const body = leadBody();
    const rows = [body, { ...body, source: 'a' }, { ...body, source: 'b' }];
    const answer = await ndjson(rows.map((row) => JSON.stringify(row)).join('\n'));
    assert.deepEqual(statuses(answer), ['inserted', 'patched', 'patched']);
    assert.equal((await get(body.external_lead_id)).json.lead.source, 'b');
  });

  test('is recognised with parameters and in any case of the content type', async () => {
    for (const type of ['application/x-ndjson; charset=utf-8', 'Application/X-NDJSON']) {
      const text = `${JSON.stringify(leadBody())}\n${JSON.stringify(leadBody())}`;
      assert.equal((await ndjson(text, type)).json.counts?.inserted, 2, type);
    }
  });
});

describe('concurrent batches', () => {
  test('of the same tuples insert each lead exactly once', async () => {
    const bodies = Array.from({ length: 200 }, () => leadBody({ phone: PHONE }));
    const reversed = [...bodies].reverse();
    const answers = await Promise.all(
      [bodies, reversed, bodies, reversed].map((rows) => batch(rows)),
    );
    const sum = (name: string) =>
      answers.reduce((total, answer) => total + answer.json.counts[name], 0);
    assert.deepEqual([sum('inserted'), sum('deduped'), sum('failed')], [200, 600, 0]);
    const ids = answers.map((answer, n) => {
      const found = answer.json.results.map((result: Json) => result.lead_id);
      return n % 2 ? found.reverse() : found;
    });
    for (const found of ids) assert.deepEqual(found, ids[0]);
  });
});
