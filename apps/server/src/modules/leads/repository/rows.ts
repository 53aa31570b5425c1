import type { Lead } from '@leadwire/contract';
import { timestampToIso } from '../../../platform/database/index.ts';
import { parseJson } from '../../../platform/json/index.ts';
import type { StoredLead } from '../lead.ts';

/** The columns of a lead in the order that toStoredLead reads them. */
export const LEAD_COLUMNS = [
  'id',
  'account_id',
  'campaign_id',
  'external_lead_id',
  'phone',
  'email',
  'first_name',
  'last_name',
  'source',
  'source_form_url',
  'tcpa_consent',
  'tcpa_consent_text',
  'tcpa_consent_timestamp',
  'custom_fields',
  'status',
  'address',
  'created_at',
  'updated_at',
  'version',
] as const;

/** `id, account_id, …`, each behind `alias.` where one is given. */
export const leadColumns = (alias: string): string =>
  LEAD_COLUMNS.map((column) => `${alias}.${column}`).join(', ');

/** Reads a lead from a row whose columns from `offset` on are LEAD_COLUMNS. */
export function toStoredLead(row: unknown[], offset = 0): StoredLead {
  const text = (column: number) => row[offset + column] as string;
  const json = (column: number) => parseJson(text(column)) as never;
  const consentAt = row[offset + 12] as string | null;
  const lead: Lead = {
    id: text(0),
    account_id: text(1),
    campaign_id: row[offset + 2] as number,
    external_lead_id: text(3),
    phone: text(4),
    email: text(5),
    first_name: text(6),
    last_name: text(7),
    source: text(8),
    source_form_url: text(9),
    tcpa_consent: row[offset + 10] as boolean | null,
    tcpa_consent_text: text(11),
    tcpa_consent_timestamp: consentAt === null ? null : timestampToIso(consentAt),
    custom_fields: json(13),
    status: text(14) as Lead['status'],
    address: row[offset + 15] === null ? null : json(15),
    created_at: timestampToIso(text(16)),
    updated_at: timestampToIso(text(17)),
  };
  return { lead, version: row[offset + 18] as number };
}
