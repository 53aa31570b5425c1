import { setImmediate } from 'node:timers/promises';
import type { Lead } from '@leadwire/contract';
import type { ExportFormat } from '@leadwire/contract/dashboard';
import { stringify } from 'csv-stringify/sync';
import { defuseRestorably } from '../../platform/formulas/index.ts';

type Row = (string | null)[];

/** The columns of the CSV, in order, named as an import names where a column goes. */
const COLUMNS: Record<string, (lead: Lead) => string | null> = {
  // First: an import takes the first column that is called an id for it.
  external_lead_id: (lead) => lead.external_lead_id,
  id: ({ id }) => id,
  campaign_id: (lead) => String(lead.campaign_id),
  status: ({ status }) => status,
  first_name: (lead) => lead.first_name,
  last_name: (lead) => lead.last_name,
  phone: ({ phone }) => phone,
  email: ({ email }) => email,
  source: ({ source }) => source,
  source_form_url: (lead) => lead.source_form_url,
  tcpa_consent: (lead) => (lead.tcpa_consent === null ? null : String(lead.tcpa_consent)),
  tcpa_consent_text: (lead) => lead.tcpa_consent_text,
  tcpa_consent_timestamp: (lead) => lead.tcpa_consent_timestamp,
  'address.street': ({ address }) => address?.street ?? null,
  'address.city': ({ address }) => address?.city ?? null,
  'address.state': ({ address }) => address?.state ?? null,
  'address.zip': ({ address }) => address?.zip ?? null,
  custom_fields: (lead) => JSON.stringify(lead.custom_fields),
  created_at: (lead) => lead.created_at,
  updated_at: (lead) => lead.updated_at,
};
const READERS = Object.values(COLUMNS);

/** Spreadsheets take a text for UTF-8 only where it begins with it. */
const BYTE_ORDER_MARK = '\uFEFF';

type Format = { type: string; head: string; textOf(leads: Lead[]): string };

/**
 * CSV is that of RFC 4180, in UTF-8, with a first row of names; an apostrophe goes before a cell that a spreadsheet would take for a
 * formula. NDJSON has each lead as the public API shows it.
 */
export const EXPORTS: Record<ExportFormat, Format> = {
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: BYTE_ORDER_MARK + csv([Object.keys(COLUMNS)]),
    textOf: (leads) => csv(leads.map((lead) => READERS.map((read) => read(lead)))),
  },
  ndjson: {
    type: 'application/x-ndjson',
    head: '',
    textOf: (leads) => leads.map((lead) => `${JSON.stringify(lead)}\n`).join(''),
  },
};

function csv(rows: Row[]): string {
  const cells = rows.map((row) =>
    // An import, which takes one apostrophe away, restores every text.
    row.map((cell) => (cell === null ? null : defuseRestorably(cell))),
  );
  return stringify(cells, { record_delimiter: '\r\n' });
}

/** As many as take about a millisecond: in between, others are answered. */
const AT_ONCE = 50;

/** The text of an export, piece by piece. @param onWritten how many leads each piece had, once it was taken */
export async function* exportText(
  pages: AsyncIterable<Lead[]>,
  format: ExportFormat,
  onWritten: (leads: number) => void = () => undefined,
): AsyncGenerator<string> {
  const { head, textOf } = EXPORTS[format];
  if (head !== '') yield head;
  for await (const page of pages) {
    for (let at = 0; at < page.length; at += AT_ONCE) {
      const leads = page.slice(at, at + AT_ONCE);
      yield textOf(leads);
      onWritten(leads.length);
      await setImmediate();
    }
  }
}
