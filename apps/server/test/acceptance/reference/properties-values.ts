import fc from 'fast-check';
import type { Json } from '../../support/index.ts';

type Value = fc.Arbitrary<unknown>;

const among = (...values: unknown[]): Value => fc.constantFrom(...values);

/** Any character, mostly what people type; NUL and control characters now and then. */
const text = (minLength = 0, maxLength = 60): Value => {
  const lengths = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) };
  return fc.oneof(
    { weight: 30, arbitrary: fc.string({ unit: 'grapheme-ascii', ...lengths }) },
    {
      weight: 10,
      arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: maxLength / 20 }),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: maxLength / 20 }) },
    { weight: 1, arbitrary: fc.constantFrom('🐘'.repeat(maxLength), 'x'.repeat(maxLength)) },
  );
};

/** Nothing but loopback is named: the service may be told to post there. */
const BY_FORMAT: Record<string, Value> = {
  phone: among('+14155550132', '+1 (415) 555-0132', '+44 20.7946.0958', '(+1)2345678'),
  email: among('a@example.com', 'A.b+c@EXAMPLE.com', '"a b"@example.com', 'é@example.com'),
  'http-url': among(
    ...['http://127.0.0.1:9/', 'HTTP://127.0.0.1:9/a?b=c#d', 'http://127.0.0.1:9/%F0%9F%90%98'],
  ),
  timestamp: among(
    ...['2026-01-15T10:30:00Z', '2024-02-29 23:59:59.5-1100', '2026-01-15T10:30:00.123456789+14'],
    ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ),
  'no-control-characters': fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 }),
  'campaign-id': among('1', '2', '99', '2147483647'),
};

/** Members whose values must meet what the account has, or each other, for a request to succeed. */
const BY_NAME: Record<string, Value> = {
  campaign_id: fc.oneof({ weight: 9, arbitrary: among(1, 2, 3) }, among(4, 2_147_483_647)),
  external_lead_id: fc.oneof(
    { weight: 4, arbitrary: fc.nat({ max: 19 }).map((n) => `p/${n} é`) },
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 }),
  ),
  phone: fc.oneof({ weight: 9, arbitrary: BY_FORMAT.phone as Value }, among(null)),
  active: among(true, true, true, true, false),
  type: among('lead.created', 'lead.created,campaign.paused', 'x'),
  from: among('2020-01-01T00:00:00Z', '2021-06-30T12:00:00.5+02:00'),
  to: among('2023-01-01T00:00:00Z', '2024-02-29T23:59:59Z'),
};

/**
 * Values that a schema of the document allows.
 * @param resolve follows a $ref
 */
export function valuesOf(schema: Json, resolve: (node: Json) => Json, name = ''): Value {
  const { anyOf, type, format, pattern, ...rest } = resolve(schema);
  if (rest.const !== undefined) return fc.constant(rest.const);
  if (rest.enum) return fc.constantFrom(...rest.enum);
  if (anyOf) return fc.oneof(...anyOf.map((one: Json) => valuesOf(one, resolve)));
  if (BY_NAME[name] && type !== 'string') return BY_NAME[name];
  if (Array.isArray(type)) {
    const [main, ...others] = type.map((one) =>
      one === 'null' ? among(null) : valuesOf({ ...rest, type: one, format, pattern }, resolve),
    );
    return fc.oneof({ weight: 4, arbitrary: main as Value }, ...others);
  }
  if (type === 'object') return objectOf(rest, resolve);
  if (type === 'array') return arrayOf(rest, resolve);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return integers(rest);
  if (type !== 'string') return fc.jsonValue({ maxDepth: 2 });
  return BY_NAME[name] ?? texts({ ...rest, format, pattern });
}

function texts({ format, pattern, minLength, maxLength }: Json): Value {
  if (format && BY_FORMAT[format]) return BY_FORMAT[format];
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  return text(minLength, maxLength);
}

const integers = ({ minimum = -(2 ** 53), maximum = 2 ** 53 }: Json): Value =>
  fc.oneof(among(minimum, maximum), fc.integer({ min: minimum, max: Math.min(maximum, 200) }));

function objectOf({ properties, required = [], additionalProperties }: Json, resolve: Resolve) {
  if (!properties && additionalProperties !== false) {
    return fc.dictionary(text(0, 20) as fc.Arbitrary<string>, fc.jsonValue({ maxDepth: 3 }), {
      ...{ maxKeys: 4, noNullPrototype: true },
    });
  }
  const members = Object.entries(properties).map(([name, schema]) => [
    name,
    valuesOf(schema, resolve, name),
  ]);
  return fc.record(Object.fromEntries(members), { requiredKeys: required, noNullPrototype: true });
}

type Resolve = (node: Json) => Json;

function arrayOf({ items, minItems = 0, maxItems = 10, uniqueItems }: Json, resolve: Resolve) {
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, 10) };
  const item = valuesOf(items, resolve);
  return uniqueItems ? fc.uniqueArray(item, lengths) : fc.array(item, lengths);
}
