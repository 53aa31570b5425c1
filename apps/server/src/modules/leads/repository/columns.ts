import type { Lead } from '@leadwire/contract';
import {
  type ArrayParameter,
  boolArray,
  int4Array,
  jsonArray,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../../../platform/database/index.ts';
import type { ConsentEvidence, Source } from '../lead.ts';

/** One write of a lead as a batch statement takes it. */
export type LeadWrite = {
  lead: Lead;
  json: string;
  source: Source;
  eventId: string;
  /** Set where the lead became converted by this write. */
  convertedEventId: string | null;
};

type Column<Row> = { name: string; type: string; encode: (rows: Row[]) => ArrayParameter };

const text =
  <Row>(read: (row: Row) => string | null) =>
  (rows: Row[]) =>
    textArray(rows.map(read));
const leadText = (name: keyof Lead): Column<LeadWrite> => ({
  name,
  type: 'text',
  encode: text(({ lead }) => lead[name] as string | null),
});
const uuid = (name: string, read: (row: LeadWrite) => string | null): Column<LeadWrite> => ({
  name,
  type: 'uuid',
  encode: (rows) => uuidArray(rows.map(read)),
});

/** What every write of leads sends: the lead, its audit record, its events. */
export const WRITE_COLUMNS: Column<LeadWrite>[] = [
  uuid('account_id', ({ lead }) => lead.account_id),
  uuid('id', ({ lead }) => lead.id),
  {
    name: 'campaign_id',
    type: 'int4',
    encode: (rows) => int4Array(rows.map(({ lead }) => lead.campaign_id)),
  },
  leadText('external_lead_id'),
  leadText('status'),
  leadText('phone'),
  leadText('email'),
  leadText('first_name'),
  leadText('last_name'),
  leadText('source'),
  leadText('source_form_url'),
  {
    name: 'tcpa_consent',
    type: 'bool',
    encode: (rows) => boolArray(rows.map(({ lead }) => lead.tcpa_consent)),
  },
  leadText('tcpa_consent_text'),
  {
    name: 'tcpa_consent_timestamp',
    type: 'timestamptz',
    encode: (rows) => timestamptzArray(rows.map(({ lead }) => lead.tcpa_consent_timestamp)),
  },
  {
    name: 'address',
    type: 'json',
    encode: (rows) =>
      jsonArray(rows.map(({ lead }) => (lead.address ? JSON.stringify(lead.address) : null))),
  },
  {
    name: 'custom_fields',
    type: 'json',
    encode: (rows) => jsonArray(rows.map(({ lead }) => JSON.stringify(lead.custom_fields))),
  },
  {
    name: 'at',
    type: 'timestamptz',
    encode: (rows) => timestamptzArray(rows.map(({ lead }) => lead.updated_at)),
  },
  { name: 'json', type: 'json', encode: (rows) => jsonArray(rows.map((row) => row.json)) },
  { name: 'actor_type', type: 'text', encode: text(({ source }) => source.actorType) },
  { name: 'actor_id', type: 'text', encode: text(({ source }) => source.actorId) },
  { name: 'request_id', type: 'text', encode: text(({ source }) => source.requestId) },
  { name: 'client_address', type: 'text', encode: text(({ source }) => source.address) },
  uuid('event_id', (row) => row.eventId),
  uuid('converted_event_id', (row) => row.convertedEventId),
];

const consentText = (
  name: string,
  read: (consent: ConsentEvidence) => string | null,
): Column<LeadWrite> => ({
  name,
  type: 'text',
  encode: text(({ source }) => (source.consent ? read(source.consent) : null)),
});

/** What a batch sends beside that where one of its rows comes with consent evidence. */
export const CONSENT_COLUMNS: Column<LeadWrite>[] = [
  {
    name: 'consent_given',
    type: 'bool',
    encode: (rows) => boolArray(rows.map(({ source }) => source.consent?.given ?? null)),
  },
  consentText('consent_text', ({ text }) => text),
  {
    name: 'consent_text_version',
    type: 'int4',
    encode: (rows) => int4Array(rows.map(({ source }) => source.consent?.textVersion ?? null)),
  },
  consentText('consent_form_id', ({ formId }) => formId),
  consentText('consent_form_name', ({ formName }) => formName),
  consentText('consent_page_url', ({ pageUrl }) => pageUrl),
  consentText('consent_user_agent', ({ userAgent }) => userAgent),
];

/** `SELECT * FROM unnest($1::uuid[], …) AS input (account_id, …)`. */
export function selectInput<Row>(columns: Column<Row>[]): string {
  const parameters = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  return `SELECT * FROM unnest(${parameters.join(', ')})
    AS input (${columns.map(({ name }) => name).join(', ')})`;
}

export const encodeInput = <Row>(columns: Column<Row>[], rows: Row[]): ArrayParameter[] =>
  columns.map((column) => column.encode(rows));

export type { Column };
