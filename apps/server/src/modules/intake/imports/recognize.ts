import { IMPORT_MAX_COLUMNS, type ImportSettings } from '@leadwire/contract/dashboard';
import { nameColumns } from './columns.ts';
import { createUtf8Check, detectBinary, detectEncoding, detectSeparator } from './detect.ts';
import type { Failure } from './errors.ts';
import { decode, readFirstRows } from './read-rows.ts';

export type Format = Pick<ImportSettings, 'encoding' | 'separator'>;

type Recognized = { format: Format; unsure: string | null; columns: string[] };

/**
 * What a file is by its bytes: its encoding, what separates its cells, and its columns. `asked`: what somebody knows of it.
 * @param start how it begins @param pieces all of it
 */
export async function recognize(
  start: Buffer,
  pieces: AsyncIterable<Buffer>,
  asked: { [name in keyof Format]?: Format[name] | undefined } = {},
): Promise<{ failure: Failure } | Recognized> {
  const failure = detectBinary(start);
  if (failure) return { failure };
  const utf8 = createUtf8Check();
  for await (const piece of pieces) utf8.add(piece);
  const found = detectEncoding(start, utf8.end());
  const { encoding = found.encoding } = asked;
  const { separator = detectSeparator(decode(start, encoding)) } = asked;
  const format = { encoding, separator };
  const read = readHeader(start, format);
  if ('failure' in read) return read;
  return { format, columns: read.columns, unsure: asked.encoding ? null : found.unsure };
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
