import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { elementsOf } from './elements.ts';

describe('the elements of an array in JSON text', () => {
  test('come as the bytes that they are there, spaces and spelling of numbers and escapes included', () => {
    const first = '{"id" : 1.0, "text":"a\\u00e9],[\\"}","in":[[1],[2]]}';
    const text = `{"ok":true,"data":[${first} , {"id":2}],"nextCursor":"x","data2":[3]}`;
    assert.deepEqual(elementsOf(text, 'data'), [first, '{"id":2}']);
  });

  test('are those of a member of the object itself, not of one within', () => {
    const text = '{"other":{"data":[1]},"text":"data","list":[9],"data":[2]}';
    assert.deepEqual(elementsOf(text, 'data'), ['2']);
  });

  test('are none where the array is empty or not there', () => {
    for (const text of ['{"data":[]}', '{"data":[ ]}', '{"data":{}}', '{}', '[]', '"data"', '7']) {
      assert.deepEqual(elementsOf(text, 'data'), [], text);
    }
  });

  test('are together what JSON.parse reads', () => {
    const any = fc.record({ a: fc.jsonValue(), data: fc.array(fc.jsonValue()), z: fc.jsonValue() });
    fc.assert(
      fc.property(any, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const read = elementsOf(text, 'data').map((element) => JSON.parse(element));
        assert.deepEqual(read, JSON.parse(text).data);
      }),
    );
  });
});
