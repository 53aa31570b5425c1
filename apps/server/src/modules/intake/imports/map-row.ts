import { createHash } from 'node:crypto';
import type { LeadInput } from '@leadwire/contract';
import type { ImportSettings } from '@leadwire/contract/dashboard';
import { AppError } from '../../../platform/errors/index.ts';
import { withoutDefusing } from '../../../platform/formulas/index.ts';
import { parseJsonText } from '../../../platform/http/index.ts';
import { splitFullName } from '../full-name.ts';
import { readPhone } from '../phone.ts';
import { isOurExport, resultColumnsOf } from './columns.ts';
import type { FileRow } from './read-rows.ts';
import type { RowError } from './repository/outcomes.ts';
import { readTime } from './times.ts';

export type MappedRow =
  | { line: number; input: LeadInput; byDefaultCountry: boolean }
  | { line: number; errors: RowError[] };

export type MapRow = (row: FileRow) => MappedRow;

type Body = Record<string, unknown>;
type Cell = { value: unknown } | { code: string; message: string };
type ReadCell = (text: string) => Cell;

const YES = new Set([
  'yes',
  'y',
  'true',
  't',
  '1',
  'x',
  'ja',
  'j',
  'wahr',
  'si',
  'sí',
  'oui',
  'vrai',
  'on',
]);
const NO = new Set(['no', 'n', 'false', 'f', '0', 'nein', 'falsch', 'non', 'faux', 'off']);

const STATUSES: Record<string, string> = {
  ...{ neu: 'new', nuevo: 'new', nouveau: 'new', open: 'new', lead: 'new' },
  // As Meta exports it.
  created: 'new',
  ...{ kontaktiert: 'contacted', contactado: 'contacted', contacté: 'contacted' },
  ...{ qualifiziert: 'qualified', calificado: 'qualified', qualifié: 'qualified' },
  ...{ konvertiert: 'converted', convertido: 'converted', converti: 'converted' },
  ...{ customer: 'converted', won: 'converted', gewonnen: 'converted' },
};

/**
 * How the rows of a file become leads, by its settings and the validation of the API. A row without an external id, or with
 * an empty one, gets one of its cells, so that the same file twice makes no second lead. Empty cells say nothing.
 */
export function createMapRow(
  settings: ImportSettings,
  columns: string[],
  readLead: (body: unknown) => LeadInput,
): MapRow {
  const readers = new Map(Object.entries(cellReaders(settings)));
  const isExact = isOurExport(columns);
  const targets = settings.columns.map((target, index) => ({ target, index })).filter(isMapped);
  const columnOf = new Map(targets.map(({ target, index }) => [target, columns[index] as string]));
  const ofResult = resultColumnsOf(columns);
  return ({ line, cells }) => {
    if (cells.length !== columns.length) return { line, errors: [ragged(cells, columns)] };
    const errors: RowError[] = [];
    const body: Body = { campaign_id: settings.campaign_id };
    let byDefaultCountry = false;
    for (const { target, index } of targets) {
      const written = withoutDefusing(cells[index] as string);
      const text = isExact ? written : written.trim();
      if (text.trim() === '') continue;
      const cell = readers.get(target)?.(text) ?? { value: text };
      if ('value' in cell) {
        put(body, target, cell.value);
        byDefaultCountry ||= (cell as { byDefaultCountry?: boolean }).byDefaultCountry ?? false;
      } else {
        const message = `${target} ${cell.message}`;
        errors.push({ field: target, column: columns[index] as string, code: cell.code, message });
      }
    }
    if (errors.length > 0) return { line, errors };
    body.external_lead_id ??= `row-${hashOf(cells.slice(ofResult))}`;
    body.source ??= settings.source;
    try {
      return { line, input: readLead(body), byDefaultCountry };
    } catch (error) {
      return { line, errors: rowErrorsOf(error, columnOf) };
    }
  };
}

type Mapped = { target: string; index: number };
const isMapped = (one: { target: string | null; index: number }): one is Mapped =>
  one.target !== null;

/** What an AppError 400 says, by the headers of the file. @throws any other error */
export function rowErrorsOf(error: unknown, columnOf: ReadonlyMap<string, string>): RowError[] {
  if (!(error instanceof AppError) || error.status !== 400 || !error.errors) throw error;
  return error.errors.map(({ path, code, message }) => ({
    ...{ field: path, column: columnOf.get(path) ?? null, code, message },
  }));
}

/** The header above each target. */
export const columnsByTarget = (settings: ImportSettings, columns: string[]) =>
  new Map(
    settings.columns.flatMap((target, index) =>
      target === null ? [] : [[target, columns[index] as string] as const],
    ),
  );

function cellReaders({ default_country, date_order, time_zone }: ImportSettings) {
  return {
    phone: (text) => phoneCell(text, default_country),
    tcpa_consent: booleanCell,
    custom_fields: objectCell,
    tcpa_consent_timestamp: (text) => {
      const read = readTime(text, date_order, time_zone);
      return 'time' in read ? { value: read.time } : read;
    },
    status: (text) => {
      const word = text.toLowerCase();
      return { value: (Object.hasOwn(STATUSES, word) && STATUSES[word]) || word };
    },
  } satisfies Record<string, ReadCell>;
}

// As Meta exports the numbers of its lead forms: p:+14155550132.
const META_PHONE = /^p:(?=\+)/;

function phoneCell(cell: string, country: string | null): Cell {
  const text = cell.replace(META_PHONE, '');
  const read = readPhone(text, country);
  if (read) return { value: read.phone, byDefaultCountry: read.byDefaultCountry } as Cell;
  if (country === null && !text.startsWith('+')) {
    const message = 'has no plus sign: choose the country of such numbers';
    return { code: 'country_needed', message };
  }
  const what = text.startsWith('+')
    ? 'an international number'
    : `a number of ${countryName(country)}`;
  return { code: 'format', message: `is not ${what}` };
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

const countryName = (country: string | null) => (country ? COUNTRIES.of(country) : 'any country');

function booleanCell(text: string): Cell {
  const word = text.toLowerCase();
  if (YES.has(word)) return { value: true };
  if (NO.has(word)) return { value: false };
  return { code: 'format', message: 'must be yes or no, true or false, 1 or 0' };
}

function objectCell(text: string): Cell {
  try {
    const value = parseJsonText(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return { code: 'format', message: 'must be a JSON object such as {"roof": "flat"}' };
}

function put(body: Body, target: string, value: unknown): void {
  if (target === 'custom_fields') {
    for (const [name, one] of Object.entries(value as Body)) put(body, `${target}.${name}`, one);
    return;
  }
  if (target === 'full_name') {
    for (const [name, one] of Object.entries(splitFullName(value as string))) body[name] ??= one;
    return;
  }
  const dot = target.indexOf('.');
  if (dot < 0) {
    body[target] = value;
    return;
  }
  const group = target.slice(0, dot);
  // Without a prototype: a column named __proto__ is a column.
  body[group] ??= Object.create(null);
  (body[group] as Body)[target.slice(dot + 1)] = value;
}

function ragged(cells: string[], columns: string[]): RowError {
  const message = `The row has ${count(cells.length)}, the header ${columns.length}. Is a quotation mark or a separator missing, or one too many?`;
  return { field: '', column: null, code: 'ragged', message };
}

const count = (cells: number) => (cells === 1 ? '1 cell' : `${cells} cells`);

/** The same for a row of a file and for that row in its result file. */
function hashOf(cells: string[]): string {
  const texts = cells.map(withoutDefusing);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);
}
