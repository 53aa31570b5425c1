import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findDuplicateKey } from './duplicate-keys.ts';
import { parseJsonText } from './json-body.ts';

const value = fc.jsonValue({ maxDepth: 3 }).map((one) => JSON.stringify(one));
const key = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  fc.constantFrom('__proto__', 'constructor', '', '"', '\\', '{', '1', ':'),
);

/** Any character as \uXXXX: one key can be written in many ways. */
const escaped = (text: string): string =>
  `"${[...Array(text.length).keys()]
    .map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('')}"`;

const objectText = (members: [name: string, value: string][]) =>
  `{${members.map(([name, inner]) => `${name}:${inner}`).join(' , ')}}`;

test('a key that stands twice in one object is found, at any depth and however it is written', () => {
  const levels = fc.array(fc.tuple(fc.constantFrom('array', 'object'), key, value), {
    maxLength: 20,
  });
  const others = fc.uniqueArray(key, { maxLength: 4 });
  fc.assert(
    fc.property(
      key,
      others,
      value,
      value,
      fc.boolean(),
      levels,
      (twice, names, a, b, esc, outer) => {
        const filler = names.filter((name) => name !== twice);
        const members: [string, string][] = [
          [JSON.stringify(twice), a],
          ...filler.map((name): [string, string] => [JSON.stringify(name), b]),
          [esc ? escaped(twice) : JSON.stringify(twice), b],
        ];
        const text = outer.reduce(
          (inner, [kind, name, sibling]) =>
            kind === 'array'
              ? `[${sibling}, ${inner}]`
              : objectText([[JSON.stringify(name), inner]]),
          objectText(members),
        );
        assert.equal(findDuplicateKey(text), twice);
        assert.throws(() => parseJsonText(text), { code: 'malformed_json' });
      },
    ),
    { numRuns: 2000 },
  );
});

test('a key that stands once in each of several objects is no duplicate', () => {
  fc.assert(
    fc.property(key, value, (name, inner) => {
      const one = objectText([[JSON.stringify(name), inner]]);
      const text = `[${one}, ${one}, {"a": ${one}, "b": [${one}]}]`;
      assert.equal(findDuplicateKey(text), undefined);
    }),
  );
});

test('a string value equal to a key, or made of JSON, is no key', () => {
  assert.equal(findDuplicateKey('{"a":"a","b":["a","a"],"c":"{\\"a\\":1,\\"a\\":2}"}'), undefined);
  assert.equal(findDuplicateKey('{"a":":","b":"\\\\","c":"\\":"}'), undefined);
});
