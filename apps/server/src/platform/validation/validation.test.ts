import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { AppError } from '../errors/index.ts';
import { createValidator, normalizePhone } from './index.ts';
import { createQueryReader } from './query.ts';

const SCHEMA = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
    name: { type: 'string', minLength: 1, maxLength: 3 },
    phone: { type: ['string', 'null'], format: 'phone' },
    mail: { type: ['string', 'null'], format: 'email' },
    url: { type: 'string', format: 'http-url' },
    at: { type: 'string', format: 'timestamp' },
    line: { type: 'string', format: 'no-control-characters' },
    campaign: { type: 'string', format: 'campaign-id' },
    sure: { type: ['boolean', 'null'] },
    kind: { type: 'string', enum: ['new', 'old'] },
    list: { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true, items: { type: 'string' } },
    inner: {
      type: ['object', 'null'],
      properties: { a: { type: 'string' }, b: { type: ['string', 'null'], maxLength: 2 } },
      additionalProperties: false,
    },
    free: { type: 'object', additionalProperties: true },
  },
  additionalProperties: false,
};
const validate = createValidator(SCHEMA);
const valid = { id: 1, name: 'a' };
const messages = (value: unknown) => validate(value).map(({ message }) => message);

describe('a failed constraint is a sentence about its field', () => {
  const cases: [sent: object, code: string, message: string][] = [
    [{ id: '1' }, 'type', 'id must be an integer from 1 to 2147483647'],
    [{ id: 1.5 }, 'type', 'id must be an integer from 1 to 2147483647'],
    [{ id: 0 }, 'range', 'id must be an integer from 1 to 2147483647'],
    [{ id: 2_147_483_648 }, 'range', 'id must be an integer from 1 to 2147483647'],
    [{ name: '' }, 'empty', 'name must not be empty'],
    [{ name: 'abcd' }, 'too_long', 'name must be at most 3 characters'],
    [{ name: null }, 'type', 'name must be a string'],
    [{ phone: 5 }, 'type', 'phone must be a string or null'],
    [{ phone: '5' }, 'format', 'phone must be in international format with a leading plus sign'],
    [{ mail: 'a@' }, 'format', 'mail must be a valid email address'],
    [{ url: 'ftp://a.b' }, 'format', 'url must be an absolute http or https URL'],
    [{ at: '2026-02-30T00:00:00Z' }, 'format', 'at must be an ISO 8601 time with an offset or Z'],
    [{ line: 'a\nb' }, 'format', 'line must not contain control characters'],
    [{ campaign: '2147483648' }, 'format', 'campaign must be an integer from 1 to 2147483647'],
    [{ sure: 'yes' }, 'type', 'sure must be true or false or null'],
    [{ kind: 'NEW' }, 'enum', 'kind must be new or old'],
    [{ list: [] }, 'too_few', 'list must have at least one entry'],
    [{ list: ['', 'a', ''] }, 'too_many', 'list must have at most 2 entries'],
    [{ list: ['a', 'a'] }, 'repeated', 'list must not have an entry twice'],
    [{ list: [1] }, 'type', 'list.0 must be a string'],
    [{ list: {} }, 'type', 'list must be an array'],
    [{ inner: [] }, 'type', 'inner must be an object or null'],
    [{ inner: { b: 'abc' } }, 'too_long', 'inner.b must be at most 2 characters'],
    [{ inner: { c: 1 } }, 'unknown_field', 'inner.c is not a known field'],
    [{ nam: 'a' }, 'unknown_field', 'nam is not a known field'],
  ];
  for (const [sent, code, message] of cases) {
    test(`${JSON.stringify(sent)}: ${message}`, () => {
      const [error, ...others] = validate({ ...valid, ...sent });
      assert.deepEqual([error?.code, error?.message, others], [code, message, []]);
      assert.ok(message.startsWith(error?.path as string));
    });
  }

  test('that misses names the field', () => {
    assert.deepEqual(validate({ id: 1 }), [
      { path: 'name', code: 'required', message: 'name is required' },
    ]);
  });

  for (const sent of [null, [], 'text', 5, true]) {
    test(`${JSON.stringify(sent)} is no body`, () =>
      assert.deepEqual(messages(sent), ['the body must be an object']));
  }
});

describe('the failures of a value', () => {
  test('are none for a valid one', () => {
    assert.deepEqual(validate({ ...valid, phone: null, inner: { b: null }, free: { x: [1] } }), []);
  });

  test('come in the order of the schema, whatever the order of the body; unknown fields last', () => {
    const bad = {
      ...{ kind: 1, zzz: 1, name: '', list: 1, id: 'x', aaa: 1 },
      ...{ inner: { b: 1, a: 1 }, sure: 1 },
    };
    const expected = ['id', 'name', 'sure', 'kind', 'list', 'inner.b', 'inner.a', 'zzz', 'aaa'];
    const sorted = (paths: string[]) => paths.map((path) => path.split('.')[0]);
    assert.deepEqual(sorted(validate(bad).map(({ path }) => path)), sorted(expected));
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(bad)), (entries) => {
        const known = Object.keys(SCHEMA.properties);
        const paths = validate(Object.fromEntries(entries))
          .map(({ path }) => path.split('.')[0] as string)
          .filter((path) => known.includes(path));
        assert.deepEqual(
          paths,
          paths.toSorted((a, b) => known.indexOf(a) - known.indexOf(b)),
        );
      }),
    );
  });

  test('are at most one a field', () => {
    const errors = createValidator({
      type: 'object',
      properties: { a: { type: 'string', maxLength: 1, format: 'phone', enum: ['x'] } },
    })({ a: 'long' });
    assert.equal(errors.length, 1);
  });

  test('count characters, not UTF-16 units', () => {
    assert.deepEqual(messages({ ...valid, name: '😀😀😀' }), []);
    assert.deepEqual(messages({ ...valid, name: '😀😀😀😀' }), [
      'name must be at most 3 characters',
    ]);
  });
});

describe('unknown fields', () => {
  const many = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]));

  test('are named up to ten, then counted, however many there are', () => {
    const errors = validate({ ...valid, ...many('x', 20_000) });
    assert.equal(errors.length, 11);
    assert.equal(errors.at(-1)?.message, '19990 more unknown fields');
    assert.ok(errors.every(({ code }) => code === 'unknown_field'));
  });

  test('of an inner object are bounded as well', () => {
    const errors = validate({ ...valid, inner: many('x', 20_000), ...many('y', 20_000) });
    assert.ok(errors.length <= 30, String(errors.length));
    assert.ok(errors.some(({ message }) => message.startsWith('inner.x0 ')));
  });

  test('named like what every object has are unknown all the same', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    for (const name of names) {
      const body = JSON.parse(`{"id":1,"name":"a",${JSON.stringify(name)}:{"id":1}}`);
      assert.deepEqual(messages(body), [`${name} is not a known field`]);
      const inner = JSON.parse(`{"id":1,"name":"a","inner":{${JSON.stringify(name)}:1}}`);
      assert.deepEqual(messages(inner), [`inner.${name} is not a known field`]);
    }
  });

  test('are shown short, well-formed and without control characters, whatever their name', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 })
        .map((units) => String.fromCharCode(...units)),
      fc.integer({ min: 60, max: 66 }).map((n) => `${'a'.repeat(n)}😀b`),
    );
    fc.assert(
      fc.property(name, (unknown) => {
        fc.pre(!Object.hasOwn(SCHEMA.properties, unknown));
        const [error] = validate({ ...valid, [unknown]: 1 });
        const shown = error?.message as string;
        assert.ok(shown.length < 100 && shown.isWellFormed() && !/\p{Cc}/u.test(shown), shown);
      }),
      { numRuns: 500, examples: [[`${'a'.repeat(63)}😀`]] },
    );
  });
});

describe('a phone number', () => {
  for (const [sent, bare] of [
    ['+14155550132', '+14155550132'],
    ['+1 (415) 555-01.32', '+14155550132'],
    ['+1234567', '+1234567'],
    ['+123456789012345', '+123456789012345'],
  ]) {
    test(`${sent} is ${bare}`, () => assert.equal(normalizePhone(sent as string), bare));
  }
  for (const bad of [
    '',
    '+',
    '14155550132',
    '+04155550132',
    '+123456',
    '+1234567890123456',
    '++14155550132',
    '+1415555o132',
    '+1\t4155550132',
    '+1\u00a04155550132',
    '+１4155550132',
    '+14155550132x5',
    '+14155550132\n',
  ]) {
    test(`${JSON.stringify(bad)} is none`, () => assert.equal(normalizePhone(bad), null));
  }
  test('is the same when it is read again', () => {
    const text = fc.string({ unit: fc.constantFrom(...'+0123456789 .-()'), maxLength: 20 });
    fc.assert(
      fc.property(text, (sent) => {
        const bare = normalizePhone(sent);
        if (bare !== null) assert.equal(normalizePhone(bare), bare);
      }),
    );
  });
});

describe('a URL', () => {
  const isUrl = (url: string) => validate({ ...valid, url }).length === 0;
  for (const url of [
    'http://a',
    'https://a.b/c?d=é#f',
    'HTTPS://A.B',
    'http://[::1]:80/',
    'http://é.fr',
  ]) {
    test(`${url} is one`, () => assert.ok(isUrl(url)));
  }
  for (const url of [
    '',
    'a.b',
    '/a',
    '//a.b',
    'http://',
    'http:/a',
    'javascript:a',
    'http://a b',
    'http://a\n',
    ' http://a',
    'http://[::1',
  ]) {
    test(`${JSON.stringify(url)} is none`, () => assert.ok(!isUrl(url)));
  }
});

describe('a query string', () => {
  const read = createQueryReader<Record<string, unknown>>({
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
      cursor: { type: 'string', format: 'timestamp' },
    },
    additionalProperties: false,
  });
  const refused = (query: object) => {
    try {
      read(query);
    } catch (error) {
      return (error as AppError).code;
    }
    return assert.fail('not refused');
  };

  test('gets numbers and defaults', () => {
    assert.deepEqual(read({}), { limit: 25 });
    assert.deepEqual(read({ limit: '7' }), { limit: 7 });
  });

  for (const limit of ['0', '101', '-1', '1.5', '1e1', '', ' 5', '0x5', 'abc', '9'.repeat(30)]) {
    test(`refuses limit=${limit}`, () =>
      assert.equal(refused({ limit }), 'limit must be an integer from 1 to 100'));
  }

  test('refuses what is repeated or unknown', () => {
    assert.equal(refused({ limit: ['1', '2'] }), 'limit must be an integer from 1 to 100');
    assert.equal(refused({ cursor: ['a', 'b'] }), 'cursor must be a string');
    assert.equal(refused({ lim: '1' }), 'lim is not a known parameter');
    assert.equal(refused(JSON.parse('{"__proto__":"1"}')), '__proto__ is not a known parameter');
  });
});
