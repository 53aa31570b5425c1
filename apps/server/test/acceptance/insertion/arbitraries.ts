import fc from 'fast-check';
import type { Fields } from './model.ts';

// Few values, so that writes often meet what is stored already.
const name = fc.constantFrom(null, '', 'Ada', 'Grace 🐘', 'שלום', 'O\'Hara \\ "x"');

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, -1.5, '', 'x', '🐘'),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'constructor', 'ü'), tie('value'), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
}));

const part = fc.constantFrom(null, '', 'A', 'B');
const address = fc.option(
  fc.record({ street: part, city: part, state: part, zip: part }, { requiredKeys: [] }),
  { freq: 4 },
);

const everyField = {
  phone: fc.constantFrom(null, '+14155550132', '+1 (415) 555-0132', '+44 20.7946.0958'),
  email: fc.constantFrom(null, 'a@example.com', 'a@EXAMPLE.com', 'A@example.com'),
  first_name: name,
  last_name: name,
  source: name,
  source_form_url: fc.constantFrom(null, 'https://example.com/', 'https://example.com/#🐘'),
  tcpa_consent: fc.constantFrom(null, true, false),
  tcpa_consent_text: name,
  tcpa_consent_timestamp: fc.constantFrom(
    ...[
      null,
      '2026-01-15T10:30:00Z',
      '2026-01-15T12:30:00.000+02:00',
      '2024-02-29T23:59:59.5-11:00',
    ],
  ),
  custom_fields: json.object as fc.Arbitrary<Fields>,
  status: fc.constantFrom('new', 'contacted', 'qualified', 'converted'),
  address,
};

/** The fields of a write: any subset of them, or mostly one that says how to reach the lead. */
export const fields: fc.Arbitrary<Fields> = fc.oneof(
  fc.record(everyField, { requiredKeys: [] }),
  fc.record({ ...everyField, phone: fc.constant('+14155550132') }, { requiredKeys: ['phone'] }),
) as fc.Arbitrary<Fields>;

export type Operation =
  | { kind: 'post'; lead: number; fields: Fields }
  | { kind: 'patch'; lead: number; fields: Fields; ifMatch: 'none' | 'current' | 'stale' };

/** Posts and patches over `leads` tuples, numbered from 0. */
export const operations = (leads: number, ifMatch: ('none' | 'current' | 'stale')[]) => {
  const lead = fc.nat({ max: leads - 1 });
  const post = fc.record({ kind: fc.constant('post' as const), lead, fields });
  const patch = fc.record({
    ...{ kind: fc.constant('patch' as const), lead, fields },
    ifMatch: fc.constantFrom(...ifMatch),
  });
  return fc.array(fc.oneof(post, patch) as fc.Arbitrary<Operation>, {
    minLength: 1,
    maxLength: 16,
  });
};
