import type { LeadField } from '@leadwire/contract';
import {
  type Database,
  int4Array,
  jsonArray,
  textArray,
} from '../../../platform/database/index.ts';
import { leadEventCtes } from '../../events/index.ts';
import { leadTallyCte } from '../../statistics/index.ts';
import { type Column, encodeInput, type LeadWrite, selectInput, WRITE_COLUMNS } from './columns.ts';
import { byConsent } from './consents.ts';

export type LeadUpdate = LeadWrite & {
  kind: 'patched' | 'edited';
  expectedVersion: number;
  changed: LeadField[];
  /** JSON of the earlier values of the changed fields. */
  beforeJson: string;
};

const UPDATE_COLUMNS: Column<LeadUpdate>[] = [
  ...(WRITE_COLUMNS as Column<LeadUpdate>[]),
  { name: 'kind', type: 'text', encode: (rows) => textArray(rows.map((row) => row.kind)) },
  {
    name: 'expected_version',
    type: 'int4',
    encode: (rows) => int4Array(rows.map((row) => row.expectedVersion)),
  },
  // An array of arrays would have to be rectangular; field names have no comma.
  {
    name: 'changed',
    type: 'text',
    encode: (rows) => textArray(rows.map((row) => row.changed.join())),
  },
  { name: 'before', type: 'json', encode: (rows) => jsonArray(rows.map((row) => row.beforeJson)) },
];

/*
 * Compare and set: a row whose version has moved on is left alone and is missing from the answer.
 * Leads are locked in one order first, so that two nodes never wait for each other. A write that has its audit record was done by an
 * earlier try whose connection was lost.
 */
const updateStatement = (columns: Column<LeadUpdate>[], consentCte: string) => `
  WITH input AS MATERIALIZED (${selectInput(columns)}),
  locked AS MATERIALIZED (
    SELECT leads.account_id, leads.id FROM input
    JOIN leads ON leads.account_id = input.account_id AND leads.id = input.id
    ORDER BY leads.account_id, leads.id FOR UPDATE OF leads
  ),
  updated AS (
    UPDATE leads SET
      version = input.expected_version + 1, updated_at = input.at, status = input.status, phone = input.phone,
      email = input.email, first_name = input.first_name, last_name = input.last_name, source = input.source,
      source_form_url = input.source_form_url, tcpa_consent = input.tcpa_consent,
      tcpa_consent_text = input.tcpa_consent_text, tcpa_consent_timestamp = input.tcpa_consent_timestamp,
      address = input.address, custom_fields = input.custom_fields,
      erased_at = CASE WHEN leads.erased_at IS NOT NULL AND input.address IS NULL AND input.custom_fields::text = '{}'
        AND coalesce(input.phone, input.email, input.first_name, input.last_name, input.source_form_url) IS NULL
        THEN leads.erased_at END
    FROM locked JOIN input ON input.account_id = locked.account_id AND input.id = locked.id
    WHERE leads.account_id = input.account_id AND leads.id = input.id
      AND leads.version = input.expected_version
    RETURNING input.*, leads.id AS lead_id, leads.version, input.at AS occurred_at, 'lead.updated' AS event_type
  ),
  audit AS (
    INSERT INTO lead_audit_records (account_id, lead_id, version, kind, occurred_at, actor_type, actor_id,
      request_id, address, changed, before, lead)
    SELECT account_id, lead_id, version, kind, occurred_at, actor_type, actor_id,
      request_id, client_address, string_to_array(changed, ','), before, json
    FROM updated
  ),
  ${consentCte}
  ${leadTallyCte('updated', 'kind')},
  ${leadEventCtes('updated')}
  SELECT id, version FROM updated
  UNION ALL
  SELECT earlier.lead_id, earlier.version FROM input
  JOIN lead_audit_records earlier ON earlier.account_id = input.account_id AND earlier.lead_id = input.id
    AND earlier.version = input.expected_version + 1 AND earlier.occurred_at = input.at`;

const UPDATE = byConsent((consent, consentCte) => {
  const columns = [...UPDATE_COLUMNS, ...(consent as Column<LeadUpdate>[])];
  return {
    columns,
    name: consent.length > 0 ? 'update-leads-with-consent' : 'update-leads',
    text: updateStatement(columns, consentCte('updated')),
  };
});

/** Writes a batch of changes, no two of one version of a lead; answers in the order of `rows` whether each was applied. */
export async function updateLeads(database: Database, rows: LeadUpdate[]): Promise<boolean[]> {
  const { name, text, columns } = UPDATE(rows);
  const values = encodeInput(columns, rows);
  const applied = await database.queryArrays({ name, text, values });
  const versions = new Set(applied.map(([id, version]) => `${id}/${version}`));
  return rows.map(({ lead, expectedVersion }) => versions.has(`${lead.id}/${expectedVersion + 1}`));
}
