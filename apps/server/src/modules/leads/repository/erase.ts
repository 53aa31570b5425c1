import type { Lead, LeadField } from '@leadwire/contract';
import type { Database } from '../../../platform/database/index.ts';
import { leadEventCtes } from '../../events/index.ts';
import type { Source } from '../lead.ts';

export type LeadErasure = {
  /** The lead as it is from now on, blank. */
  lead: Lead;
  expectedVersion: number;
  eventId: string;
  /** The fields that held something. */
  erased: LeadField[];
  /** JSON of those fields, blank. */
  beforeJson: string;
  source: Source;
};

type Query = Database['query'];

const ERASE = `
  WITH erased AS (
    UPDATE leads SET version = version + 1, updated_at = $4, erased_at = $4, phone = NULL, email = NULL,
      first_name = NULL, last_name = NULL, source_form_url = NULL, address = NULL, custom_fields = '{}'
    WHERE account_id = $1 AND id = $2 AND version = $3 AND erased_at IS NULL
    RETURNING account_id, id AS lead_id, version, updated_at AS occurred_at, $5::uuid AS event_id,
      'lead.updated' AS event_type, NULL::uuid AS converted_event_id
  ),
  audit AS (
    INSERT INTO lead_audit_records (account_id, lead_id, version, kind, occurred_at, actor_type, actor_id,
      request_id, address, changed, before, lead)
    SELECT account_id, lead_id, version, 'erased', occurred_at, $6, $7, $8, $9, $10::text[], $11::json, $12::json
    FROM erased
  ),
  ${leadEventCtes('erased')}
  SELECT version FROM erased`;

/**
 * Blanks a lead, every audit record and the consent evidence of it, with a record and an event that say so. For a transaction.
 * @returns false where the lead's version has moved on, and nothing was written
 */
export async function eraseLead(
  query: Query,
  { lead, source, ...erasure }: LeadErasure,
): Promise<boolean> {
  const rows = await query({
    text: ERASE,
    values: [
      lead.account_id,
      lead.id,
      erasure.expectedVersion,
      lead.updated_at,
      erasure.eventId,
      source.actorType,
      source.actorId,
      source.requestId,
      source.address,
      erasure.erased,
      erasure.beforeJson,
      JSON.stringify(lead),
    ],
  });
  if (rows.length === 0) return false;
  // A statement of its own: it must see that the lead is erased.
  await query({
    text: 'SELECT blank_audit_records($1, $2, $3)',
    values: [lead.account_id, lead.id, erasure.expectedVersion + 1],
  });
  await query({
    text: `UPDATE lead_consents SET page_url = NULL, address = NULL, user_agent = NULL
           WHERE account_id = $1 AND lead_id = $2`,
    values: [lead.account_id, lead.id],
  });
  return true;
}
