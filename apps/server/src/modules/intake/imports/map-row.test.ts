import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportSettings } from '@leadwire/contract/dashboard';
import { readLeadInput } from '../../leads/index.ts';
import { nameColumns, suggestTargets, withRemembered } from './columns.ts';
import { createMapRow } from './map-row.ts';

const settings = (change: Partial<ImportSettings>): ImportSettings => ({
  ...{ encoding: 'utf-8', separator: ',', campaign_id: 1, source: 'file', columns: [] },
  ...{ default_country: null, date_order: 'iso', time_zone: null, ...change },
});

/** One row of a file whose columns are called as their targets. */
function map(row: Record<string, string>, change: Partial<ImportSettings> = {}) {
  const columns = Object.keys(row);
  const mapRow = createMapRow(settings({ columns, ...change }), columns, readLeadInput);
  const mapped = mapRow({ line: 2, cells: Object.values(row) });
  return 'errors' in mapped
    ? mapped.errors.map(({ column, code }) => `${column} ${code}`)
    : JSON.parse(JSON.stringify(mapped.input));
}

const WHOLE = { external_lead_id: 'a', campaign_id: 1, source: 'file' };

test('cells become fields; empty ones say nothing; what an export defused is as it was', () => {
  const row = {
    ...{ external_lead_id: 'a', email: ' a@example.com ', phone: "'+49 30 1234567" },
    ...{ first_name: '', 'address.city': 'Köln', 'custom_fields.a.b': "'=1", __proto__x: "'tis" },
    'custom_fields.__proto__': 'p',
  };
  const columns = Object.keys(row).map((name) => (name === '__proto__x' ? null : name));
  const read = map(row, { columns });
  assert.equal(read.custom_fields['a.b'], '=1');
  assert.ok(Object.hasOwn(read.custom_fields, '__proto__'));
  const { custom_fields: _fields, ...rest } = read;
  assert.deepEqual(rest, {
    ...{ ...WHOLE, email: 'a@example.com', phone: '+49301234567', address: { city: 'Köln' } },
  });
});

test('custom fields come as an object, and beside it one by one', () => {
  const row = {
    ...{ external_lead_id: 'a', email: 'a@example.com', 'custom_fields.kwh': '7' },
    custom_fields: '{"kwh": 4, "roof": {"tilt": 30}, "__proto__": 1}',
  };
  const { custom_fields: read } = map(row);
  assert.deepEqual(Object.entries(read).sort(), [
    ['__proto__', 1],
    ['kwh', 4],
    ['roof', { tilt: 30 }],
  ]);
  for (const bad of ['flat', '[1]', '{"a": 1, "a": 2}', '{"a": 9007199254740993}', 'null']) {
    assert.deepEqual(map({ ...row, custom_fields: bad }), ['custom_fields format']);
  }
});

test('a row without an external id has one of its cells, the same each time', () => {
  const [first, again, other] = ['a', 'a', 'b'].map(
    (name) =>
      map({ email: 'x@example.com', external_lead_id: '', first_name: name }).external_lead_id,
  );
  assert.match(first, /^row-[0-9a-f]{32}$/);
  assert.equal(first, again);
  assert.notEqual(first, other);
});

for (const [row, change, expected] of [
  [{ phone: '030 1234567' }, {}, ['phone country_needed']],
  [{ phone: '+49 30' }, {}, ['phone format']],
  [{ phone: '12' }, { default_country: 'DE' }, ['phone format']],
  [{ email: 'x' }, {}, ['email format']],
  [{ tcpa_consent: 'maybe', status: 'lost' }, {}, ['tcpa_consent format']],
  [{ email: 'a@b.example', status: 'lost' }, {}, ['status enum']],
  [{ email: 'a@b.example', source_form_url: 'shop' }, {}, ['source_form_url format']],
  [{ tcpa_consent_timestamp: '1.2.2025' }, {}, ['tcpa_consent_timestamp format']],
] as [Record<string, string>, Partial<ImportSettings>, string[]][]) {
  test(`${JSON.stringify(row)} is refused: ${expected}`, () => {
    assert.deepEqual(map({ external_lead_id: 'a', ...row }, change), expected);
  });
}

test('consent is read in the words of several languages, a phone number by its country', () => {
  const read = map(
    { external_lead_id: 'a', phone: '030 1234567', tcpa_consent: 'JA', status: 'Neu' },
    { default_country: 'DE' },
  );
  assert.deepEqual(read, { ...WHOLE, phone: '+49301234567', tcpa_consent: true, status: 'new' });
});

test('what Meta exports is read: a marked phone number, a name in one, its word for a new lead', () => {
  const row = { full_name: 'José María Núñez', phone: 'p:+14155550132', status: 'CREATED' };
  const names = { first_name: 'José María', last_name: 'Núñez' };
  const read = map({ external_lead_id: 'a', ...row });
  assert.deepEqual(read, { ...WHOLE, ...names, phone: '+14155550132', status: 'new' });
});

test('a header for a whole name is the half that is missing, where the other half has a column', () => {
  const named = (...columns: string[]) => suggestTargets(columns).join();
  assert.equal(named('Full Name', 'City'), 'full_name,address.city');
  assert.equal(named('Name', 'Vorname'), 'last_name,first_name');
  assert.equal(named('Name', 'Surname'), 'first_name,last_name');
  assert.equal(named('Full name', 'First name'), 'custom_fields.Full name,first_name');
});

test('a result file may be mended and imported: its own columns are left out, its rows keep their ids', () => {
  const own = ['line', 'outcome', 'lead_id', 'external_lead_id', 'errors'];
  const [out, id] = [null, 'external_lead_id'];
  assert.deepEqual(suggestTargets([...own, 'email']), [out, out, out, id, out, 'email']);
  assert.deepEqual(suggestTargets([...own, 'id', 'tel']), [out, out, out, out, out, id, 'phone']);
  const row = { email: 'x@example.com', 'custom_fields.note': '-1' };
  const result = { ...Object.fromEntries(own.map((name) => [name, ''])), ...row };
  const columns = [out, out, out, id, out, ...Object.keys(row)];
  const read = map({ ...result, 'custom_fields.note': "'-1" }, { columns });
  assert.deepEqual(read, map(row));
});

test('headers of forms and CRMs are recognised, each field once, and the others kept', () => {
  const { columns, repeated } = nameColumns([
    ...['Record ID', 'Straße', 'PLZ', 'E-Mail-Adresse', 'Mobile Phone Number', 'phone_number'],
    ...['firstName', 'Budget\n(€)', '', 'Budget (€)', 'custom_fields.kwh', 'Prénom'],
  ]);
  assert.deepEqual(repeated, ['Budget (€)']);
  assert.deepEqual(suggestTargets(columns), [
    ...['external_lead_id', 'address.street', 'address.zip', 'email', 'phone'],
    ...['custom_fields.phone_number', 'first_name', 'custom_fields.Budget (€)'],
    ...['custom_fields.column_9', 'custom_fields.Budget (€)_2', 'custom_fields.kwh'],
    'custom_fields.Prénom',
  ]);
});

test('what our own export says of a lead that no import can set is left out', () => {
  const columns = ['external_lead_id', 'id', 'campaign_id', 'custom_fields'];
  assert.deepEqual(suggestTargets([...columns, 'created_at', 'updated_at']), [
    ...['external_lead_id', null, null, 'custom_fields', null, null],
  ]);
  assert.equal(suggestTargets(columns)[2], 'custom_fields.campaign_id');
});

test('what a column meant before wins over what it probably means', () => {
  const before = { Mobil: 'phone', Note: null };
  assert.deepEqual(withRemembered(['Telefon', 'Mobil', 'Note', 'Ort'], before), [
    ...['custom_fields.Telefon', 'phone', null, 'address.city'],
  ]);
});
