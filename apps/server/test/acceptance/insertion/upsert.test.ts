import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  assertFails,
  freshId,
  LEADS,
  leadBody,
  MICROS,
  openScene,
  PHONE,
  UUID_V7,
} from './scene.ts';

const { post, get, call, ours, database, server } = await openScene();

const rich = () => ({
  campaign_id: 2,
  external_lead_id: freshId(),
  phone: PHONE,
  email: 'Ada.L@Example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  source: 'landing page',
  source_form_url: 'https://example.com/solar?a=1#form',
  tcpa_consent: true,
  tcpa_consent_text: 'I agree.',
  tcpa_consent_timestamp: '2026-01-15T10:30:00Z',
  custom_fields: { roof: 'flat', deep: { a: [1, 2, { b: null }], t: true }, n: 1.5 },
  status: 'contacted',
  address: { street: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' },
});

const auditOf = async (id: string): Promise<number> =>
  (await database.query('SELECT 1 FROM lead_audit_records WHERE lead_id = $1', [id])).length;

describe('a new lead', () => {
  test('is inserted: 201, ok, status inserted, nothing changed, and a Location that answers the lead', async () => {
    const answer = await post(leadBody());
    assert.equal(answer.status, 201);
    const { ok, status, changed, lead } = answer.json;
    assert.deepEqual({ ok, status, changed }, { ok: true, status: 'inserted', changed: [] });
    const location = new URL(String(answer.headers.location), server.url);
    assert.equal(location.pathname, `${LEADS}/${lead.id}`);
    const found = await call('GET', location.pathname, { key: ours.full });
    assert.deepEqual(found.json.lead, lead);
  });

  test('keeps every field as sent, and has an id, an account and two equal times', async () => {
    const body = rich();
    const { lead } = (await post(body)).json;
    const { id, account_id, created_at, updated_at, tcpa_consent_timestamp, ...rest } = lead;
    const { tcpa_consent_timestamp: sent, ...written } = body;
    assert.deepEqual(rest, written);
    assert.match(id, UUID_V7);
    assert.equal(account_id, ours.id);
    assert.match(created_at, MICROS);
    assert.equal(updated_at, created_at);
    assert.ok(tcpa_consent_timestamp.endsWith('Z'));
    assert.equal(Date.parse(tcpa_consent_timestamp), Date.parse(sent));
  });

  test('shows null for what was not sent, {} for custom_fields, and status new', async () => {
    const body = leadBody();
    const { id, account_id, created_at, updated_at, ...rest } = (await post(body)).json.lead;
    assert.deepEqual(rest, {
      ...{ ...body, email: null, first_name: null, last_name: null },
      ...{ source: null, source_form_url: null, tcpa_consent: null, tcpa_consent_text: null },
      ...{ tcpa_consent_timestamp: null, custom_fields: {}, status: 'new', address: null },
    });
  });

  test('is the same when it is read back by another request', async () => {
    const { lead } = (await post(rich())).json;
    assert.deepEqual((await get(lead.id)).json, { ok: true, lead });
  });

  test('may have the external id of a lead in another campaign', async () => {
    const first = (await post(leadBody())).json.lead;
    const second = await post(
      leadBody({ external_lead_id: first.external_lead_id, campaign_id: 2 }),
    );
    assert.equal(second.status, 201);
    assert.notEqual(second.json.lead.id, first.id);
  });

  test('external ids are told apart by case, spaces and Unicode form', async () => {
    const base = freshId();
    const ids = [`${base}a`, `${base}A`, ` ${base}a`, `${base}a `, `${base}\u00e9`];
    ids.push(`${base}e\u0301`);
    const answers = await Promise.all(
      ids.map((external_lead_id) => post(leadBody({ external_lead_id }))),
    );
    assert.deepEqual(
      answers.map((answer) => answer.status),
      ids.map(() => 201),
    );
    assert.equal(new Set(answers.map((answer) => answer.json.lead.id)).size, ids.length);
  });

  test('may be signed, and may carry an Idempotency-Key that is no part of its identity', async () => {
    const body = leadBody();
    const headers = { 'idempotency-key': 'abc' };
    assert.equal((await post(body, { key: undefined, hmac: ours.writer, headers })).status, 201);
    const again = await post({ ...body, external_lead_id: freshId() }, { headers });
    assert.equal(again.json.status, 'inserted');
  });

  test('is accepted in a campaign of every state', async () => {
    for (const [campaign_id, state] of [
      [1, 'draft'],
      [2, 'active'],
      [3, 'paused'],
    ] as const) {
      await database.query('UPDATE campaigns SET state = $1 WHERE account_id = $2 AND id = $3', [
        ...[state, ours.id, campaign_id],
      ]);
      assert.equal((await post(leadBody({ campaign_id }))).status, 201, state);
    }
  });
});

describe('the same payload again', () => {
  test('is deduped: 200, the stored lead, and nothing is written', async () => {
    const body = rich();
    const first = (await post(body)).json.lead;
    const again = await post(body);
    assert.equal(again.status, 200);
    assert.deepEqual(again.json, { ok: true, status: 'deduped', changed: [], lead: first });
    assert.equal(again.headers.location, undefined);
    assert.deepEqual((await get(first.id)).json.lead, first);
    assert.equal(await auditOf(first.id), 1);
  });

  const body = rich();
  const { phone: _, ...withoutPhone } = body;
  const same: [string, object][] = [
    [
      'the phone is written with spaces, dots, dashes and parentheses',
      { phone: '+1 (415) 555.01-32' },
    ],
    ['the domain of the email is in another case', { email: 'Ada.L@eXAMPLE.COM' }],
    [
      'the consent time has another offset',
      { tcpa_consent_timestamp: '2026-01-15T12:30:00+02:00' },
    ],
    [
      'the consent time has a western offset',
      { tcpa_consent_timestamp: '2026-01-15T05:00:00-05:30' },
    ],
    ['the consent time has decimals', { tcpa_consent_timestamp: '2026-01-15T10:30:00.000000Z' }],
    ['keys are in another order', Object.fromEntries(Object.entries(body).reverse())],
    [
      'keys of custom_fields are in another order',
      { custom_fields: { n: 1.5, deep: { t: true, a: [1, 2, { b: null }] }, roof: 'flat' } },
    ],
    ['a number is written otherwise', { custom_fields: { n: 15e-1 } }],
    ['keys of address are in another order', { address: { zip: '62701', city: 'Springfield' } }],
    ['an absent member is cleared', { custom_fields: { never: null } }],
  ];
  for (const [what, difference] of same) {
    test(`is deduped although ${what}`, async () => {
      const base = { ...body, external_lead_id: freshId() };
      const first = (await post(base)).json.lead;
      const again = await post({ ...base, ...difference, external_lead_id: base.external_lead_id });
      assert.equal(again.json.status, 'deduped', again.text);
      assert.deepEqual(again.json.lead, first);
    });
  }

  test('is deduped although fields are left out', async () => {
    const base = { ...withoutPhone, external_lead_id: freshId(), phone: PHONE };
    const first = (await post(base)).json.lead;
    const { campaign_id, external_lead_id } = base;
    const again = await post({ campaign_id, external_lead_id });
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(again.json.lead, first);
    assert.equal(again.json.status, 'deduped');
  });

  test('is deduped after the lead was inserted with null members in custom_fields and address', async () => {
    const body = leadBody({
      custom_fields: { a: null, b: { c: null } },
      address: { street: null, city: 'X' },
    });
    const first = (await post(body)).json;
    assert.deepEqual(first.lead.custom_fields, { b: {} });
    assert.deepEqual(first.lead.address, { city: 'X' });
    assert.equal((await post(body)).json.status, 'deduped');
  });

  test('is patched when only the local part of the email is in another case', async () => {
    const body = leadBody({ email: 'ada@example.com' });
    await post(body);
    const again = await post({ ...body, email: 'Ada@example.com' });
    assert.equal(again.json.status, 'patched');
    assert.equal(again.json.lead.email, 'Ada@example.com');
  });
});

describe('a known tuple with changed fields', () => {
  test('is patched in place: 200, the names of what changed in the order of the fields, a later updated_at', async () => {
    const body = rich();
    const first = (await post(body)).json.lead;
    const answer = await post({ ...body, status: 'qualified', email: 'b@example.com' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.location, undefined);
    const { status, changed, lead } = answer.json;
    assert.equal(status, 'patched');
    assert.deepEqual(changed, ['email', 'status']);
    assert.ok(lead.updated_at > first.updated_at);
    const { updated_at } = lead;
    assert.deepEqual(lead, { ...first, email: 'b@example.com', status: 'qualified', updated_at });
    assert.deepEqual((await get(first.id)).json.lead, lead);
  });

  test('keeps what the body leaves out', async () => {
    const body = rich();
    const first = (await post(body)).json.lead;
    const { campaign_id, external_lead_id } = body;
    const { lead } = (await post({ campaign_id, external_lead_id, source: 'other' })).json;
    assert.deepEqual(lead, { ...first, source: 'other', updated_at: lead.updated_at });
  });

  const clearable = ['phone', 'email', 'first_name', 'last_name', 'source', 'source_form_url'];
  clearable.push('tcpa_consent', 'tcpa_consent_text', 'tcpa_consent_timestamp', 'address');
  for (const field of clearable) {
    test(`null clears ${field}`, async () => {
      const body = rich();
      await post(body);
      const { campaign_id, external_lead_id } = body;
      const { changed, lead } = (await post({ campaign_id, external_lead_id, [field]: null })).json;
      assert.deepEqual(changed, [field]);
      assert.equal(lead[field], null);
    });
  }

  test('phone or email must be left: clearing the last of them is refused and changes nothing', async () => {
    for (const [kept, value] of [
      ['phone', PHONE],
      ['email', 'a@example.com'],
    ] as const) {
      const body = { campaign_id: 1, external_lead_id: freshId(), [kept]: value };
      const first = (await post(body)).json.lead;
      assertFails(await post({ ...body, [kept]: null }), 400, /phone.*email|email.*phone/);
      assert.deepEqual((await get(first.id)).json.lead, first);
      const other = kept === 'phone' ? { email: 'z@example.com' } : { phone: PHONE };
      const swapped = await post({ ...body, ...other, [kept]: null });
      assert.equal(swapped.json.status, 'patched', swapped.text);
    }
  });

  test('without phone and email a new lead is refused', async () => {
    const { phone: _, ...body } = leadBody();
    assertFails(await post(body), 400, /phone.*email|email.*phone/);
    assertFails(
      await post({ ...body, phone: null, email: null }),
      400,
      /phone.*email|email.*phone/,
    );
    assertFails(await get(body.external_lead_id), 404, 'not_found');
  });
});
