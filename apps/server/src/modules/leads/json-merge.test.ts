import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mergePatch, sameJson } from './json-merge.ts';

const parse = (text: string): unknown => JSON.parse(text);
const json = (value: unknown) => JSON.stringify(value);

/** JSON with few names, so that patches meet what is there, and with names that objects treat specially. */
const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString');
const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom('null', '1', '"x"', 'true', '[]', '[1,null]', '[{"a":null}]', '{}'),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(name, tie('value')), { maxLength: 4, selector: ([one]) => one })
    .map((members) => `{${members.map(([one, inner]) => `${json(one)}:${inner}`).join()}}`),
}));

describe('a merge patch', () => {
  // RFC 7396, appendix A: original, patch, result.
  const examples: [string, string, string][] = [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ];
  for (const [original, patch, result] of examples) {
    test(`${patch} makes ${result} of ${original}`, () =>
      assert.equal(json(mergePatch(parse(original), parse(patch))), result));
  }

  test('applied twice is the same as once', () => {
    fc.assert(
      fc.property(value, value, (target, patch) => {
        const once = mergePatch(parse(target), parse(patch));
        const twice = mergePatch(once, parse(patch));
        assert.equal(json(twice), json(once));
        assert.ok(sameJson(once, twice));
      }),
      { numRuns: 3000 },
    );
  });

  test('changes neither the target nor itself', () => {
    fc.assert(
      fc.property(value, value, (target, patch) => {
        const [before, change] = [parse(target), parse(patch)];
        mergePatch(before, change);
        assert.deepEqual([json(before), json(change)], [json(parse(target)), json(parse(patch))]);
      }),
    );
  });

  test('of nothing changes nothing', () => {
    fc.assert(
      fc.property(value, (target) => {
        fc.pre(target.startsWith('{'));
        assert.equal(json(mergePatch(parse(target), {})), json(parse(target)));
      }),
    );
  });

  test('takes __proto__ for a name like any other, and reaches no prototype', () => {
    const merged = mergePatch(
      parse('{"a":1}'),
      parse('{"__proto__":{"polluted":true},"constructor":{"x":1}}'),
    );
    assert.equal(json(merged), '{"a":1,"__proto__":{"polluted":true},"constructor":{"x":1}}');
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    const again = mergePatch(merged, parse('{"__proto__":{"polluted":null,"b":2}}'));
    assert.equal(json(again), '{"a":1,"__proto__":{"b":2},"constructor":{"x":1}}');
    assert.equal(
      json(mergePatch(again, parse('{"__proto__":null}'))),
      '{"a":1,"constructor":{"x":1}}',
    );
  });
});

describe('two JSON values', () => {
  /** Every object with its members in the order of their names. */
  const canonical = (one: unknown): string => {
    if (Array.isArray(one)) return `[${one.map(canonical).join()}]`;
    if (typeof one !== 'object' || one === null) return json(one);
    const members = Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, inner]) => `${json(key)}:${canonical(inner)}`).join()}}`;
  };

  test('are the same exactly when they differ in nothing but the order of members', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [one, other] = [parse(a), parse(b)];
        assert.equal(sameJson(one, other), canonical(one) === canonical(other));
        assert.equal(sameJson(one, other), sameJson(other, one));
        assert.ok(sameJson(one, parse(canonical(one))));
      }),
      { numRuns: 3000 },
    );
  });

  for (const [a, b] of [
    ['null', '{}'],
    ['[]', '{}'],
    ['1', '"1"'],
    ['{"a":null}', '{}'],
    ['{"a":null}', '{"b":null}'],
    ['{"toString":null}', '{"a":null}'],
    ['{"__proto__":null}', '{"a":null}'],
    ['[1,2]', '[2,1]'],
    ['["a"]', '{"0":"a"}'],
  ] as const) {
    test(`${a} and ${b} are not the same`, () => assert.ok(!sameJson(parse(a), parse(b))));
  }
});
