import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFirstRows, readRows } from './read-rows.ts';

const FORMAT = { encoding: 'utf-8', separator: ',' } as const;

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 3) {
  const rows: unknown[] = [];
  const failure = await (async () => {
    for await (const { line, cells } of readRows(inPieces(text, size), FORMAT)) {
      rows.push([line, ...cells]);
    }
    return null;
  })().catch((error) => error.message);
  return { rows, failure };
}

const FILE = '\uFEFFa,b\r\n"é\n,",2\n\n , \r5" pipe,"q"z\nlast,ü';
const ROWS = [
  [1, 'a', 'b'],
  [2, 'é\n,', '2'],
  [6, '5" pipe', '"q"z'],
  [7, 'last', 'ü'],
];

test('a first line that names the separator is no row, and empty lines before the header are none', async () => {
  for (const start of ['sep=,\r\n', '"sep=,"\n', '\n'.repeat(9)]) {
    const text = `${start}a,b\n1,2\n`;
    const { rows } = await read(text);
    const first = readFirstRows(Buffer.from(text), FORMAT, 2).map(({ cells }) => cells);
    assert.deepEqual(first, [
      ['a', 'b'],
      ['1', '2'],
    ]);
    assert.deepEqual(
      rows.map((row) => (row as unknown[]).slice(1)),
      first,
    );
  }
});

test('rows come with the line where they begin, however the file is cut into pieces', async () => {
  for (const size of [1, 7, 1000]) {
    assert.deepEqual(await read(FILE, size), { rows: ROWS, failure: null });
  }
  const first = readFirstRows(Buffer.from(FILE), FORMAT, 3);
  assert.deepEqual(
    first.map(({ line, cells }) => [line, ...cells]),
    ROWS.slice(0, 3),
  );
});

test('rows before a quotation mark that never closes are read, and its line is named', async () => {
  for (const size of [1, 1000]) {
    const { rows, failure } = await read('a,b\n1,2\n3,"4\n5,6\n', size);
    assert.deepEqual(rows, [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ]);
    assert.match(failure, /from line 3 on/);
  }
  const endless = `a,b\n1,2\n3,"${'x\n'.repeat(700_000)}`;
  const { rows, failure } = await read(endless, 100_000);
  assert.equal(rows.length, 2);
  assert.match(failure, /from line 3 on/);
});
