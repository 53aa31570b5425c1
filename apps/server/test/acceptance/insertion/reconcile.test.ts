import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { createKey, type Json } from '../../support/index.ts';
import { limitOf } from '../../support/rate-limit.ts';
import { assertFails, freshId, openScene, PHONE, RECONCILE } from './scene.ts';

const { call, insert, batch, patch, ours, theirs, database } = await openScene();

/** Of a lead with this phone number and nothing else; the canonical JSON is written out. */
const hashOfPhone = (phone: string) =>
  createHash('sha256').update(`{"phone":"${phone}"}`).digest('hex');
const HASH = hashOfPhone(PHONE);
const row = (external_lead_id: string, fields: object = {}) => ({
  ...{ campaign_id: 1, external_lead_id, content_hash: HASH },
  ...fields,
});
const leadOf = (external_lead_id: string) => ({ campaign_id: 1, external_lead_id, phone: PHONE });
const reconcile = (leads: unknown, options: object = {}, more: object = { fields: ['phone'] }) =>
  call('POST', RECONCILE, { key: ours.full, body: { leads, ...more }, ...options });
const resultsOf = ({ json }: { json: Json }) => json.results.map((one: Json) => one.result);

describe('a reconciliation', () => {
  test('says of each row whether it agrees, differs or is missing, in the order of the rows', async () => {
    const [a, b] = [await insert(), await insert({ phone: '+442079460018' })];
    const answer = await reconcile([
      ...[row(b.external_lead_id), row('nobody'), row(a.external_lead_id)],
      row(a.external_lead_id, { campaign_id: 2 }),
      ...[row(b.external_lead_id, { content_hash: hashOfPhone('+442079460018') })],
    ]);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json, {
      ok: true,
      results: [
        { index: 0, result: 'differs', lead_id: b.id },
        { index: 1, result: 'missing', lead_id: null },
        { index: 2, result: 'agrees', lead_id: a.id },
        { index: 3, result: 'missing', lead_id: null },
        { index: 4, result: 'agrees', lead_id: b.id },
      ],
      counts: { agrees: 2, differs: 1, missing: 2 },
    });
  });

  test('answers each of rows that are the same', async () => {
    const { external_lead_id } = await insert();
    const answer = await reconcile(Array.from({ length: 50 }, () => row(external_lead_id)));
    assert.deepEqual(answer.json.counts, { agrees: 50, differs: 0, missing: 0 });
  });

  test('sees what a write before it has changed', async () => {
    const { external_lead_id } = await insert();
    await patch(external_lead_id, { email: 'a@example.com', phone: null });
    assert.deepEqual(resultsOf(await reconcile([row(external_lead_id)])), ['differs']);
  });

  test('takes a thousand rows whose ids are as long as they may be, and refuses one more', async () => {
    const long = (n: number) => `${n}-${'\u{1F600}'.repeat(250)}`;
    const ids = Array.from({ length: 1001 }, (_, n) => long(n));
    await batch(ids.slice(0, 3).map(leadOf));
    const answer = await reconcile(ids.slice(0, 1000).map((id) => row(id)));
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json.counts, { agrees: 3, differs: 0, missing: 997 });
    assert.deepEqual(
      answer.json.results.map(({ index }: Json) => index),
      Array.from({ length: 1000 }, (_, n) => n),
    );
    assertFails(
      await reconcile(ids.map((id) => row(id))),
      400,
      'leads must have at most 1000 entries',
    );
  });

  test('writes nothing', async () => {
    const { id, external_lead_id } = await insert();
    const snapshot = () =>
      database.query(`SELECT version, updated_at::text,
        (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM lead_audit_records) AS records
        FROM leads WHERE id = '${id}'`);
    const before = await snapshot();
    await reconcile([row(external_lead_id), row(freshId())]);
    assert.deepEqual(await snapshot(), before);
  });
});

describe('of another account', () => {
  test('a lead is missing, exactly as one that nobody has', async () => {
    const own = await insert({ campaign_id: 2 });
    const ask = (external_lead_id: string, campaign_id: number) =>
      reconcile([row(external_lead_id, { campaign_id })], { key: theirs.full });
    const foreign = await ask(own.external_lead_id, 2);
    const absent = await ask('nobody', 2147483647);
    assert.deepEqual(resultsOf(foreign), ['missing']);
    assert.deepEqual(foreign.json, absent.json);
    assert.deepEqual(Object.keys(foreign.headers).sort(), Object.keys(absent.headers).sort());
  });

  test('a lead with the same tuple is not looked at', async () => {
    const own = await insert();
    const body = { ...leadOf(own.external_lead_id), phone: '+442079460018' };
    await batch([body], { key: theirs.full });
    assert.deepEqual(resultsOf(await reconcile([row(own.external_lead_id)])), ['agrees']);
    const other = await reconcile([row(own.external_lead_id)], { key: theirs.full });
    assert.deepEqual(resultsOf(other), ['differs']);
  });
});

describe('a reconciliation that cannot be', () => {
  test('is refused with what is wrong, row by row', async () => {
    const bad: [leads: unknown, says: string][] = [
      [[], 'leads must have at least one entry'],
      ['x', 'leads must be an array'],
      [undefined, 'leads is required'],
      [[row('a'), null], 'leads.1 must be an object'],
      [[row('a'), [row('b')]], 'leads.1 must be an object'],
      [
        [row('a', { content_hash: HASH.toUpperCase() })],
        'leads.0.content_hash must be a SHA-256 as 64 lower-case hex digits',
      ],
      [[{ ...row('a'), content_hash: undefined }], 'leads.0.content_hash is required'],
      [[row('')], 'leads.0.external_lead_id must not be empty'],
      [[row('a\u0000')], 'leads.0.external_lead_id must not contain control characters'],
      [[row('a', { phone: PHONE })], 'leads.0.phone is not a known field'],
      [
        [row('a', { campaign_id: '1' })],
        'leads.0.campaign_id must be an integer from 1 to 2147483647',
      ],
    ];
    for (const [leads, says] of bad) assertFails(await reconcile(leads), 400, says);
    const half = `{"leads":[${JSON.stringify(row('HALF')).replace('HALF', '\\ud800')}]}`;
    const answer = await call('POST', RECONCILE, { key: ours.full, body: half });
    assertFails(answer, 400, /^leads\.0\.external_lead_id must not contain/);
  });

  test('names no more than twenty failures', async () => {
    const answer = await reconcile(Array.from({ length: 1000 }, () => ({})));
    assertFails(answer, 400);
    assert.equal(answer.json.errors.length, 20);
  });

  test('names of a hundred thousand fields no more than may be there', async () => {
    const fields = Array.from({ length: 100_000 }, (_, n) => n);
    const answer = await reconcile([row('a')], {}, { fields });
    assertFails(answer, 400, /^fields must have at most 12 entries, fields\.0 must be a string/);
    assert.ok(answer.json.errors.length <= 20, `${answer.json.errors.length} failures`);
  });

  test('is refused for fields that are none, twice the same, or none at all', async () => {
    const bad: [fields: unknown, says: RegExp][] = [
      [['phones'], /^fields\.0 must be phone or /],
      [['phone', 'phone'], /^fields must not have an entry twice$/],
      [[], /^fields must have at least one entry$/],
      ['phone', /^fields must be an array$/],
    ];
    for (const [fields, says] of bad) {
      assertFails(await reconcile([row('a')], {}, { fields }), 400, says);
    }
    assertFails(
      await reconcile([row('a')], {}, { field: [] }),
      400,
      /^field is not a known field$/,
    );
  });

  test('is refused where it is no JSON, or too large', async () => {
    const send = (body: string) => call('POST', RECONCILE, { key: ours.full, body });
    assertFails(await send('{'), 400, 'malformed_json');
    assertFails(await send(''), 400, 'empty_body');
    assertFails(await send(' '.repeat(2 * 1024 * 1024 + 1)), 413, 'payload_too_large');
  });

  test('is refused without leads:read', async () => {
    assertFails(
      await reconcile([row('a')], { key: ours.writer }),
      403,
      'scope_required:leads:read',
    );
    assert.equal((await reconcile([row('a')], { key: ours.reader })).status, 200);
    assert.equal((await reconcile([row('a')], { key: undefined, hmac: ours.reader })).status, 200);
  });
});

describe('the rate limit', () => {
  const keyOf = (rateLimit: string) => createKey(database.env, ours.id, { rateLimit });
  const rows = (count: number) => Array.from({ length: count }, () => row('nobody'));

  test('is charged one unit for each hundred rows begun, and one for what cannot be read', async () => {
    const key = await keyOf('10/3600');
    const left = async (leads: unknown) => limitOf(await reconcile(leads, { key })).left;
    assert.deepEqual([await left(rows(100)), await left(rows(101)), await left('x')], [9, 7, 6]);
    const refused = await reconcile(rows(601), { key });
    assertFails(refused, 429, 'rate_limited');
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/);
    assert.equal(limitOf(refused).left, 5, 'to be asked costs one, whatever the answer');
    assert.deepEqual([await left(rows(401)), await left('x')], [0, 0]);
  });

  test('is charged no more than the whole limit of the key', async () => {
    const key = await keyOf('3/3600');
    const answer = await reconcile(rows(1000), { key });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(limitOf(answer).left, 0);
    assertFails(await reconcile(rows(1), { key }), 429, 'rate_limited');
  });
});
