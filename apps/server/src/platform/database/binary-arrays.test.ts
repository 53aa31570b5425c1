import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { createTestDatabase } from '../../../test/support/index.ts';
import {
  type ArrayParameter,
  boolArray,
  byteaArray,
  createDatabase,
  type Database,
  int4Array,
  jsonArray,
  textArray,
  timestampToIso,
  timestamptzArray,
  uuidArray,
} from './index.ts';

let database: Database;

before(async () => {
  const { url } = await createTestDatabase({ from: 'empty' });
  const migrations = new URL('../../../migrations/', import.meta.url);
  const log = { warn: () => undefined };
  database = createDatabase({ url, poolSize: 1, retryForMs: 3_000, migrations, log });
});
after(() => database.close());

const list = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.option(value, { freq: 4 }), { maxLength: 50 });

/** What PostgreSQL makes of a binary array, as `shown` prints each element; the order is that of the array. */
async function readBack(type: string, array: ArrayParameter, shown = 'value'): Promise<unknown[]> {
  const rows = await database.queryArrays({
    text: `SELECT ${shown} FROM unnest($1::${type}[]) WITH ORDINALITY AS t (value, place) ORDER BY place`,
    values: [array],
  });
  return rows.map(([value]) => value);
}

const storable = fc
  .string({ unit: 'binary', maxLength: 200 })
  .filter((text) => text.isWellFormed() && !text.includes('\0'));

describe('a binary array reaches PostgreSQL as it is:', () => {
  test('text of every kind, empty, null', async () => {
    await fc.assert(
      fc.asyncProperty(list(storable), async (values) =>
        assert.deepEqual(await readBack('text', textArray(values)), values),
      ),
      {
        numRuns: 200,
        examples: [[[]], [['']], [[null]], [[null, '', 'NULL', '{}', '"', '\\', ',']]],
      },
    );
  });

  test('every character of Unicode', async () => {
    const values: string[] = [];
    for (let first = 0; first < 0x110000; first += 0x400) {
      if (first >= 0xd800 && first < 0xe000) continue;
      const codes = Array.from({ length: 0x400 }, (_, i) => first + i);
      values.push(String.fromCodePoint(...codes.filter((code) => code > 0)));
    }
    assert.deepEqual(await readBack('text', textArray(values)), values);
    const bytes = await readBack('text', textArray(values), 'octet_length(value)');
    assert.deepEqual(
      bytes,
      values.map((text) => Buffer.byteLength(text)),
    );
  });

  test('json, to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(list(fc.jsonValue()), async (values) => {
        const texts = values.map((value) => (value === null ? null : JSON.stringify(value)));
        const kept = texts.map((text) => (text?.includes('\\u0000') ? '{"a" : 1 }' : text));
        assert.deepEqual(await readBack('json', jsonArray(kept)), kept);
      }),
      { numRuns: 100 },
    );
  });

  test('bytes, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(list(fc.uint8Array({ maxLength: 300 })), async (values) => {
        const bytes = values.map((value) => value && Buffer.from(value));
        assert.deepEqual(await readBack('bytea', byteaArray(bytes)), bytes);
      }),
      { numRuns: 100 },
    );
  });

  test('uuid, in either case', async () => {
    await fc.assert(
      fc.asyncProperty(list(fc.tuple(fc.uuid(), fc.boolean())), async (pairs) => {
        const ids = pairs.map((pair) => pair && (pair[1] ? pair[0].toUpperCase() : pair[0]));
        const expected = pairs.map((pair) => pair?.[0] ?? null);
        assert.deepEqual(await readBack('uuid', uuidArray(ids)), expected);
      }),
      { numRuns: 100 },
    );
  });

  test('int4, to its edges', async () => {
    const [min, max] = [-(2 ** 31), 2 ** 31 - 1];
    await fc.assert(
      fc.asyncProperty(list(fc.integer({ min, max })), async (values) =>
        assert.deepEqual(await readBack('int4', int4Array(values)), values),
      ),
      { numRuns: 100, examples: [[[min, max, 0, -1, null]]] },
    );
  });

  test('bool', async () => {
    await fc.assert(
      fc.asyncProperty(list(fc.boolean()), async (values) =>
        assert.deepEqual(await readBack('bool', boolArray(values)), values),
      ),
      { numRuns: 100 },
    );
  });

  test('times, to the microsecond, from the year 0001 to 9999', async () => {
    const time = fc
      .tuple(
        fc.date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        fc.nat(999),
      )
      .map(
        ([date, micros]) => `${date.toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`,
      );
    const edges = [
      '0001-01-01T00:00:00.000000Z',
      '1969-12-31T23:59:59.999999Z',
      '1999-12-31T23:59:59.999999Z',
      '2000-01-01T00:00:00.000000Z',
      '2000-01-01T00:00:00.000001Z',
      '2026-01-15T10:30:00.120000Z',
      '2255-12-31T00:00:00.000001Z',
      '9999-12-31T23:59:59.999999Z',
      null,
    ];
    await fc.assert(
      fc.asyncProperty(list(time), async (values) => {
        const array = timestamptzArray(values);
        const texts = await readBack('timestamptz', array);
        assert.deepEqual(
          texts.map((text) => text && timestampToIso(text as string)),
          values,
        );
        // PostgreSQL prints the moment itself too, so that two errors cannot cancel each other.
        const shown = `to_char(value AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
        assert.deepEqual(await readBack('timestamptz', array, shown), values);
      }),
      { numRuns: 200, examples: [[edges]] },
    );
  });

  test('arrays of different columns side by side', async () => {
    const rows = await database.queryArrays({
      text: 'SELECT * FROM unnest($1::text[], $2::int4[], $3::bool[]) AS t (a, b, c)',
      values: [textArray(['x', null]), int4Array([null, 2]), boolArray([true, null])],
    });
    assert.deepEqual(rows, [
      ['x', null, true],
      [null, 2, null],
    ]);
  });
});
