import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fromCursor, START, toCursor } from './cursor.ts';

describe('a cursor of the event feed', () => {
  test('is read back as the position that it was made of', () => {
    const position = fc.record({
      writtenIn: fc.bigInt(0n, 2n ** 64n - 1n).map(String),
      id: fc.uuid(),
    });
    fc.assert(
      fc.property(position, (one) => assert.deepEqual(fromCursor(toCursor(one)), { ...one })),
    );
    assert.deepEqual(fromCursor(toCursor(START)), START);
  });

  test('fits into a URL as it is', () => {
    assert.match(toCursor(START), /^[\w-]+$/);
  });

  test('is nothing else, whatever text comes', () => {
    const texts = fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(texts, (text) => {
        const position = fromCursor(text);
        assert.ok(position === null || toCursor(position) === text);
      }),
    );
  });
});
