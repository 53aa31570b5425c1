import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOf, lastJson } from './answers.ts';

test('the last document of an output is found: on a line, over lines, behind headers or another answer', () => {
  const document = { a: [{ b: 1 }, { c: '}{' }] };
  for (const text of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
    for (const before of ['', 'HTTP/1.1 200 OK\r\n\r\n', '{"z":1}', '[1]\n', 'posted\n']) {
      assert.deepEqual(lastJson(`${before}${text}\n`), document, before);
    }
  }
  assert.equal(lastJson('{"a":1}\nthen words'), undefined);
  assert.equal(lastJson(''), undefined);
});

test('an answer may hold more than is shown, and nothing else than is shown', () => {
  const actual = { ok: true, id: 'wh_1', list: [1, 2], inner: { a: null, b: 'x' } };
  const fine: unknown[] = [
    { ok: true },
    { id: '…', list: '…' },
    { id: 'wh_…', list: [1, '…'], inner: { a: null } },
    { list: ['…', 2], inner: { b: 'x' } },
  ];
  for (const shown of fine) assert.equal(differenceOf(shown, actual), null, JSON.stringify(shown));
  const wrong: unknown[] = [
    { ok: false },
    { ok: 'true' },
    { id: 'lw…' },
    { id: 'wh_' },
    { none: '…' },
    { list: [1] },
    { list: [1, 2, 3, '…'] },
    { list: { 0: 1 } },
    { inner: { a: {} } },
    [],
  ];
  for (const shown of wrong)
    assert.notEqual(differenceOf(shown, actual), null, JSON.stringify(shown));
});
