import fc from 'fast-check';
import type { Json } from '../../support/index.ts';

const nested = (depth: number, open: string, close: string) =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Bodies that no schema allows, most of them no JSON at all. */
export const malformed: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      ...['', ' ', '{', '}', 'null', '[]', '""', '0', 'true', '{"a":1,}', "{'a':1}", '{"a":1}{}'],
      ...['{"a":1,"a":2}', '{"__proto__":{"a":1}}', '{"a":NaN}', '{"a":1e400}', '{"a":01}'],
      ...['{"a":"\\ud800"}', '{"a":"\\u0000"}', '{"a":"\u0001"}', '\ufeff{"a":1}', '{"a":"\\x"}'],
      ...[
        'a=1&b=2',
        '<a/>',
        ' '.repeat(256 * 1024 + 1),
        nested(20_000, '[', ']'),
        nested(5_000, '{"a":', '}'),
      ],
    )
    .map((text) => Buffer.from(text)),
  fc
    .constantFrom([0xff, 0xfe], [0x7b, 0x22, 0xc3, 0x28, 0x22], [0x1f, 0x8b, 8, 0])
    .map(Buffer.from),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from([0x7b, ...bytes])),
);

const WRONG: unknown[] = [
  ...[null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, '', ' ', '0', '\u0000', '\ud800', '\u202e'],
  ...['x'.repeat(20_000), '2026-02-30T00:00:00Z', '+', '@', 'javascript:alert(1)', 'lead.created'],
  ...[[], {}, [[]], [null], { a: { b: [] } }, JSON.parse(nested(40, '{"a":', '}'))],
];
const EXTRA = ['x', '__proto__', 'constructor', 'toString', '', 'id', 'account_id', 'created_at'];

type Mutation = { at: number; how: 'replace' | 'remove' | 'add'; value: unknown; name: string };

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'replace', 'remove', 'add'),
  value: fc.oneof(fc.constantFrom(...WRONG), fc.jsonValue({ maxDepth: 2 })),
  name: fc.constantFrom(...EXTRA),
});

/** Values with one or two of their members replaced, removed or added: mostly what the schema refuses. */
export const brokenFrom = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 2 }))
    .map(([value, mutations]) => mutations.reduce(mutate, structuredClone(value)));

function mutate(root: unknown, { at, how, value, name }: Mutation): unknown {
  const places = [...placesOf(root)];
  const place = places[at % Math.max(places.length, 1)];
  if (how === 'add' || !place) return isObject(root) ? define(root, name, value) : value;
  const [owner, key] = place;
  if (how === 'replace') define(owner, key, value);
  else if (Array.isArray(owner)) owner.splice(Number(key), 1);
  else delete owner[key];
  return root;
}

/** Every member of every object and array below a value. */
function* placesOf(value: unknown): Generator<[owner: Json, key: string]> {
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    yield [value, key];
    yield* placesOf(inner);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Also a member with the name __proto__. */
function define(owner: object, key: string, value: unknown): object {
  return Object.defineProperty(owner, key, {
    ...{ value, enumerable: true, configurable: true, writable: true },
  });
}
