import {
  IMPORT_SEPARATORS,
  type ImportEncoding,
  type ImportSeparator,
} from '@leadwire/contract/dashboard';
import chardet from 'chardet';
import type { Failure } from './errors.ts';
import { readUntilWrong } from './read-rows.ts';

const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_RECORDS = 50;

export type FoundEncoding = { encoding: ImportEncoding; unsure: string | null };

/** How files begin that are often taken for tables, in Latin-1. */
const KINDS: [start: string, failure: string][] = [
  [
    'PK\x03\x04',
    'This is an Excel workbook or another ZIP file. Open it and save it as CSV, then take that.',
  ],
  [
    '\xd0\xcf\x11\xe0',
    'This is an old Excel workbook (.xls). Open it and save it as CSV, then take that.',
  ],
  ['%PDF-', 'This is a PDF. Export the leads as CSV where the PDF was made, then take that.'],
  ['\x1f\x8b', 'This file is compressed (gzip). Unpack it, then upload the CSV in it.'],
];

/** What the first bytes say of a file that is no text. @returns null for text, as far as they tell */
export function detectBinary(bytes: Buffer): Failure | null {
  const start = bytes.subarray(0, 16).toString('latin1');
  const known = KINDS.find(([kind]) => start.startsWith(kind));
  if (known) return { code: 'not_text', message: known[1] };
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (!sample.includes(0) || utf16Of(sample)) return null;
  return {
    code: 'not_text',
    message: 'This file is not text. Save the table as CSV, then take that.',
  };
}

/**
 * The encoding of a file of leads: by its byte order mark, the zero bytes of UTF-16, or being valid UTF-8 from end to end;
 * else Windows-1252, which fits any bytes and is therefore said to be a guess.
 */
export function detectEncoding(start: Buffer, isAllUtf8: boolean): FoundEncoding {
  const utf16 = utf16Of(start.subarray(0, SAMPLE_BYTES));
  if (utf16) return { encoding: utf16, unsure: null };
  if (isAllUtf8) return { encoding: 'utf-8', unsure: null };
  const likely = chardet.detect(start.subarray(0, SAMPLE_BYTES)) ?? '';
  const western = /^(?:windows-125[24]|ISO-8859-(?:1|9|15)|ASCII|UTF-8)$/i.test(likely);
  const maybe = western ? '' : ` It may be ${likely}, which is not read here.`;
  return {
    encoding: 'windows-1252',
    unsure: `The file is not UTF-8 and is read as Windows-1252.${maybe} Look at letters with accents below: where they are wrong, save the file as UTF-8 and take that one.`,
  };
}

function utf16Of(sample: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (sample.length < 2) return null;
  if (sample[0] === 0xff && sample[1] === 0xfe) return sample[2] || sample[3] ? 'utf-16le' : null;
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  // Separators, quotes and line ends are ASCII in every script: their other byte is zero, always on the same side.
  const zeros = [0, 0];
  for (let i = 0; i < sample.length; i++)
    if (sample[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // In a few bytes a zero or two say nothing.
  const enough = Math.max(2, sample.length / 2 / 20);
  if (odd > enough && even === 0) return 'utf-16le';
  return even > enough && odd === 0 ? 'utf-16be' : null;
}

/** Tells whether all of a file is UTF-8, piece by piece. */
export function createUtf8Check() {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isValid = true;
  const attempt = (decode: () => unknown) => {
    if (!isValid) return;
    try {
      decode();
    } catch {
      isValid = false;
    }
  };
  return {
    add: (bytes: Buffer) => attempt(() => decoder.decode(bytes, { stream: true })),
    end(): boolean {
      attempt(() => decoder.decode());
      return isValid;
    },
  };
}

const SEPARATOR_LINE = /^\uFEFF?"?sep=([,;\t|])"?[\r\n]/i;

/** The one that the first line names, else whose first records agree best on how many columns there are, of those that make more than one. */
export function detectSeparator(text: string): ImportSeparator {
  const named = SEPARATOR_LINE.exec(text)?.[1];
  if (named) return named as ImportSeparator;
  let best: { separator: ImportSeparator; share: number; columns: number } | null = null;
  for (const separator of IMPORT_SEPARATORS) {
    const { share, columns } = consistency(firstRecords(text, separator));
    if (columns < 2) continue;
    const isBetter =
      !best || share > best.share || (share === best.share && columns > best.columns);
    if (isBetter) best = { separator, share, columns };
  }
  return best?.separator ?? ',';
}

/** The last record of a sample may be half: it is left out. */
function firstRecords(text: string, separator: ImportSeparator): string[][] {
  const records: string[][] = [];
  readUntilWrong(text.slice(0, SAMPLE_BYTES), separator, SAMPLE_RECORDS, (cells) => {
    if (cells.length > 1 || cells[0] !== '') records.push(cells);
  });
  const isCut = text.length > SAMPLE_BYTES && records.length > 1;
  return isCut ? records.slice(0, -1) : records;
}

function consistency(records: string[][]): { share: number; columns: number } {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  let [columns, most] = [0, 0];
  for (const [length, count] of counts) if (count > most) [columns, most] = [length, count];
  return { columns, share: records.length === 0 ? 0 : most / records.length };
}
