import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LEAD_FIELDS, PERSONAL_FIELDS } from '@leadwire/contract';
import { eventually, type Json, startReceiver } from '../../support/index.ts';
import { LEADS, openLeadScene } from './lead-scene.ts';

const { server, ours, people, as, insert, patch, database } = await openLeadScene();
const admin = as(people.admin);

/** Stands in every personal value of the tests. */
const MARK = 'xq7person';

const person = (n: number) => ({
  external_lead_id: `order-${n}`,
  phone: `+1777000${1000 + n}`,
  email: `${MARK}.${n}@example.com`,
  first_name: `${MARK} "first"`,
  last_name: `${MARK}-last`,
  source: 'feed',
  source_form_url: `https://example.com/${MARK}`,
  tcpa_consent: true,
  tcpa_consent_text: 'I agree to be called.',
  tcpa_consent_timestamp: '2026-01-15T10:30:00Z',
  custom_fields: { [`key ${MARK}`]: { deep: [MARK] } },
  address: { street: `${MARK} street`, zip: '1' },
});

/** The tables of the store in whose rows a text stands, whatever their columns. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relkind = 'r' AND nspname = 'public'`,
  );
  assert.ok(tables.length > 10);
  const found: string[] = [];
  for (const { name } of tables) {
    // Bytes are searched as what they spell: answers of endpoints are stored so.
    const rows = await database.query(
      `SELECT 1 FROM ${name} AS stored WHERE strpos(stored::text, $1) > 0
         OR strpos(stored::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0 LIMIT 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

const eraseNow = async (id: string): Promise<Json> => {
  const { json } = await admin.get(id);
  const answer = await admin.erase(id, json.version);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.lead;
};

describe('erasing a person', () => {
  test('leaves none of their values anywhere in the store, and tells the endpoints', async () => {
    const receiver = await startReceiver();
    receiver.respond((request) => ({ status: 200, body: `got ${request.body}` }));
    const hook = { url: receiver.url, events: ['lead.created', 'lead.updated'] };
    const { json: webhook } = await server.call('POST', '/api/v1/webhooks', {
      ...{ key: ours.full, body: hook },
    });
    const lead = await insert(person(1));
    await patch(lead.id, { first_name: `${MARK} other`, custom_fields: { more: MARK } });
    await patch(lead.id, { status: 'qualified', phone: '+17770009999' });
    await receiver.waitFor(3);
    const log = 'SELECT 1 FROM delivery_attempts WHERE answer IS NOT NULL';
    await eventually(async () => assert.equal((await database.query(log)).length, 3));
    assert.ok((await tablesWith(MARK)).length >= 3);

    const erased = await eraseNow(lead.id);

    for (const value of [MARK, '+17770001001', '+17770009999']) {
      // The endpoint of the test echoes the erasure too, which says nothing of the person.
      assert.deepEqual(await tablesWith(value), [], value);
    }
    const [told] = await receiver.waitFor((request) => request.json.data.lead.phone === null);
    assert.equal(told?.type, 'lead.updated');
    assert.deepEqual(told?.json.data.changed, [...PERSONAL_FIELDS]);
    assert.equal(erased.version, 4);
    for (const path of ['', '/history']) {
      const shown = await server.call('GET', `${LEADS}/${lead.id}${path}`, { key: ours.full });
      assert.equal(shown.status, 200);
      assert.equal(shown.text.includes(MARK), false);
    }
    const feed = await server.call('GET', '/api/v1/events', { key: ours.full });
    assert.equal(feed.text.includes(MARK), false);
    await server.call('DELETE', `/api/v1/webhooks/${webhook.id}`, { key: ours.full });
    await receiver.close();
  });

  test('keeps the proof: consent, source, status, campaign, external id; and who changed which field when', async () => {
    const lead = await insert(person(2));
    await patch(lead.id, { last_name: MARK, status: 'contacted' });
    const before = (await admin.timeline(lead.id)).json.entries;
    const erased = await eraseNow(lead.id);
    const kept = [
      ...['campaign_id', 'external_lead_id', 'source', 'tcpa_consent', 'tcpa_consent_text'],
      ...['tcpa_consent_timestamp', 'created_at', 'id', 'account_id'],
    ];
    for (const field of kept) assert.deepEqual(erased[field], lead[field], field);
    assert.equal(erased.status, 'contacted');
    for (const field of PERSONAL_FIELDS) {
      assert.deepEqual(erased[field], field === 'custom_fields' ? {} : null, field);
    }
    assert.ok(erased.erased_at);

    const { entries } = (await admin.timeline(lead.id)).json;
    const [erasure, edit, insertion] = entries.filter((entry: Json) => entry.kind === 'change');
    assert.equal(erasure.change, 'erased');
    assert.deepEqual(erasure.actor, { type: 'user', id: people.admin.id, name: 'Adam Admin' });
    assert.deepEqual(
      erasure.changes.map((change: Json) => change.field),
      [...PERSONAL_FIELDS],
    );
    assert.deepEqual(edit.changes, [
      { field: 'last_name', before: null, after: null },
      { field: 'status', before: 'new', after: 'contacted' },
    ]);
    const known = before.filter((entry: Json) => entry.kind === 'change');
    for (const [now, then] of [
      [edit, known[0]],
      [insertion, known[1]],
    ]) {
      for (const field of ['at', 'version', 'change', 'actor', 'request_id', 'address']) {
        assert.deepEqual(now[field], then[field], field);
      }
    }
  });

  test('is refused where the lead was changed since it was read, and nothing of it is erased', async () => {
    const lead = await insert(person(3));
    await patch(lead.id, { first_name: 'Someone' });
    const answer = await admin.erase(lead.id, 1);
    assert.equal(answer.status, 409);
    assert.equal(answer.json.details.lead.version, 2);
    assert.equal((await admin.get(lead.id)).json.email, lead.email);
  });

  test('beside writes of the same lead is whole or not done', async () => {
    const lead = await insert(person(4));
    const writes = Array.from({ length: 10 }, (_, n) => patch(lead.id, { custom_fields: { n } }));
    const erasures = Array.from({ length: 3 }, (_, n) => admin.erase(lead.id, n + 1));
    await Promise.all(writes);
    const statuses = (await Promise.all(erasures)).map(({ status }) => status);
    assert.ok(
      statuses.every((status) => status === 200 || status === 409),
      String(statuses),
    );
    const { json } = await admin.get(lead.id);
    const blank = PERSONAL_FIELDS.every((field) =>
      field === 'custom_fields' ? true : json[field] === null,
    );
    assert.equal(blank, statuses.includes(200) || json.erased_at !== null);
  });

  test('a second time answers the same and writes nothing', async () => {
    const lead = await insert(person(5));
    const first = await eraseNow(lead.id);
    for (const version of [1, 2]) {
      const again = await admin.erase(lead.id, version);
      assert.equal(again.status, 200);
      assert.deepEqual(again.json.lead, first);
    }
    const records = await database.query('SELECT 1 FROM lead_audit_records WHERE lead_id = $1', [
      lead.id,
    ]);
    assert.equal(records.length, 2);
  });
});

describe('an erased lead', () => {
  test('still changes its status, and stays erased', async () => {
    const lead = await insert(person(6));
    const { version, erased_at } = await eraseNow(lead.id);
    const answer = await admin.edit(lead.id, version, { status: 'converted' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.lead.erased_at, erased_at);
    assert.equal((await admin.edit(lead.id, version + 1, { first_name: 'A' })).status, 400);
  });

  test('that is posted anew is a lead again, with the new values alone', async () => {
    const lead = await insert(person(7));
    await eraseNow(lead.id);
    const body = { campaign_id: 1, external_lead_id: 'order-7', email: 'new@example.com' };
    const posted = await server.call('POST', LEADS, { key: ours.full, body });
    assert.equal(posted.json.status, 'patched');
    const { json } = await admin.get(lead.id);
    assert.deepEqual(
      [json.email, json.first_name, json.erased_at],
      ['new@example.com', null, null],
    );
    assert.ok((await eraseNow(lead.id)).erased_at);
  });
});

describe('the audit records of a lead', () => {
  test('lose the same fields in the store that the contract names, and nothing else', async () => {
    const value = (field: string) => (field === 'custom_fields' ? { a: 1 } : `a "${field}"`);
    const lead = Object.fromEntries(LEAD_FIELDS.map((field) => [field, value(field)]));
    const blank = LEAD_FIELDS.map((field) => {
      if (!PERSONAL_FIELDS.some((personal) => personal === field)) return [field, value(field)];
      return [field, field === 'custom_fields' ? {} : null];
    });
    const [row] = await database.query('SELECT lead_json_without_person($1)::text AS text', [
      JSON.stringify(lead),
    ]);
    assert.equal(row.text, JSON.stringify(Object.fromEntries(blank)));
  });

  test('cannot be changed or removed but by its erasure', async () => {
    const lead = await insert(person(8));
    const of = (sql: string) => database.query(`${sql} WHERE lead_id = '${lead.id}'`);
    const denied = { code: '42501' };
    await assert.rejects(of('DELETE FROM lead_audit_records'), denied);
    await assert.rejects(database.query('TRUNCATE lead_audit_records'), denied);
    for (const column of [
      `actor_id = 'me'`,
      `kind = 'patched'`,
      'version = 9',
      'occurred_at = now()',
      `changed = '{}'`,
      'request_id = NULL',
    ]) {
      await assert.rejects(of(`UPDATE lead_audit_records SET ${column}`), denied, column);
    }
    const blank = 'SELECT blank_audit_records($1, $2, 9)';
    await assert.rejects(database.query(blank, [ours.id, lead.id]), denied, 'not erased');
    for (const value of [`lead = '{}'`, `before = '{"status":"new"}'`]) {
      await assert.rejects(of(`UPDATE lead_audit_records SET ${value}`), denied, value);
    }
    await eraseNow(lead.id);
    for (const value of [`lead = '{"status":"qualified"}'`, 'before = NULL']) {
      await assert.rejects(of(`UPDATE lead_audit_records SET ${value}`), denied, value);
    }
  });
});
