import type { ImportEncoding, ImportSeparator } from '@leadwire/contract/dashboard';
import { type Options, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { UnreadableFile } from './errors.ts';

/** One record of a file. `line` is where it begins, counted from 1. */
export type FileRow = { line: number; cells: string[] };

type Format = { encoding: ImportEncoding; separator: ImportSeparator };

const MAX_RECORD = 1024 * 1024;
// What is parsed at a time, so that nobody waits long for their turn of the event loop.
const SLICE_BYTES = 16 * 1024;

/**
 * RFC 4180, and what is sent for it: any line end, quotes inside of cells, rows of other lengths (which are refused one by one).
 * An open quote may take in at most a MiB.
 */
export const CSV_OPTIONS = {
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: MAX_RECORD,
} satisfies Options;

/**
 * Every record of a file that is not empty, the header included, in its order.
 * @throws UnreadableFile where a quote never closes, after the rows before it
 */
export async function* readRows(
  file: AsyncIterable<Buffer>,
  { encoding, separator }: Format,
): AsyncGenerator<FileRow> {
  let rows: FileRow[] = [];
  let line = 1;
  const parser = createFeed(separator, (cells, lastLine) => {
    if (isRow(line, cells, separator)) rows.push({ line, cells });
    line = lastLine + 1;
  });
  const taken = () => {
    const before = rows;
    rows = [];
    return before;
  };
  try {
    for await (const slice of slicesOf(file, encoding)) {
      const failure = await parser.write(slice);
      yield* taken();
      if (failure) throw explain(failure, line);
    }
    const failure = await parser.end();
    yield* taken();
    if (failure) throw explain(failure, line);
  } finally {
    parser.destroy();
  }
}

/** The parser as something that bytes are put into; not as a stream, which drops what it has read before a failure. */
function createFeed(delimiter: string, onRecord: (cells: string[], lastLine: number) => void) {
  const parser = parse({ ...CSV_OPTIONS, delimiter, on_record: handingOver(onRecord) } as Options);
  let failure: unknown = null;
  parser.on('error', (error) => {
    failure = error;
  });
  parser.resume();
  const settled = (act: (done: () => void) => void) =>
    new Promise<unknown>((resolve) => act(() => setImmediate(() => resolve(failure))));
  return {
    write: (slice: Buffer) => settled((done) => parser.write(slice, done)),
    end: () =>
      settled((done) => {
        parser.once('close', done);
        parser.end();
      }),
    destroy: () => parser.destroy(),
  };
}

const handingOver =
  (onRecord: (cells: string[], lastLine: number) => void) =>
  (cells: unknown, { lines }: { lines: number }) => {
    onRecord(cells as string[], lines);
    return null;
  };

// How many empty ones may stand among the first rows.
const EMPTY_ROWS = 1_000;

/** The first records of the beginning of a file, which may be cut off anywhere. */
export function readFirstRows(start: Buffer, format: Format, limit: number): FileRow[] {
  const text = decode(start, format.encoding);
  const rows: FileRow[] = [];
  let line = 1;
  readUntilWrong(text, format.separator, limit + EMPTY_ROWS, (cells, lastLine) => {
    if (isRow(line, cells, format.separator)) rows.push({ line, cells });
    line = lastLine + 1;
  });
  return rows.slice(0, limit);
}

/** Hands over at most `to` records, up to a quote that does not close within the text. */
export function readUntilWrong(
  text: string,
  delimiter: string,
  to: number,
  onRecord: (cells: string[], lastLine: number) => void,
): void {
  const on_record = handingOver(onRecord);
  try {
    parseAtOnce(text, { ...CSV_OPTIONS, delimiter, to, on_record } as Options);
  } catch (error) {
    if (!isOpenQuote(error)) throw error;
  }
}

export const decode = (bytes: Buffer, encoding: ImportEncoding): string =>
  new TextDecoder(encoding).decode(bytes);

async function* slicesOf(file: AsyncIterable<Buffer>, encoding: ImportEncoding) {
  // The parser reads UTF-8 itself, also where a character is cut in two.
  const decoder = encoding === 'utf-8' ? null : new TextDecoder(encoding);
  for await (const part of file) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) {
      const slice = part.subarray(at, at + SLICE_BYTES);
      yield decoder ? Buffer.from(decoder.decode(slice, { stream: true })) : slice;
    }
  }
  if (decoder) yield Buffer.from(decoder.decode());
}

/** Empty lines are none, nor is the first one of a file that names its separator, as Excel understands it: `sep=;`. */
const isRow = (line: number, cells: string[], separator: string): boolean =>
  cells.some((cell) => cell.trim() !== '') &&
  !(line === 1 && /^sep=[,;\t|]?$/i.test(cells.join(separator)));

const isOpenQuote = (error: unknown): boolean =>
  /^CSV_(?:QUOTE_NOT_CLOSED|MAX_RECORD_SIZE)$/.test((error as { code?: string }).code ?? '');

function explain(error: unknown, line: number): unknown {
  if (!isOpenQuote(error)) return error;
  const message = `The file cannot be read from line ${line} on: a quotation mark opens there and does not close. Close it or remove it, and upload the file again; what was imported stays and is not doubled.`;
  return new UnreadableFile({ code: 'unreadable', message }, line);
}
