import type { LeadConsent } from '@leadwire/contract/dashboard';
import { type Database, timestampToIso } from '../../../platform/database/index.ts';
import { CONSENT_COLUMNS, type Column, type LeadWrite } from './columns.ts';

/** The evidence of the rows of `written` that came with some, followed by a comma. */
const consentCte = (written: string): string => `
  consent AS (
    INSERT INTO lead_consents (account_id, lead_id, version, occurred_at, form_id, form_name, given, text, text_version,
      page_url, address, user_agent, request_id)
    SELECT account_id, lead_id, version, occurred_at, consent_form_id, consent_form_name, consent_given, consent_text,
      consent_text_version, consent_page_url, client_address, consent_user_agent, request_id
    FROM ${written} WHERE consent_form_id IS NOT NULL
  ),`;

/**
 * A statement that writes leads in two forms: with the columns of consent evidence and the CTE that writes it, for batches that
 * bring some, and without. Most leads bring none, and pay nothing.
 */
export function byConsent<Statement>(
  build: (columns: Column<LeadWrite>[], cte: (written: string) => string) => Statement,
): (rows: readonly LeadWrite[]) => Statement {
  const plain = build([], () => '');
  const withConsent = build(CONSENT_COLUMNS, consentCte);
  return (rows) => (rows.some(({ source }) => source.consent) ? withConsent : plain);
}

/** The consent evidence of one lead, newest first; at most `limit`. */
export async function listConsents(
  database: Database,
  lead: { accountId: string; leadId: string },
  limit: number,
): Promise<LeadConsent[]> {
  const rows = await database.query<LeadConsent>({
    text: `SELECT version, occurred_at AS at, form_id, form_name, given, text, text_version, page_url, address,
             user_agent, request_id
           FROM lead_consents WHERE account_id = $1 AND lead_id = $2 ORDER BY version DESC LIMIT $3`,
    values: [lead.accountId, lead.leadId, limit],
  });
  return rows.map((row) => ({ ...row, at: timestampToIso(row.at) }));
}
