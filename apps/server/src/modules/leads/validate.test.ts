import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LEAD_FIELDS } from '@leadwire/contract';
import fc from 'fast-check';
import type { AppError, FieldError } from '../../platform/errors/index.ts';
import { readLeadInput, readLeadPatch } from './validate.ts';

const tuple = { campaign_id: 1, external_lead_id: 'x' };
const valid = { ...tuple, phone: '+14155550132' };

function refusal(read: () => unknown): AppError {
  try {
    read();
  } catch (error) {
    assert.equal((error as AppError).status, 400);
    return error as AppError;
  }
  return assert.fail('nothing was refused');
}
const summary = (body: object) => refusal(() => readLeadInput({ ...valid, ...body })).code;
const errorsOf = (body: unknown): FieldError[] => refusal(() => readLeadInput(body)).errors ?? [];

const nested = (levels: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`);
/** custom_fields whose JSON has exactly so many bytes. */
const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

describe('the summary of what is wrong', () => {
  /** One bad value for every field. */
  const bad: Record<string, unknown> = {
    campaign_id: 0,
    external_lead_id: '',
    phone: '5',
    email: 'a',
    first_name: 'a\0',
    last_name: 5,
    source: '\ud800',
    source_form_url: 'a',
    tcpa_consent: 1,
    tcpa_consent_text: '\udc00a',
    tcpa_consent_timestamp: '2026-02-30T00:00:00Z',
    custom_fields: { a: '\0' },
    status: 'old',
    address: 5,
  };

  test('covers every field', () => assert.deepEqual(Object.keys(bad), [...LEAD_FIELDS]));

  test('is in the order of the fields, one failure each, whatever is wrong and in whatever order it was sent', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.keys(bad), { minLength: 1 }), (names) => {
        const rest = { ...valid, ...Object.fromEntries(names.map((name) => [name, bad[name]])) };
        const errors = errorsOf(
          Object.fromEntries([
            ...names.map((name) => [name, rest[name as keyof typeof rest]]),
            ...Object.entries(rest),
            ['zzz', 1],
          ]),
        );
        const expected = LEAD_FIELDS.filter((name) => names.includes(name));
        assert.deepEqual(
          errors.map(({ path }) => path),
          [...expected, 'zzz'],
        );
      }),
      { numRuns: 500 },
    );
  });

  test('says nothing of a missing phone and email: the stored lead may have them', () => {
    assert.deepEqual(readLeadInput({ ...tuple, first_name: 'a' }), { ...tuple, first_name: 'a' });
  });

  test('is the contract’s example', () => {
    assert.equal(
      refusal(() => readLeadInput({ campaign_id: 1, phone: '5' })).code,
      'external_lead_id is required, phone must be in international format with a leading plus sign',
    );
  });

  test('points to custom_fields where a field is unknown', () => {
    assert.match(summary({ zip: 1 }), /^zip is not a known field.*custom_fields/);
    assert.match(summary({ created_at: 'x' }), /^created_at is not a known field/);
  });
});

describe('text that PostgreSQL cannot hold is refused:', () => {
  for (const text of ['a\0', '\0', '\ud800', 'a\udc00', '\udc00\ud800']) {
    const shown = JSON.stringify(text);
    test(`${shown} in every field, in an address, in custom_fields as value and as name`, () => {
      for (const field of ['external_lead_id', 'first_name', 'source', 'tcpa_consent_text']) {
        assert.deepEqual(
          errorsOf({ ...valid, [field]: text }).map(({ path }) => path),
          [field],
        );
      }
      assert.match(summary({ address: { city: text } }), /^address\.city /);
      assert.match(summary({ custom_fields: { a: [{ b: text }] } }), /^custom_fields must not/);
      assert.match(summary({ custom_fields: { a: { [text]: 1 } } }), /^custom_fields must not/);
    });
  }

  test('but every other text is taken as it is', () => {
    const text = fc.string({ unit: 'binary', maxLength: 50 });
    fc.assert(
      fc.property(text, (one) => {
        fc.pre(one.isWellFormed() && !one.includes('\0'));
        const body = { ...valid, first_name: one, custom_fields: { [`a${one}`]: [one] } };
        assert.deepEqual(readLeadInput(body), body);
      }),
    );
  });
});

describe('custom_fields', () => {
  test('may be 16 levels deep and not 17, as objects or arrays', () => {
    assert.ok(readLeadInput({ ...valid, custom_fields: nested(16) }));
    assert.equal(
      summary({ custom_fields: nested(17) }),
      'custom_fields must be at most 16 levels deep',
    );
    const array = (levels: number) => ({
      a: JSON.parse('['.repeat(levels - 1) + ']'.repeat(levels - 1)),
    });
    assert.ok(readLeadInput({ ...valid, custom_fields: array(16) }));
    assert.match(summary({ custom_fields: array(17) }), /16 levels/);
    assert.match(summary({ custom_fields: array(50_000) }), /16 levels/);
  });

  test('may have 65,536 bytes as JSON and not one more, counted in UTF-8', () => {
    assert.ok(readLeadInput({ ...valid, custom_fields: sized(65_536) }));
    assert.equal(
      summary({ custom_fields: sized(65_537) }),
      'custom_fields must be at most 64 KiB as JSON',
    );
    assert.match(summary({ custom_fields: { a: 'é'.repeat(40_000) } }), /64 KiB/);
  });

  test('keep __proto__ and constructor as names like any other', () => {
    const text = '{"__proto__":{"a":1},"constructor":{"prototype":2}}';
    const read = readLeadInput({ ...valid, custom_fields: JSON.parse(text) });
    assert.equal(JSON.stringify(read.custom_fields), text);
  });

  for (const value of [null, [], 'a', 5]) {
    test(`${JSON.stringify(value)} are none`, () =>
      assert.match(summary({ custom_fields: value }), /^custom_fields must be an object/));
  }
});

describe('what is read', () => {
  test('has the phone bare and the consent time in UTC, and everything else as sent', () => {
    const body = {
      ...{ ...tuple, phone: '+1 (415) 555-01.32', email: 'Ada@EXAMPLE.com', first_name: ' a ' },
      ...{ tcpa_consent_timestamp: '2026-01-15T12:30:00.5+02:00', address: { zip: null } },
    };
    assert.deepEqual(readLeadInput(body), {
      ...body,
      phone: '+14155550132',
      tcpa_consent_timestamp: '2026-01-15T10:30:00.500000Z',
    });
  });

  test('is the same when it is read again', () => {
    const read = readLeadInput({
      ...valid,
      phone: '+1-415-555-0132',
      tcpa_consent_timestamp: '2026-01-15T10:30+01',
    });
    assert.deepEqual(readLeadInput(read), read);
  });

  test('leaves what was sent unchanged', () => {
    const body = Object.freeze({ ...valid, phone: '+1 4155550132' });
    readLeadInput(body);
    assert.equal(body.phone, '+1 4155550132');
  });
});

describe('a patch', () => {
  const code = (body: unknown) => refusal(() => readLeadPatch(body)).code;

  test('of {} is empty_body', () => assert.equal(code({}), 'empty_body'));

  test('cannot change the tuple', () => {
    assert.match(code({ campaign_id: 2, first_name: 'a' }), /^campaign_id /);
    assert.match(code({ external_lead_id: 'y' }), /^external_lead_id /);
  });

  test('needs neither phone nor email, and may clear them', () => {
    assert.deepEqual(readLeadPatch({ first_name: null }), { first_name: null });
    assert.deepEqual(readLeadPatch({ phone: null }), { phone: null });
  });

  for (const body of [null, [], 'a', 5, true]) {
    test(`that is ${JSON.stringify(body)} is refused`, () =>
      assert.match(code(body), /the body must be an object/));
  }
});
