import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type CallOptions, createKey, eventually, type Json } from '../../support/index.ts';
import { fields } from './arbitraries.ts';
import { assertFails, BATCH, freshId, LEADS, leadBody, openScene, PHONE } from './scene.ts';

const { call, insert, get, post, batch, ours, theirs, database } = await openScene();

const ONLY = '?validate_only=true';
const check = (body: unknown, options: CallOptions = {}) =>
  call('POST', LEADS + ONLY, { key: ours.full, ...options, body });
const checkBatch = (leads: unknown[], options: CallOptions = {}) =>
  call('POST', BATCH + ONLY, { key: ours.full, ...options, body: { leads } });

/** What a write of a lead leaves behind, in every account, and what is counted of it. */
async function traces(): Promise<Json> {
  const tables = ['leads', 'lead_audit_records', 'events', 'deliveries', 'lead_consents'];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const updated = '(SELECT max(updated_at)::text FROM leads) AS updated';
  const [row] = await database.query(`SELECT ${counts.join(', ')}, ${updated}`);
  const { text } = await call('GET', '/metrics');
  const counted = text.split('\n').filter((line) => line.startsWith('leadwire_leads_total{'));
  assert.ok(counted.length > 0);
  return { ...row, counted };
}

const stored = ({ id, account_id, created_at, updated_at, ...content }: Json) => content;

describe('a post with validate_only=true', () => {
  test('answers what the same post without it answers then, and writes nothing before', async () => {
    const known = await insert({ custom_fields: { a: 1 }, address: { city: 'Ulm' } });
    const { external_lead_id } = known;
    const bodies = [
      leadBody({ phone: '+1 (415) 555-0132', custom_fields: { gone: null, b: [1] } }),
      { campaign_id: 1, external_lead_id, phone: known.phone },
      { campaign_id: 1, external_lead_id, custom_fields: { a: null }, status: 'qualified' },
      { campaign_id: 1, external_lead_id, address: { zip: '89073' } },
    ];
    const outcomes = [];
    for (const body of bodies) {
      const before = await traces();
      const checked = await check(body);
      assert.deepEqual(await traces(), before);
      const posted = await post(body);
      assert.equal(checked.status, 200, checked.text);
      assert.equal('location' in checked.headers, false);
      const { status, changed, lead } = posted.json;
      const lead_id = status === 'inserted' ? null : lead.id;
      const says = { ok: true, validate_only: true, status, changed, lead_id, lead: stored(lead) };
      assert.deepEqual(checked.json, says);
      outcomes.push(status);
    }
    assert.deepEqual(outcomes, ['inserted', 'deduped', 'patched', 'patched']);
  });

  test('refuses what the same post without it refuses, word for word', async () => {
    const known = await insert({ email: 'a@example.com', phone: null });
    const { external_lead_id } = known;
    const bad = [
      ...['{', '', '[]', {}],
      leadBody({ phone: '415' }),
      leadBody({ fist_name: 'Ada' }),
      leadBody({ campaign_id: 99 }),
      leadBody({ phone: null }),
      { campaign_id: 1, external_lead_id, email: null },
      { campaign_id: 1, external_lead_id, custom_fields: { a: 'x'.repeat(70_000) } },
    ];
    for (const body of bad) {
      const [checked, posted] = [await check(body), await post(body)];
      assert.equal(posted.status, 400, posted.text);
      const { request_id: _a, ...says } = checked.json;
      const { request_id: _b, ...wanted } = posted.json;
      assert.deepEqual([checked.status, says], [400, wanted]);
    }
  });

  test('of a known lead may leave out phone and email, of an unknown one not', async () => {
    const { external_lead_id } = await insert();
    const known = await check({ campaign_id: 1, external_lead_id, source: 'x' });
    assert.equal(known.json.status, 'patched');
    assertFails(
      await check({ campaign_id: 1, external_lead_id: freshId() }),
      400,
      /phone or email/,
    );
  });

  test('is in the same account alone', async () => {
    const { external_lead_id } = await insert();
    const answer = await check(leadBody({ external_lead_id }), { key: theirs.full });
    assert.deepEqual([answer.json.status, answer.json.lead_id], ['inserted', null]);
    assertFails(await check(leadBody({ campaign_id: 2 }), { key: theirs.full }), 400);
  });

  test('needs leads:write, is signed with its query, and costs the rate limit a unit', async () => {
    assertFails(await check(leadBody(), { key: ours.reader }), 403, 'scope_required:leads:write');
    const signed = await check(leadBody(), { key: undefined, hmac: ours.writer });
    assert.equal(signed.status, 200, signed.text);
    const key = await createKey(database.env, ours.id, { rateLimit: '10/3600' });
    assert.match(String((await check(leadBody(), { key })).headers.ratelimit), /r=9;/);
    const rows = [leadBody(), leadBody(), leadBody()];
    assert.match(String((await checkBatch(rows, { key })).headers.ratelimit), /r=6;/);
  });
});

describe('a batch with validate_only=true', () => {
  test('answers what the same batch without it answers then, but ids of leads that are not there', async () => {
    const [known, other] = [await insert(), await insert()];
    const fresh = leadBody();
    const rows = [
      leadBody(),
      { campaign_id: 1, external_lead_id: known.external_lead_id, source: 'a' },
      // Each sees what the one before would have done.
      ...[fresh, fresh, { ...fresh, source: 'b' }],
      { campaign_id: 1, external_lead_id: fresh.external_lead_id, phone: null },
      ...[leadBody({ phone: 'no' }), null, { campaign_id: 1, external_lead_id: freshId() }],
      leadBody({ external_lead_id: other.external_lead_id }),
      { campaign_id: 1, external_lead_id: known.external_lead_id, source: 'a' },
    ];
    const before = await traces();
    const checked = await checkBatch(rows);
    assert.deepEqual(await traces(), before);
    const posted = await batch(rows);
    const there = new Set([known.id, other.id]);
    assert.equal(checked.status, 200, checked.text);
    assert.deepEqual(checked.json, {
      ...posted.json,
      validate_only: true,
      results: posted.json.results.map((row: Json) => ({
        ...row,
        lead_id: there.has(row.lead_id) ? row.lead_id : null,
      })),
    });
    assert.deepEqual(posted.json.counts, { inserted: 2, patched: 2, deduped: 3, failed: 4 });
  });

  test('of a thousand rows as lines writes nothing', async () => {
    const before = await traces();
    const body = Array.from({ length: 1000 }, () => `${JSON.stringify(leadBody())}\n`).join('');
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await call('POST', BATCH + ONLY, { key: ours.full, body, headers });
    assert.deepEqual(answer.json.counts, { inserted: 1000, patched: 0, deduped: 0, failed: 0 });
    assert.deepEqual(await traces(), before);
  });
});

test('says of any rows, one by one and as a batch, what they do then', async () => {
  const there = new Set<string>();
  // Few, so that rows meet what those before them have left.
  const tuple = fc.record({
    campaign_id: fc.constantFrom(1, 1, 1, 1, 2, 99),
    external_lead_id: fc.constantFrom(freshId(), freshId()),
  });
  const few = { phone: fc.constantFrom(null, PHONE), source: fc.constantFrom(null, 'a') };
  const values = fc.oneof(fields, fc.record(few, { requiredKeys: [] }));
  const lead = fc.tuple(tuple, values).map(([ids, sent]) => ({ ...ids, ...sent }));
  const odd = fc.constantFrom<unknown>(null, [], {}, { campaign_id: 1 }, leadBody({ phone: '1' }));
  const rows = fc.array(fc.oneof({ weight: 9, arbitrary: lead }, { weight: 1, arbitrary: odd }), {
    ...{ minLength: 1, maxLength: 10 },
  });
  const says = ({
    request_id: _id,
    lead: shown,
    lead_id,
    validate_only: _only,
    ...rest
  }: Json) => ({
    ...{ ...rest, lead_id: shown?.id && there.has(shown.id) ? shown.id : (lead_id ?? null) },
    lead: shown && stored(shown),
  });
  const asBatch = async (leads: unknown[]) => {
    const [checked, posted] = [(await checkBatch(leads)).json, (await batch(leads)).json];
    const results = posted.results.map((row: Json) => ({
      ...{ ...row, lead_id: there.has(row.lead_id) ? row.lead_id : null },
    }));
    assert.deepEqual(checked, { ...posted, validate_only: true, results });
    for (const { lead_id } of posted.results) there.add(lead_id);
  };
  const alone = async (body: unknown) => {
    const [checked, posted] = [(await check(body)).json, (await post(body)).json];
    assert.deepEqual(says(checked), says(posted));
    if (posted.lead) there.add(posted.lead.id);
  };
  await fc.assert(
    fc.asyncProperty(lead, rows, async (one, leads) => {
      await alone(one);
      await asBatch(leads);
    }),
    { numRuns: 40 },
  );
});

describe('the parameter validate_only', () => {
  test('with false, as without it, writes', async () => {
    const answer = await call('POST', `${LEADS}?validate_only=false`, {
      ...{ key: ours.full, body: leadBody() },
    });
    assert.equal(answer.status, 201, answer.text);
    assert.equal((await get(answer.json.lead.external_lead_id)).status, 200);
    const rows = { key: ours.full, body: { leads: [leadBody()] } };
    const inBatch = await call('POST', `${BATCH}?validate_only=false`, rows);
    assert.equal('validate_only' in inBatch.json, false);
    assert.equal(inBatch.json.counts.inserted, 1);
  });

  test('with any other value, twice, or spelt otherwise is refused, and nothing is written', async () => {
    const before = await traces();
    const wrong: [query: string, says: RegExp][] = [
      ['validate_only=1', /^validate_only must be true or false$/],
      ['validate_only=TRUE', /^validate_only must be true or false$/],
      ['validate_only=', /^validate_only must be true or false$/],
      ['validate_only', /^validate_only must be true or false$/],
      ['validate_only=true&validate_only=true', /^validate_only must be /],
      ['validateOnly=true', /^validateOnly is not a known parameter: write validate_only=true$/],
      ['VALIDATE_ONLY=true', /write validate_only=true$/],
      ['validate-only=true', /write validate_only=true$/],
      ['validate_only%5B%5D=true', /write validate_only=true$/],
      ['dry_run=1', /^dry_run is not a known parameter: write validate_only=true$/],
      ['dryRun', /write validate_only=true$/],
      ['validate=true&validate_only=true', /write validate_only=true$/],
      ['%00dry_run=1', /^dry_run is not/],
    ];
    for (const [query, says] of wrong) {
      for (const [path, body] of [
        [LEADS, leadBody()],
        [BATCH, { leads: [leadBody()] }],
      ] as const) {
        assertFails(await call('POST', `${path}?${query}`, { key: ours.full, body }), 400, says);
      }
    }
    assert.deepEqual(await traces(), before);
  });

  test('is refused by PATCH, which has no such thing, and nothing is written', async () => {
    const { external_lead_id } = await insert();
    const before = await traces();
    for (const query of ['validate_only=true', 'validateOnly=true', 'dry_run=1']) {
      const options = { key: ours.full, body: { source: 'x' } };
      const answer = await call('PATCH', `${LEADS}/${external_lead_id}?${query}`, options);
      assertFails(answer, 400, / is not a known parameter: this request is always carried out$/);
    }
    assert.deepEqual(await traces(), before);
  });

  test('stands beside others, which turn no lead away', async () => {
    const options = () => ({ key: ours.full, body: leadBody() });
    const written = await call('POST', `${LEADS}?utm_source=x&limit=7`, options());
    assert.equal(written.status, 201, written.text);
    const checked = await call('POST', `${LEADS}?utm_source=x&validate_only=true`, options());
    assert.equal(checked.json.validate_only, true);
  });
});

test('rows that are refused are remembered for the key, as they are without validate_only', async () => {
  const key = await createKey(database.env, ours.id, { name: 'refused' });
  await checkBatch([leadBody({ phone: 'no' })], { key });
  await check(leadBody({ email: 'no' }), { key });
  await eventually(async () => {
    const rows = await database.query(
      `SELECT batch_row, message FROM refused_requests r JOIN api_keys k ON k.id = r.key_id
       WHERE k.name = 'refused' ORDER BY batch_row`,
    );
    const seen = rows.map(({ batch_row, message }: Json) => [batch_row, message.split(' ')[0]]);
    assert.deepEqual(seen, [
      [0, 'phone'],
      [null, 'email'],
    ]);
  });
});
