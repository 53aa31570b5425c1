import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from './json.ts';

const escaped = (key: string) => `\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}`;

test('a key that is written with an escape is kept, whatever objects were parsed before it', () => {
  for (const [earlier, source, key] of [
    ['\\\\', '\\u00e9', 'é'],
    ['\\\\', '\\n', '\n'],
    ['\\\\', '\\"', '"'],
    ['\\\\', '\\\\', '\\'],
    ['ab\\\\', 'ab\\u00e9', 'abé'],
    ['a\\\\n', 'a\\nb', 'a\nb'],
  ] as const) {
    const first = `"before ${source}":1`;
    JSON.parse(`{${first},"${earlier}":2}`);
    const parsed = parseJson(`{${first},"${source}":2}`) as object;
    assert.equal(Object.keys(parsed)[1], key);
  }
});

test('every object says the same however its keys are escaped', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 0, maxLength: 3 }), fc.jsonValue(), {
        noNullPrototype: true,
      }),
      (object) => {
        const members = Object.entries(object).map(
          ([key, value]) =>
            `"${[...key].map((c) => (c.length === 1 ? escaped(c) : c)).join('')}":${JSON.stringify(value)}`,
        );
        const parsed = parseJson(`{${members.join(',')}}`) as object;
        assert.deepEqual(
          Object.entries(parsed).map(([key, value]) => [key, JSON.stringify(value)]),
          Object.entries(object).map(([key, value]) => [key, JSON.stringify(value)]),
        );
      },
    ),
    { numRuns: 2000 },
  );
});

test('a value that only looks like such a key is left alone', () => {
  const text = '{"a":"\\u00e9\\": ","b":["\\n"],"\\n":"\uF8FF"}';
  assert.deepEqual(
    JSON.stringify(parseJson(text)),
    JSON.stringify({ a: 'é": ', b: ['\n'], '\n': '\uF8FF' }),
  );
});

test('a key may hold the character that stands for escapes, any number of times and in any writing', () => {
  const mark = fc.constantFrom('\uF8FF', '\uF9FF', '\u0122', '\n', '"', '\\', 'a', '\u{1F600}');
  const key = fc.string({ unit: mark, maxLength: 6 });
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(key, fc.boolean()), { selector: ([name]) => name }),
      (keys) => {
        const written = ([name, isEscaped]: [string, boolean]) =>
          isEscaped ? `"${name.split('').map(escaped).join('')}"` : JSON.stringify(name);
        const parsed = parseJson(`{${keys.map((one) => `${written(one)}:"\uF8FF"`).join()}}`);
        assert.deepEqual(
          Object.keys(parsed as object),
          keys.map(([name]) => name),
        );
      },
    ),
    { numRuns: 2000 },
  );
});

test('a body full of that character is read like any other, not searched for minutes', () => {
  const text = `{"\\n":"${'\uF8FF'.repeat(1_700_000)}"}`;
  assert.equal(JSON.stringify(parseJson(text)), text);
});
