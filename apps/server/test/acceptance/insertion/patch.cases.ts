import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFails, leadBody, openScene, PHONE } from './scene.ts';

const { post, get, patch, insert, call, one, ours, history, database } = await openScene();

describe('PATCH', () => {
  test('changes what is sent, keeps the rest, and answers the stored lead and what changed', async () => {
    const lead = await insert({ first_name: 'Ada', custom_fields: { a: 1 } });
    const answer = await patch(lead.id, {
      status: 'contacted',
      first_name: null,
      custom_fields: { b: 2 },
    });
    assert.equal(answer.status, 200);
    const { ok, changed, lead: edited } = answer.json;
    assert.equal(ok, true);
    assert.deepEqual(changed, ['first_name', 'custom_fields', 'status']);
    assert.ok(edited.updated_at > lead.updated_at);
    assert.deepEqual(edited, {
      ...{ ...lead, first_name: null, status: 'contacted', custom_fields: { a: 1, b: 2 } },
      updated_at: edited.updated_at,
    });
    assert.deepEqual((await get(lead.id)).json.lead, edited);
  });

  test('normalises as POST does', async () => {
    const lead = await insert();
    const { lead: edited } = (
      await patch(lead.id, {
        phone: '+44 (20) 7946-0958',
        tcpa_consent_timestamp: '2026-01-15T12:30:00+02:00',
      })
    ).json;
    assert.equal(edited.phone, '+442079460958');
    assert.equal(Date.parse(edited.tcpa_consent_timestamp), Date.parse('2026-01-15T10:30:00Z'));
    assert.ok(edited.tcpa_consent_timestamp.endsWith('Z'));
  });

  test('that changes nothing answers 200 with changed [] and writes nothing', async () => {
    const lead = await insert({ email: 'a@example.com', custom_fields: { a: { b: 1 } } });
    const { etag } = (await get(lead.id)).headers;
    const bodies = [
      { phone: '+1 415 555 0132' },
      { email: 'a@EXAMPLE.com' },
      { custom_fields: {} },
    ];
    for (const body of [...bodies, { custom_fields: { a: { b: 1 } } }, { status: 'new' }]) {
      const answer = await patch(lead.id, body);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json, { ok: true, lead, changed: [] });
    }
    assert.equal((await get(lead.id)).headers.etag, etag);
    assert.equal((await history(lead.id)).json.history.length, 1);
  });

  for (const field of ['campaign_id', 'external_lead_id', 'id', 'account_id', 'created_at']) {
    test(`refuses ${field}`, async () => {
      const lead = await insert();
      assertFails(
        await patch(lead.id, { [field]: lead[field], source: 'x' }),
        400,
        new RegExp(field),
      );
      assert.deepEqual((await get(lead.id)).json.lead, lead);
    });
  }

  test('refuses unknown fields and points to custom_fields', async () => {
    const lead = await insert();
    assertFails(await patch(lead.id, { sauce: 'x' }), 400, /sauce.*custom_fields/);
  });

  test('refuses to clear the last of phone and email, and allows it where the other is left', async () => {
    const lead = await insert();
    assertFails(await patch(lead.id, { phone: null }), 400, /phone.*email|email.*phone/);
    assert.deepEqual((await get(lead.id)).json.lead, lead);
    assert.equal((await patch(lead.id, { phone: null, email: 'a@example.com' })).status, 200);
    assertFails(await patch(lead.id, { email: null }), 400, /phone.*email|email.*phone/);
    assert.equal((await patch(lead.id, { email: null, phone: PHONE })).status, 200);
  });

  test('without a body, with an empty one or with {}: 400 empty_body', async () => {
    const lead = await insert();
    for (const body of [undefined, '', '{}', ' { } ']) {
      assertFails(await patch(lead.id, body), 400, 'empty_body');
    }
    assertFails(
      await call('PATCH', one(lead.id), { key: ours.full, body: '', chunked: true }),
      400,
      'empty_body',
    );
  });

  test('checks the body before it looks for the lead', async () => {
    assertFails(await patch('nothing', {}), 400, 'empty_body');
    assertFails(await patch('nothing', { phone: 'x' }), 400, /^phone /);
  });

  test('cannot grow custom_fields over 64 KiB in steps', async () => {
    const lead = await insert();
    assert.equal((await patch(lead.id, { custom_fields: { a: 'x'.repeat(40_000) } })).status, 200);
    assertFails(
      await patch(lead.id, { custom_fields: { b: 'x'.repeat(40_000) } }),
      400,
      /custom_fields/,
    );
    assert.equal(
      (await patch(lead.id, { custom_fields: { a: null, b: 'x'.repeat(40_000) } })).status,
      200,
    );
  });
});

describe('If-Match', () => {
  const etagOf = async (id: string) => String((await get(id)).headers.etag);
  const ifMatch = (value: string) => ({ headers: { 'if-match': value } });

  test('with the current ETag the lead is written', async () => {
    const lead = await insert();
    assert.equal(
      (await patch(lead.id, { source: 'a' }, ifMatch(await etagOf(lead.id)))).status,
      200,
    );
  });

  test('with an earlier ETag: 409 conflict, and nothing is written', async () => {
    const lead = await insert();
    const stale = await etagOf(lead.id);
    await patch(lead.id, { source: 'a' });
    assertFails(await patch(lead.id, { source: 'b' }, ifMatch(stale)), 409, 'conflict');
    assert.equal((await get(lead.id)).json.lead.source, 'a');
    assert.equal(
      (await patch(lead.id, { source: 'b' }, ifMatch(await etagOf(lead.id)))).status,
      200,
    );
  });

  test('with an earlier ETag it is a 409 even where the PATCH would change nothing', async () => {
    const lead = await insert();
    const stale = await etagOf(lead.id);
    await patch(lead.id, { source: 'a' });
    assertFails(await patch(lead.id, { source: 'a' }, ifMatch(stale)), 409, 'conflict');
  });

  test('with something that is no ETag: 409', async () => {
    const lead = await insert();
    for (const value of ['x', '"x"', '""', 'W/"1"', '1']) {
      assertFails(await patch(lead.id, { source: 'b' }, ifMatch(value)), 409, 'conflict');
    }
  });

  test('an upsert between read and write makes the ETag stale', async () => {
    const body = leadBody();
    const { id } = (await post(body)).json.lead;
    const stale = await etagOf(id);
    await post({ ...body, source: 'upsert' });
    assertFails(await patch(id, { source: 'b' }, ifMatch(stale)), 409, 'conflict');
  });

  test('of 20 concurrent PATCHes with one ETag exactly one wins', async () => {
    for (let round = 0; round < 5; round++) {
      const lead = await insert();
      const etag = await etagOf(lead.id);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => patch(lead.id, { source: `s${n}` }, ifMatch(etag))),
      );
      const winners = answers.filter((answer) => answer.status === 200);
      assert.equal(winners.length, 1);
      for (const answer of answers) if (answer !== winners[0]) assertFails(answer, 409, 'conflict');
      assert.deepEqual((await get(lead.id)).json.lead, winners[0]?.json.lead);
      assert.equal((await history(lead.id)).json.history.length, 2);
    }
  });
});

describe('concurrent writes without If-Match', () => {
  test('PATCHes of different fields: each answers 200 or 409, and no acknowledged one is lost', async () => {
    const lead = await insert();
    const names = Array.from({ length: 30 }, (_, n) => `f${n}`);
    const answers = await Promise.all(
      names.map((name) => patch(lead.id, { custom_fields: { [name]: true } })),
    );
    const kept = names.filter((_, n) => answers[n]?.status === 200);
    for (const answer of answers) if (answer.status !== 200) assertFails(answer, 409, 'conflict');
    assert.ok(kept.length >= 1);
    const { custom_fields } = (await get(lead.id)).json.lead;
    assert.deepEqual(Object.keys(custom_fields).sort(), kept.sort());
    const audit = await database.query('SELECT 1 FROM lead_audit_records WHERE lead_id = $1', [
      lead.id,
    ]);
    assert.equal(audit.length, kept.length + 1);
  });

  test('upserts of different fields are never turned away and none is lost', async () => {
    const body = leadBody();
    await post(body);
    const names = Array.from({ length: 30 }, (_, n) => `f${n}`);
    const answers = await Promise.all(
      names.map((name) => post({ ...body, custom_fields: { [name]: true } })),
    );
    for (const answer of answers) assert.equal(answer.json.status, 'patched', answer.text);
    const { custom_fields } = (await get(body.external_lead_id)).json.lead;
    assert.deepEqual(Object.keys(custom_fields).sort(), names.sort());
  });
});
