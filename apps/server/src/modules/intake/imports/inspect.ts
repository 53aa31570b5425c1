import { createHash } from 'node:crypto';
import { IMPORT_MAX_COLUMNS, type ImportSettings } from '@leadwire/contract/dashboard';
import type { Database } from '../../../platform/database/index.ts';
import { headersName, nameColumns, suggestTargets, withRemembered } from './columns.ts';
import { createUtf8Check, detectBinary, detectEncoding, detectSeparator } from './detect.ts';
import type { Failure } from './errors.ts';
import { readFile, readStart } from './file.ts';
import { decode, readFirstRows } from './read-rows.ts';
import type { Detected, ImportKey } from './repository/imports.ts';
import { findMapping } from './repository/mappings.ts';

type Format = Pick<ImportSettings, 'encoding' | 'separator'>;

export type Found =
  | { failure: Failure }
  | { sha256: string; settings: ImportSettings; detected: Detected; columns: string[] };

const UNTOUCHED = {
  campaign_id: null,
  source: null,
  default_country: null,
  date_order: 'iso',
  time_zone: null,
} as const;

/** Reads a file that has arrived from end to end, and finds out what it is. */
export async function inspect(
  database: Database,
  file: ImportKey & { bytes: number },
): Promise<Found> {
  const hash = createHash('sha256');
  const utf8 = createUtf8Check();
  const start = await readStart(database, file);
  if (!start) throw new Error('a file that has not arrived cannot be looked at');
  const failure = detectBinary(start);
  if (failure) return { failure };
  for await (const piece of readFile(database, file)) {
    hash.update(piece);
    utf8.add(piece);
  }
  const { encoding, unsure } = detectEncoding(start, utf8.end());
  const format = { encoding, separator: detectSeparator(decode(start, encoding)) };
  const read = readHeader(start, format);
  if ('failure' in read) return read;
  const { columns } = read;
  const mapping = await findMapping(database, file.accountId, headersName(columns));
  return {
    ...{ sha256: hash.digest('hex'), columns },
    detected: { ...format, unsure, remembered: mapping !== null },
    settings: {
      ...format,
      ...UNTOUCHED,
      ...mapping?.settings,
      columns: mapping ? withRemembered(columns, mapping.columns) : suggestTargets(columns),
    },
  };
}

/** The columns of a file by its first record. */
export function readHeader(
  start: Buffer,
  format: Format,
): { failure: Failure } | { columns: string[] } {
  const [header, first] = readFirstRows(start, format, 2);
  if (!header)
    return failed('no_header', 'No header row was found. The first row names the columns.');
  if (header.cells.length > IMPORT_MAX_COLUMNS) {
    const message = `The file has ${header.cells.length} columns; at most ${IMPORT_MAX_COLUMNS} are read. Remove those that you do not need.`;
    return failed('too_many_columns', message);
  }
  if (!first) {
    const message =
      'There is no row below the header row. Add the leads, and upload the file again.';
    return failed('no_rows', message);
  }
  return nameColumns(header.cells);
}

const failed = (code: string, message: string) => ({ failure: { code, message } });
