import Type from 'typebox';
import { LIMITS } from '../../limits.ts';
import {
  DATE_ORDERS,
  type DateOrder,
  IMPORT_ENCODINGS,
  IMPORT_MAX_COLUMNS,
  IMPORT_PART_BYTES,
  IMPORT_SEPARATORS,
  type ImportEncoding,
  type ImportSeparator,
  type ImportState,
} from '../imports.ts';
import { body, nullable, oneOf } from './parts.ts';

const target = nullable(
  Type.String({ minLength: 1, maxLength: 120, format: 'no-control-characters' }),
);

const settings = {
  encoding: oneOf(IMPORT_ENCODINGS),
  separator: oneOf(IMPORT_SEPARATORS),
  campaign_id: Type.Integer({ minimum: 1, maximum: LIMITS.maxInt32 }),
  /** Where the file comes from: what the columns mean is remembered by it, and it is the source of leads that name none. */
  source: Type.String({ minLength: 1, maxLength: 255, format: 'no-control-characters' }),
  /** Where each column goes, in the order of the columns. */
  columns: Type.Array(target, { maxItems: IMPORT_MAX_COLUMNS }),
  /** Two letters (ISO 3166-1) of the country of phone numbers without a plus sign; null: such a row is bad. */
  default_country: nullable(Type.String({ format: 'country' })),
  date_order: oneOf(DATE_ORDERS),
  /** IANA name of the zone of times without an offset; null: such a row is bad. */
  time_zone: nullable(Type.String({ format: 'time-zone' })),
};

export const importRequests = {
  createImport: {
    body: body({
      file_name: Type.String({ minLength: 1, maxLength: 255, format: 'no-control-characters' }),
      bytes: Type.Integer({ minimum: 0 }),
    }),
  },
  uploadImportPart: { bytes: IMPORT_PART_BYTES },
  /** Only before it runs, or once it was stopped before its first row. */
  changeImport: { body: body(Type.Partial(body(settings)).properties) },
  listBadRows: {
    query: Type.Object(
      { cursor: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.maxInt32 })) },
      { additionalProperties: false },
    ),
  },
} as const;

export type ImportSettings = {
  encoding: ImportEncoding;
  separator: ImportSeparator;
  campaign_id: number | null;
  source: string | null;
  columns: (string | null)[];
  default_country: string | null;
  date_order: DateOrder;
  time_zone: string | null;
};

export type Import = {
  id: string;
  file_name: string;
  bytes: number;
  /** Parts that have arrived, of how many. */
  parts: { arrived: number; of: number };
  state: ImportState;
  /** Why it failed: the file cannot be read. */
  failure: { code: string; message: string } | null;
  /** Null until the file is there. */
  settings: ImportSettings | null;
  /** What was found in the file itself, whatever the settings say now. */
  detected: { encoding: ImportEncoding; separator: ImportSeparator; remembered: boolean } | null;
  /** Of the last check or run: rows done so far, and of the whole file where it is known. */
  progress: { rows: number; of: number | null };
  /** What a check found; null before the first, and after another setting. */
  check: { rows: number; good: number; bad: number; phones_by_default_country: number } | null;
  counts: { inserted: number; patched: number; deduped: number; failed: number };
  made_by: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** Until when the file itself is kept; null once it is gone. */
  file_kept_until: string | null;
};

/** A row that could not be read as a lead, or was refused. `line` is where it begins in the file, counted from 1. */
export type BadRow = {
  line: number;
  /** `field` is that of the lead, `column` the header above the cell. */
  errors: { field: string; column: string | null; code: string; message: string }[];
};

export type ImportPreview = {
  columns: string[];
  /** The first rows below the header. */
  rows: string[][];
  /** What a person should look at: `duplicate_headers`, `ragged_rows`, `encoding_unsure`. */
  warnings: { code: string; message: string }[];
};

export type ImportAnswers = {
  /** The newest hundred. */
  listImports: { imports: Import[] };
  createImport: Import;
  uploadImportPart: Import;
  getImport: Import;
  changeImport: Import;
  previewImport: ImportPreview;
  checkImport: Import;
  startImport: Import;
  stopImport: Import;
  /** Of the last check or run, in the order of the file, 100 a page; the cursor is the line of the last one. */
  listBadRows: { rows: BadRow[]; next_cursor: number | null };
};
