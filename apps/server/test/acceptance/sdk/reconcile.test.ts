import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { type LeadInput, ScopeError } from '@leadwire/sdk';
import fc from 'fast-check';
import { isLong } from '../../support/long.ts';
import { newLead } from '../../support/new-lead.ts';
import { startScene } from './scene.ts';

const scene = await startScene();
const { leads } = scene.leadwire;
after(() => scene.close());

const text = (maxLength: number) =>
  fc.string({ unit: 'binary', maxLength }).filter((value) => !value.includes('\u0000'));
const two = (max: number) => fc.nat(max).map((n) => String(n).padStart(2, '0'));
const time = fc
  .tuple(
    fc.constantFrom('2024-02-29', '2025-12-31', '2026-01-01', '0050-06-01', '9998-07-31'),
    fc.constantFrom('T', 't', ' '),
    fc.tuple(two(23), two(59)).map((parts) => parts.join(':')),
    fc.constantFrom('', ':07', ':59.1', ':59,123456', ':00.123456789'),
    fc.constantFrom('Z', 'z', '+02', '-0530', '+13:45', '-00:01'),
  )
  .map((parts) => parts.join(''));
const phone = fc.constantFrom('+14155550132', '+1 (415) 555-0132', '+44 20.7946.0958', null);
const json = fc
  .jsonValue({ maxDepth: 4 })
  .filter((value) => !/\\u0000|\\ud[89a-f]/.test(JSON.stringify(value)));
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });

/** Leads as partners write them: any fields, any spelling that the service takes. */
const generated = fc.record(
  {
    phone,
    first_name: nullable(text(20)),
    last_name: nullable(text(20)),
    source: nullable(text(20)),
    source_form_url: fc.constantFrom(null, 'https://example.com/A?b=c%20d', 'HTTP://Example.com'),
    tcpa_consent: nullable(fc.boolean()),
    tcpa_consent_text: nullable(text(50)),
    tcpa_consent_timestamp: nullable(time),
    custom_fields: fc.dictionary(text(8), json, { maxKeys: 6 }),
    status: fc.constantFrom('new', 'contacted', 'qualified', 'converted'),
    address: nullable(
      fc.record(
        { street: nullable(text(9)), city: nullable(text(9)), zip: nullable(text(9)) },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

const leadOf = (fields: object): LeadInput => ({
  campaign_id: 1,
  external_lead_id: randomUUID(),
  email: 'Ada.L@Example.COM',
  ...(fields as Partial<LeadInput>),
});

describe('leads.reconcile', () => {
  test('agrees with whatever was inserted, as it was sent', async () => {
    const count = isLong ? 5000 : 300;
    const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
    const rows = fc.sample(generated, { numRuns: count, seed }).map(leadOf);
    const inserted = await leads.insertMany(rows);
    const refused = inserted.results.filter(({ error }) => error);
    assert.deepEqual(refused, [], `SEED=${seed}`);
    for (const fields of [undefined, ['status', 'custom_fields', 'address']] as const) {
      const { results } = await leads.reconcile(rows, fields ? { fields } : {});
      const wrong = results.filter(({ result }) => result !== 'agrees');
      assert.deepEqual(
        wrong.map(({ index }) => rows[index]),
        [],
        `SEED=${seed}`,
      );
    }
  });

  test('tells what differs and what is missing, in order', async () => {
    const same = newLead({ custom_fields: { a: [null, 1.5e300], b: null } });
    const other = newLead({ first_name: 'Ada' });
    await leads.insertMany([same, other]);
    const rows = [newLead(), { ...other, first_name: 'Eda' }, same];
    const { results, counts } = await leads.reconcile(rows);
    assert.deepEqual(
      results.map(({ index, result }) => [index, result]),
      [
        [0, 'missing'],
        [1, 'differs'],
        [2, 'agrees'],
      ],
    );
    assert.deepEqual(counts, { agrees: 1, differs: 1, missing: 1 });
    const narrow = await leads.reconcile(rows, { fields: ['phone'] });
    assert.deepEqual(narrow.counts, { agrees: 2, differs: 0, missing: 1 });
  });

  test('needs a key that reads', async () => {
    const writer = scene.clientOf(scene.ours.writer);
    await assert.rejects(writer.leads.reconcile([newLead()]), ScopeError);
  });
});
