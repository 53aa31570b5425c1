import { LIMITS, PATCHABLE_FIELDS } from '@leadwire/contract';
import type { DateOrder, ImportEncoding, ImportSeparator } from '@leadwire/contract/dashboard';
import { ConfigError } from '../../../platform/config/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import { readLeadInput } from '../../leads/index.ts';
import { suggestTargets } from './columns.ts';
import { UnreadableFile } from './errors.ts';
import { createMapRow, type MappedRow } from './map-row.ts';
import { type FileRow, readRows } from './read-rows.ts';
import { recognize } from './recognize.ts';
import { problemsOfColumns } from './settings.ts';

type Field = (typeof PATCHABLE_FIELDS)[number];

/** One row of a file as an import would read it: a lead, or what is wrong with it. */
export type TableRow = MappedRow;

/** A file of leads that is here, not uploaded. */
export type LeadTable = {
  columns: string[];
  /** Where each column goes; null: it is left out. */
  targets: (string | null)[];
  /** The fields that columns go to, custom_fields and address as a whole. */
  fields: Field[];
  encoding: ImportEncoding;
  separator: ImportSeparator;
  /** Why the encoding is a guess. */
  unsure: string | null;
  /** @throws ConfigError where a quote never closes, after the rows before it */
  rows(): AsyncGenerator<TableRow>;
};

type Source = { start: Buffer; pieces: () => AsyncIterable<Buffer> };

type Asked = {
  /** Of all rows; null: the column campaign_id says it. */
  campaignId: number | null;
  encoding?: ImportEncoding | undefined;
  separator?: ImportSeparator | undefined;
  default_country: string | null;
  date_order: DateOrder;
  time_zone: string | null;
  /** Changes where columns go. @throws ConfigError for a column that is none */
  retarget: (columns: string[], targets: (string | null)[]) => (string | null)[];
};

/**
 * Opens a file of leads with the guessing, the columns and the rules of an import; nothing is stored, nothing is remembered.
 * @throws ConfigError where it is no table of leads; AppError 400 for targets that are none
 */
export async function openLeadTable(file: Source, asked: Asked): Promise<LeadTable> {
  const found = await recognize(file.start, file.pieces(), asked);
  if ('failure' in found) throw new ConfigError(found.failure.message);
  const { columns, format, unsure } = found;
  const campaignColumn = asked.campaignId === null ? campaignColumnOf(columns) : -1;
  const targets = asked
    .retarget(columns, suggestTargets(columns))
    .map((target, index) => (index === campaignColumn ? null : target));
  const problems = problemsOfColumns(targets, columns);
  if (problems.length > 0) throw invalid(problems);
  const { default_country, date_order, time_zone } = asked;
  const settings = { ...format, default_country, date_order, time_zone, columns: targets };
  // A row has the campaign of its column: what stands here until then is never seen.
  const campaign = { campaign_id: asked.campaignId ?? 1, source: null };
  const mapRow = createMapRow({ ...settings, ...campaign }, columns, readLeadInput);
  const read = (row: FileRow) =>
    campaignColumn < 0 ? mapRow(row) : withCampaign(mapRow(row), row, campaignColumn);
  return {
    ...{ columns, targets, fields: fieldsOf(targets), ...format, unsure },
    rows: () => rowsOf(readRows(file.pieces(), format), read),
  };
}

function campaignColumnOf(columns: string[]): number {
  const index = columns.findIndex((name) => name.toLowerCase() === 'campaign_id');
  if (index >= 0) return index;
  throw new ConfigError(
    'The file has no column campaign_id. Say with --campaign which campaign its leads are of.',
  );
}

function fieldsOf(targets: (string | null)[]): Field[] {
  const names = new Set(
    targets.flatMap((target) => {
      if (target === 'full_name') return ['first_name', 'last_name'];
      return target?.split('.', 1) ?? [];
    }),
  );
  return PATCHABLE_FIELDS.filter((field) => names.has(field));
}

async function* rowsOf(
  rows: AsyncGenerator<FileRow>,
  read: (row: FileRow) => TableRow,
): AsyncGenerator<TableRow> {
  try {
    let isHeader = true;
    for await (const row of rows) {
      if (!isHeader) yield read(row);
      isHeader = false;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new ConfigError(
      `The file cannot be read from line ${error.line} on: a quotation mark opens there and does not close. Close it or remove it.`,
    );
  }
}

function withCampaign(row: TableRow, { cells }: FileRow, column: number): TableRow {
  if ('errors' in row) return row;
  const text = cells[column]?.trim() ?? '';
  const id = Number(text);
  if (/^[1-9]\d{0,9}$/.test(text) && id <= LIMITS.maxInt32) {
    return { ...row, input: { ...row.input, campaign_id: id } };
  }
  const message = `campaign_id must be an integer from 1 to ${LIMITS.maxInt32}`;
  const error = { field: 'campaign_id', column: null, code: 'range', message };
  return { line: row.line, errors: [error] };
}
