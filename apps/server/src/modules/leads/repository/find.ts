import { type Database, textArray, uuidArray } from '../../../platform/database/index.ts';
import type { StoredLead } from '../lead.ts';
import { leadColumns, toStoredLead } from './rows.ts';

export type LeadReference = { accountId: string; reference: string };

const lateral = (condition: string) => `
    SELECT * FROM leads WHERE leads.account_id = input.account_id AND ${condition}`;

/** Sorts by time, but not by the index by time: walking that one to find an external id reads every lead of the account. */
export const UNINDEXED_TIME = `(leads.created_at + interval '0')`;

const BY_ID = `
  SELECT ord::int, ${leadColumns('found')}
  FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS input (account_id, id, ord),
  LATERAL (${lateral('leads.id = input.id LIMIT 1')}) found`;

const BY_EXTERNAL_ID = `
  SELECT ord::int, ${leadColumns('found')}
  FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS input (account_id, external_id, ord),
  LATERAL (${lateral(`leads.external_lead_id = input.external_id ORDER BY ${UNINDEXED_TIME} DESC LIMIT 1`)}) found`;

/** Finds a batch of leads by their UUIDs; null where the account has none. */
export const findLeadsById = (database: Database, references: LeadReference[]) =>
  find(database, 'leads-by-id', BY_ID, references, uuidArray);

/** Finds a batch of leads by the partners' ids; of several with one external id the newest. */
export const findLeadsByExternalId = (database: Database, references: LeadReference[]) =>
  find(database, 'leads-by-external-id', BY_EXTERNAL_ID, references, textArray);

async function find(
  database: Database,
  name: string,
  text: string,
  references: LeadReference[],
  encode: (values: string[]) => Buffer,
): Promise<(StoredLead | null)[]> {
  const rows = await database.queryArrays({
    name,
    text,
    values: [
      uuidArray(references.map((one) => one.accountId)),
      encode(references.map((one) => one.reference)),
    ],
  });
  const found: (StoredLead | null)[] = references.map(() => null);
  for (const row of rows) found[(row[0] as number) - 1] = toStoredLead(row, 1);
  return found;
}
