import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LEAD_STATUSES, type Lead, PATCHABLE_FIELDS } from '@leadwire/contract';
import fc from 'fast-check';
import { applyChange, newLead } from './change.ts';
import { mergePatch, sameJson } from './json-merge.ts';
import type { LeadChange } from './lead.ts';
import { readLeadInput, readLeadPatch } from './validate.ts';

const json = (value: unknown) => JSON.stringify(value);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const word = fc.constantFrom('', 'a', 'B', '😀', 'שלום');
const tree = fc.dictionary(
  fc.constantFrom('a', 'b', '__proto__', 'constructor'),
  fc.oneof(
    fc.constantFrom(null, 1, 'x', true, [], [1, null]),
    fc.dictionary(fc.constantFrom('a', '__proto__'), fc.constantFrom(null, 1, {})),
  ),
  { noNullPrototype: false },
);

/** What a partner may send of the fields that can change; few values, so that some are there already. */
const sent = fc.record(
  {
    phone: maybe(fc.constantFrom('+14155550132', '+1 (415) 555-0132', '+4930123456')),
    email: maybe(fc.constantFrom('ada@example.com', 'ada@EXAMPLE.com', 'Ada@example.com')),
    first_name: maybe(word),
    last_name: maybe(word),
    source: maybe(word),
    source_form_url: maybe(fc.constantFrom('https://example.com/a', 'http://example.com/b')),
    tcpa_consent: maybe(fc.boolean()),
    tcpa_consent_text: maybe(word),
    tcpa_consent_timestamp: maybe(
      fc.constantFrom(
        '2026-01-15T10:30:00Z',
        '2026-01-15T12:30:00+02:00',
        '1999-12-31T23:59:59.9Z',
      ),
    ),
    custom_fields: tree,
    status: fc.constantFrom(...LEAD_STATUSES),
    address: maybe(
      fc.record({ street: maybe(word), city: maybe(word), zip: maybe(word) }, { requiredKeys: [] }),
    ),
  },
  { requiredKeys: [] },
);

const identity = { id: 'id', accountId: 'account', at: '2026-01-01T00:00:00.000000Z' };
const tuple = { campaign_id: 1, external_lead_id: 'x' };
const posted = sent.map((fields) => readLeadInput({ ...tuple, ...fields, phone: '+14155550132' }));
const lead = posted.map((input) => newLead(identity, input));
const patch = sent
  .filter((fields) => Object.keys(fields).length > 0)
  .map((fields) => readLeadPatch(fields));

/** The change, or null where the lead would have neither phone nor email. */
const tryChange = (stored: Lead, change: LeadChange) => {
  try {
    return { change: applyChange(stored, change) };
  } catch (error) {
    assert.equal((error as Error & { code: string }).code, 'phone or email is required');
    return null;
  }
};

describe('a new lead', () => {
  test('is deduped when the same is posted again, whatever it was', () => {
    fc.assert(
      fc.property(posted, (input) =>
        assert.equal(applyChange(newLead(identity, input), input), null),
      ),
      { numRuns: 3000 },
    );
  });

  test('has every field, null where nothing was sent', () => {
    const made = newLead(identity, { ...tuple, email: 'ada@example.com' });
    const { id, account_id, created_at, updated_at, ...rest } = made;
    assert.deepEqual(
      [id, account_id, created_at, updated_at],
      ['id', 'account', identity.at, identity.at],
    );
    assert.equal(
      json(rest),
      json({
        ...tuple,
        ...{ phone: null, email: 'ada@example.com', first_name: null, last_name: null },
        ...{ source: null, source_form_url: null, tcpa_consent: null, tcpa_consent_text: null },
        ...{ tcpa_consent_timestamp: null, custom_fields: {}, status: 'new', address: null },
      }),
    );
  });

  test('keeps no null in custom_fields and address, as a merge into nothing leaves none', () => {
    const made = newLead(identity, {
      ...tuple,
      custom_fields: { a: null, b: { c: null }, d: [null] },
      address: { street: null, city: 'x' },
    });
    assert.equal(json([made.custom_fields, made.address]), '[{"b":{},"d":[null]},{"city":"x"}]');
  });
});

describe('a change', () => {
  test('applied again changes nothing', () => {
    fc.assert(
      fc.property(lead, patch, (stored, change) => {
        const applied = tryChange(stored, change)?.change;
        if (applied) assert.equal(applyChange(applied.after, change), null);
      }),
      { numRuns: 3000 },
    );
  });

  test('tells exactly which fields changed, what they were, and what the lead is now', () => {
    fc.assert(
      fc.property(lead, patch, (stored, change) => {
        const outcome = tryChange(stored, change);
        const expected = { ...stored, ...change } as Record<string, unknown>;
        for (const field of ['custom_fields', 'address'] as const) {
          if (change[field] !== undefined)
            expected[field] = mergePatch(stored[field], change[field]);
        }
        if (
          stored.email?.toLowerCase() === change.email?.toLowerCase() &&
          change.email !== 'Ada@example.com' &&
          stored.email !== 'Ada@example.com'
        ) {
          expected.email = stored.email;
        }
        if (!outcome) {
          assert.deepEqual([expected.phone, expected.email], [null, null]);
          return;
        }
        const differing = PATCHABLE_FIELDS.filter((one) => !sameJson(stored[one], expected[one]));
        assert.deepEqual(outcome.change?.changed ?? [], differing);
        if (!outcome.change) return;
        const { before, after, changed } = outcome.change;
        assert.equal(
          json(before),
          json(Object.fromEntries(changed.map((one) => [one, stored[one]]))),
        );
        // What is not named in `changed` is untouched, so that before and after tell the whole story.
        for (const one of Object.keys(stored) as (keyof Lead)[]) {
          assert.ok(
            sameJson(after[one], changed.includes(one as never) ? expected[one] : stored[one]),
            one,
          );
        }
        assert.ok(sameJson({ ...after, ...before }, stored));
      }),
      { numRuns: 3000 },
    );
  });

  test('does not touch the stored lead that it is applied to', () => {
    fc.assert(
      fc.property(lead, patch, (stored, change) => {
        const text = json(stored);
        tryChange(stored, change);
        assert.equal(json(stored), text);
      }),
    );
  });

  test('of nothing but the case of the email domain is none; of its local part is one', () => {
    const stored = newLead(identity, { ...tuple, email: 'Ada@example.com' });
    assert.equal(applyChange(stored, { email: 'Ada@EXAMPLE.COM' }), null);
    assert.deepEqual(applyChange(stored, { email: 'ada@example.com' })?.changed, ['email']);
  });

  test('that leaves neither phone nor email is refused', () => {
    const stored = newLead(identity, { ...tuple, phone: '+14155550132' });
    assert.throws(() => applyChange(stored, { phone: null }), {
      code: 'phone or email is required',
    });
    assert.ok(applyChange(stored, { phone: null, email: 'ada@example.com' }));
  });

  test('that makes custom_fields larger than 64 KiB by merging is refused', () => {
    const half = 'x'.repeat(40_000);
    const stored = newLead(identity, {
      ...tuple,
      phone: '+14155550132',
      custom_fields: { a: half },
    });
    assert.throws(() => applyChange(stored, { custom_fields: { b: half } }), { status: 400 });
    assert.ok(applyChange(stored, { custom_fields: { a: null, b: half } }));
  });
});
