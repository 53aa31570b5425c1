import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import type { Database } from '../../../platform/database/index.ts';
import { defuse } from '../../../platform/formulas/index.ts';
import { RESULT_COLUMNS } from './columns.ts';
import { readFile } from './file.ts';
import { type FileRow, readRows } from './read-rows.ts';
import type { ImportKey, StoredImport } from './repository/imports.ts';
import { findExternalIds, listBadRows, type RowError, readChunk } from './repository/outcomes.ts';

type Deps = { database: Database; read: (key: ImportKey) => Promise<StoredImport> };

const BOM = '\uFEFF';
// A row may have a megabyte: as much as this is made at a time, and others are answered in between.
const PIECE = { rows: 50, chars: 64 * 1024 };

/**
 * What became of each row, as CSV that a spreadsheet opens: cells that it would take for a formula are defused. The row itself
 * follows while the file is kept. `stillMay` is asked again for each chunk.
 */
export function createResults({ database, read }: Deps) {
  return async (key: ImportKey, stillMay: () => Promise<boolean>) => {
    const one = await read(key);
    const name = one.fileName.replace(/\.\w{1,4}$/, '').replace(/[^A-Za-z0-9_-]+/g, '-');
    return {
      fileName: `${name.replace(/^-+|-+$/g, '').slice(0, 80) || 'import'}-result.csv`,
      type: 'text/csv; charset=utf-8',
      stream: Readable.from(textOf(database, one, stillMay), { objectMode: false }),
    };
  };
}

async function* textOf(
  database: Database,
  one: StoredImport,
  stillMay: () => Promise<boolean>,
): AsyncGenerator<string> {
  const rows = one.fileUntil && one.settings ? cellsOf(database, one) : null;
  const columns = rows ? (one.columns ?? []) : [];
  yield BOM + csv([[...RESULT_COLUMNS, ...columns]]);
  try {
    for (let firstRow = 0; ; ) {
      if (!(await stillMay())) throw new Error('who asked for the file may no longer read it');
      const chunk = await readChunk(database, one, firstRow);
      if (!chunk) return;
      yield* linesOf(database, one, chunk.rows, rows);
      firstRow = chunk.firstRow + chunk.rows.length;
    }
  } finally {
    await rows?.return(undefined);
  }
}

type Chunk = NonNullable<Awaited<ReturnType<typeof readChunk>>>['rows'];

async function* linesOf(
  database: Database,
  one: StoredImport,
  chunk: Chunk,
  file: AsyncGenerator<FileRow> | null,
): AsyncGenerator<string> {
  const [from, to] = [chunk[0]?.line ?? 1, chunk.at(-1)?.line ?? 1];
  const [bad, externalIds] = await Promise.all([
    listBadRows(database, one, { from, to, limit: chunk.length }),
    findExternalIds(
      database,
      one.accountId,
      chunk.flatMap(({ leadId }) => leadId ?? []),
    ),
  ]);
  const errorsOf = new Map(bad.map(({ line, errors }) => [line, errors]));
  let lines: unknown[][] = [];
  let chars = 0;
  for (const { line, outcome, leadId } of chunk) {
    const externalId = leadId === null ? '' : (externalIds.get(leadId) ?? '');
    const errors = (errorsOf.get(line) ?? []).map(sentenceOf).join('; ');
    const cells = file ? await cellsAt(file, line) : [];
    lines.push([line, outcome, leadId ?? '', externalId, errors, ...cells]);
    chars += cells.reduce((sum, cell) => sum + cell.length, 0);
    if (lines.length < PIECE.rows && chars < PIECE.chars) continue;
    yield csv(lines);
    lines = [];
    chars = 0;
    await nextTurn();
  }
  if (lines.length > 0) yield csv(lines);
}

/** The rows below the header. */
async function* cellsOf(database: Database, one: StoredImport): AsyncGenerator<FileRow> {
  const { settings } = one;
  if (!settings) return;
  let isHeader = true;
  for await (const row of readRows(readFile(database, one), settings)) {
    if (!isHeader) yield row;
    isHeader = false;
  }
}

async function cellsAt(file: AsyncGenerator<FileRow>, line: number): Promise<string[]> {
  for (;;) {
    const { value, done } = await file.next();
    if (done) return [];
    if (value.line === line) return value.cells;
  }
}

export const sentenceOf = ({ column, message }: RowError): string =>
  column === null ? message : `${column}: ${message}`;

const csv = (rows: unknown[][]): string =>
  stringify(rows.map((row) => row.map((cell) => (typeof cell === 'string' ? defuse(cell) : cell))));
