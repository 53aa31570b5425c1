import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Lead } from '@leadwire/contract';
import { changesOf, parseObject, patchBetween, reapplied, valuesOf } from './lead-values.ts';
import { queryOf, readLeadsSearch } from './search.ts';

const LEAD: Lead = {
  ...{ id: 'i', account_id: 'a', campaign_id: 1, external_lead_id: 'x', status: 'new' },
  ...{ phone: '+14155550132', email: null, first_name: 'Ada', last_name: null },
  ...{ source: null, source_form_url: null, tcpa_consent: null, tcpa_consent_text: null },
  ...{ tcpa_consent_timestamp: null, address: { city: 'Oslo', zip: '1' } },
  custom_fields: { roof: 'flat', deep: { a: 1, b: 2 } },
  ...{ created_at: '2026-01-15T10:30:00.000000Z', updated_at: '2026-01-15T10:30:00.000000Z' },
};

describe('the form of a lead', () => {
  test('sends nothing where nothing was changed', () => {
    assert.deepEqual(changesOf(LEAD, valuesOf(LEAD)), {});
  });

  test('sends only what was changed, and null for what was emptied', () => {
    const values = valuesOf(LEAD);
    const changed = {
      ...values,
      ...{ first_name: ' ', email: 'a@b.co', tcpa_consent: 'no' },
      address: { ...values.address, zip: '', street: 'Main' },
      custom_fields: '{"roof": "tile", "deep": {"a": 1}}',
    };
    assert.deepEqual(changesOf(LEAD, changed), {
      ...{ first_name: null, email: 'a@b.co', tcpa_consent: false },
      address: { street: 'Main', zip: null },
      custom_fields: { roof: 'tile', deep: { b: null } },
    });
  });

  test('clears an address whose last part was emptied', () => {
    const address = { street: '', city: '', state: '', zip: '' };
    assert.deepEqual(changesOf(LEAD, { ...valuesOf(LEAD), address }), { address: null });
  });

  test('takes over what somebody else changed, and keeps what was typed', () => {
    const values = { ...valuesOf(LEAD), first_name: 'Mine' };
    values.custom_fields = '{"roof": "mine", "deep": {"a": 1, "b": 2}}';
    const now: Lead = {
      ...{ ...LEAD, first_name: 'Theirs', last_name: 'Theirs' },
      custom_fields: { roof: 'flat', deep: { a: 9, b: 2 } },
    };
    const merged = reapplied(LEAD, values, now);
    assert.equal(merged.first_name, 'Mine');
    assert.equal(merged.last_name, 'Theirs');
    assert.deepEqual(changesOf(now, merged), {
      first_name: 'Mine',
      custom_fields: { roof: 'mine' },
    });
  });

  test('takes a JSON object alone for custom fields, a member named __proto__ included', () => {
    for (const text of ['[]', '1', 'null', '{', '"a"']) assert.equal(parseObject(text), null);
    assert.deepEqual(parseObject('  '), {});
    const patch = patchBetween({}, parseObject('{"__proto__": 1}') ?? {});
    assert.equal(JSON.stringify(patch), '{"__proto__":1}');
  });
});

describe('the address of the list of leads', () => {
  test('keeps what it knows and drops days and campaigns that are none', () => {
    const search = { search: 4155550132, campaign_id: '3', from: '2026-02-31x', to: '', odd: 1 };
    assert.deepEqual(readLeadsSearch(search), { search: '4155550132', campaign_id: 3 });
    assert.deepEqual(readLeadsSearch({ campaign_id: 'x', status: 'odd' }), { status: 'odd' });
  });

  test('asks for whole days, both included', () => {
    const { created_after: after = '', created_before: before = '' } = queryOf({
      ...{ from: '2026-11-20', to: '2026-11-20' },
    });
    const hours = (Date.parse(before) - Date.parse(after)) / 3_600_000;
    assert.ok(hours > 24 && hours < 24.001, String(hours));
  });
});
