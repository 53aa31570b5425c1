import {
  type ArrayParameter,
  type Database,
  int4Array,
  textArray,
  uuidArray,
} from '../../../platform/database/index.ts';
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

// campaign_id + 0: see insert.ts.
const BY_TUPLE = `
  SELECT ord::int, ${leadColumns('found')}
  FROM unnest($1::uuid[], $2::text[], $3::int4[]) WITH ORDINALITY AS input (account_id, external_id, campaign_id, ord),
  LATERAL (${lateral('leads.external_lead_id = input.external_id AND leads.campaign_id + 0 = input.campaign_id LIMIT 1')}) found`;

/** Finds a batch of leads by their UUIDs; null where the account has none. */
export const findLeadsById = (database: Database, references: LeadReference[]) =>
  find(database, 'leads-by-id', BY_ID, references, [
    uuidArray(references.map((one) => one.reference)),
  ]);

/** Finds a batch of leads by the partners' ids; of several with one external id the newest. */
export const findLeadsByExternalId = (database: Database, references: LeadReference[]) =>
  find(database, 'leads-by-external-id', BY_EXTERNAL_ID, references, [
    textArray(references.map((one) => one.reference)),
  ]);

export type LeadTuple = { accountId: string; campaignId: number; externalLeadId: string };

/** Finds a batch of leads by their tuples. */
export const findLeadsByTuple = (database: Database, tuples: LeadTuple[]) =>
  find(database, 'leads-by-tuple', BY_TUPLE, tuples, [
    textArray(tuples.map((one) => one.externalLeadId)),
    int4Array(tuples.map((one) => one.campaignId)),
  ]);

async function find(
  database: Database,
  name: string,
  text: string,
  searched: { accountId: string }[],
  values: ArrayParameter[],
): Promise<(StoredLead | null)[]> {
  const accounts = uuidArray(searched.map((one) => one.accountId));
  const rows = await database.queryArrays({ name, text, values: [accounts, ...values] });
  const found: (StoredLead | null)[] = searched.map(() => null);
  for (const row of rows) found[(row[0] as number) - 1] = toStoredLead(row, 1);
  return found;
}
