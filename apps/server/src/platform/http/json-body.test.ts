import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { AppError } from '../errors/index.ts';
import { decodeBody, parseJsonBody, parseJsonBodyKeepingDigits, parseJsonText } from './index.ts';

/** A value as the generator means it: JSON.parse is no judge of escaped keys (nodejs/node#63785). */
type Shape = unknown;
type Sample = { text: string; shape: Shape };

/** Values whose numbers a double holds exactly, with keys that objects treat specially, written in many ways. */
const names = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', '"', '\\', '\n', 'é', '1', '%'),
);
const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.boolean(),
  fc.constant(null),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const escaped = (text: string): string =>
  `"${text.replace(/[\s\S]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
const { value: sample } = fc.letrec<{ value: Sample; array: Sample; object: Sample }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf.map((one) => ({ text: JSON.stringify(one), shape: Object.is(one, -0) ? 0 : one })),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 5 }).map((elements) => ({
    text: `[${elements.map(({ text }) => text).join(' ,\t')}]`,
    shape: elements.map(({ shape }) => shape),
  })),
  object: fc
    .uniqueArray(fc.tuple(names, tie('value'), fc.boolean()), {
      maxLength: 5,
      selector: ([name]) => name,
    })
    .map((members) => ({
      text: `{${members
        .map(([name, { text }, esc]) => `${esc ? escaped(name) : JSON.stringify(name)} :\n${text}`)
        .join(',')}}`,
      shape: new Map(members.map(([name, { shape }]) => [name, shape])),
    })),
}));

/** A parsed value with its objects as maps, so that neither prototypes nor __proto__ get in the way. */
function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

const refusal = (read: () => unknown): AppError => {
  try {
    read();
  } catch (error) {
    return error as AppError;
  }
  return assert.fail('nothing was refused');
};

const isParsed = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const assertMalformed = (read: () => unknown, message: RegExp) => {
  const { status, code, message: text } = refusal(read);
  assert.deepEqual([status, code], [400, 'malformed_json']);
  assert.match(text, message);
};

describe('a JSON body', () => {
  test('is read as what it says, whatever valid JSON it is', () => {
    fc.assert(
      fc.property(sample, ({ text, shape }) =>
        assert.deepEqual(shapeOf(parseJsonText(text)), shape),
      ),
      { numRuns: 3000 },
    );
  });

  test('is refused wherever JSON.parse refuses it, and else only for what would be lost', () => {
    const inserted = fc.constantFrom('', ',', '"', '}', ']', ':', '\\');
    fc.assert(
      fc.property(sample, fc.nat(), inserted, ({ text }, at, mark) => {
        const place = at % (text.length + 1);
        const broken = text.slice(0, place) + mark + text.slice(place + 1);
        const isJson = isParsed(broken);
        try {
          parseJsonText(broken);
          assert.ok(isJson);
        } catch (error) {
          const { code, message } = error as AppError;
          assert.equal(code, 'malformed_json');
          assert.equal(/ twice\.| kept exactly/.test(message), isJson);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('that repeats a key is refused, with the name of the key', () => {
    assertMalformed(() => parseJsonText('{"a":1,"b":{"a":2,"a":3}}'), /the key "a" twice/);
    assertMalformed(() => parseJsonText('{"__proto__":1,"__proto__":2}'), /"__proto__" twice/);
  });

  // V8 can take an escaped key for the one that followed the same keys in an earlier body (nodejs/node#63785).
  for (const [n, [before, body]] of [
    ['{"a1":1,"\\\\":2}', '{"a1":1,"\\u00e9":2}'],
    ['{"a2":1,"\\\\":2}', '{"a2":1,"\\n":2}'],
    ['{"a3":1,"_\\\\":2}', '{"a3":1,"_\\u00e9":2}'],
    ['{"a4":1,"\\\\u":2}', '{"a4":1,"\\u00e9\\u00e9":2}'],
  ].entries()) {
    test(`with an escaped key keeps the name of the key, whatever bodies were read before (${n})`, () => {
      parseJsonText(before as string);
      const [, name] = Object.keys(parseJsonText(body as string) as object);
      assert.equal(name, JSON.parse(/,("[^"]+")/.exec(body as string)?.[1] as string));
    });
  }

  test('that repeats an escaped key is refused, whatever bodies were read before', () => {
    parseJsonText('{"\\"":1,"\\\\":2}');
    assertMalformed(() => parseJsonText('{"\\"":1,"\\"":2}'), /twice/);
  });

  test('never quotes what the client sent in the message of a syntax error', () => {
    const { message } = refusal(() => parseJsonText('{"email":"ada@example.com" "x"'));
    assert.doesNotMatch(message, /ada|email/);
    assert.match(message, /at position \d+/);
  });

  test('may be nested as deep as its size allows without breaking the reader', () => {
    const depth = 100_000;
    const value = parseJsonText('['.repeat(depth) + ']'.repeat(depth));
    assert.ok(Array.isArray(value));
    assertMalformed(() => parseJsonText('['.repeat(depth)), /not valid JSON/);
    assertMalformed(() => parseJsonText('{"a":'.repeat(depth)), /not valid JSON/);
  });

  test('of the largest size with one long string is read, and searched for repeated keys', () => {
    const long = '\\"x'.repeat(1_500_000);
    assert.deepEqual(Object.keys(parseJsonText(`{"a":"${long}","b":1}`) as object), ['a', 'b']);
    assertMalformed(() => parseJsonText(`{"a":"${long}","b":1,"b":2}`), /"b" twice/);
  });
});

describe('a number in a JSON body', () => {
  const kept: [string, number][] = [
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER],
    ['9007199254740992', 2 ** 53],
    ['100000000000000000000', 1e20],
    ['1e300', 1e300],
    ['2147483648', 2147483648],
    ['0.1', 0.1],
    ['1.50', 1.5],
    ['-0.0000001', -1e-7],
    ['1.5e3', 1500],
    ['0e5', 0],
    ['5e-324', 5e-324],
  ];
  for (const [source, value] of kept) {
    test(`${source} is kept`, () =>
      assert.deepEqual(parseJsonText(`{"n":${source}}`), { n: value }));
  }

  const lost = [
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    `1${'0'.repeat(400)}`,
    '1e400',
    '-1E+999',
    '1e-400',
  ];
  for (const source of lost) {
    test(`${source.slice(0, 30)} is refused, because it would not be kept`, () =>
      assertMalformed(() => parseJsonText(`[{"n":${source}}]`), /cannot be kept exactly/));
  }

  for (const source of ['12345678901234567.0', '123456789012345678e0', '1234567890123456789e-1']) {
    test(`${source}, a whole number in another form, is refused for its lost digits too`, () =>
      assertMalformed(() => parseJsonText(`[${source}]`), /cannot be kept exactly/));
  }

  test('inside a string or a key is text, however many digits it has', () => {
    const text = '{"12345678901234567890":"12345678901234567890","e\\"":"9e999"}';
    assert.equal(JSON.stringify(parseJsonText(text)), text);
  });

  test('that is whole comes back with the digits that were sent, or is refused', () => {
    const integer = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    fc.assert(
      fc.property(integer, fc.constantFrom('', '.0', 'e0', '.000e+0'), (digits, form) => {
        const read = () => JSON.stringify(parseJsonText(`[${digits}${form}]`));
        const isKept = String(Number(digits)) === String(digits);
        if (isKept) assert.equal(read(), `[${digits}]`);
        else assertMalformed(read, /cannot be kept exactly/);
      }),
      { numRuns: 2000 },
    );
  });

  test('that is printed by JSON.stringify is always kept', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        assert.equal(
          JSON.stringify(parseJsonText(JSON.stringify([number]))),
          JSON.stringify([number]),
        );
      }),
      { numRuns: 2000 },
    );
  });

  test('comes out as its digits for senders who cannot write it otherwise, and all else as ever', () => {
    const read = (text: string) => parseJsonBodyKeepingDigits(Buffer.from(text));
    const text =
      '{"a":[9223372036854775807,-9223372036854775808],"b":{"c":1e400,"é":"12345678901234567890"}}';
    assert.deepEqual(read(text), {
      a: ['9223372036854775807', '-9223372036854775808'],
      b: { c: '1e400', é: '12345678901234567890' },
    });
    fc.assert(
      fc.property(fc.bigInt(), (number) => {
        const [value] = read(JSON.stringify([0]).replace('0', String(number))) as [unknown];
        assert.equal(
          typeof value === 'number' ? BigInt(value) : value,
          typeof value === 'number' ? number : String(number),
        );
      }),
    );
    assertMalformed(() => read('{12345678901234567890:1}'), /not valid JSON/);
    assertMalformed(() => read('{"a":12345678901234567890,"a":1}'), /twice/);
  });

  test('of millions of digits is answered like any other, not computed for hours', () => {
    const zeros = '0'.repeat(5_000_000);
    assertMalformed(() => parseJsonText(`[1${zeros}1]`), /cannot be kept exactly/);
    assertMalformed(() => parseJsonText(`[0.${'0'.repeat(400)}1${zeros}1]`), /cannot be kept/);
    assert.deepEqual(parseJsonText(`[1.${zeros}]`), [1]);
    assert.deepEqual(parseJsonText(`[0.${zeros}]`), [0]);
  });
});

describe('the bytes of a body', () => {
  const decode = (bytes: number[] | string, encoding?: string) =>
    decodeBody(Buffer.from(bytes as string), encoding);

  test('are empty_body when there are none', () => {
    assert.equal(refusal(() => parseJsonBody(undefined)).code, 'empty_body');
    assert.equal(refusal(() => parseJsonBody(Buffer.alloc(0))).code, 'empty_body');
  });

  test('are refused with a byte order mark, when not UTF-8, and when compressed', () => {
    assertMalformed(() => decode([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), /byte order mark/);
    assertMalformed(() => decode([0x7b, 0xff, 0x7d]), /not valid UTF-8/);
    assertMalformed(() => decode([0x22, 0xed, 0xa0, 0x80, 0x22]), /not valid UTF-8/);
    assertMalformed(() => decode([0xff, 0xfe, 0x7b, 0x00]), /not valid UTF-8/);
    assertMalformed(() => decode('{}', 'gzip'), /Content-Encoding gzip/);
  });

  test('come back as the same text when they are UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        fc.pre(text.isWellFormed() && !text.startsWith('\uFEFF'));
        assert.equal(decode(text), text);
        assert.equal(decode(text, 'identity'), text);
      }),
    );
  });
});
