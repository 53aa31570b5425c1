import type { Lead } from '@leadwire/contract';
import type { Database } from '../../../platform/database/index.ts';
import { UNINDEXED_TIME } from './find.ts';
import { leadColumns, toStoredLead } from './rows.ts';

export type LeadFilter = {
  accountId: string;
  campaignId?: number | undefined;
  externalLeadId?: string | undefined;
  status?: string | undefined;
  /** ISO 8601; exclusive. */
  createdBefore?: string | undefined;
  /** ISO 8601; exclusive. */
  createdAfter?: string | undefined;
};

/** The conditions of a filter as SQL with parameters; the text is made of constants alone. */
function where(filter: LeadFilter): { text: string; values: unknown[] } {
  const values: unknown[] = [filter.accountId];
  let text = 'leads.account_id = $1';
  const and = (condition: string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    text += ` AND ${condition}$${values.length}`;
  };
  and('leads.campaign_id = ', filter.campaignId);
  and('leads.external_lead_id = ', filter.externalLeadId);
  and('leads.status = ', filter.status);
  and('leads.created_at < ', filter.createdBefore);
  and('leads.created_at > ', filter.createdAfter);
  return { text, values };
}

/** Newest first. created_at is unique in an account, so that a page's last row tells exactly where the next begins. */
export async function listLeads(
  database: Database,
  filter: LeadFilter,
  page: { limit: number; offset: number },
): Promise<Lead[]> {
  const { text, values } = where(filter);
  const time = filter.externalLeadId === undefined ? 'leads.created_at' : UNINDEXED_TIME;
  const rows = await database.queryArrays({
    text: `SELECT ${leadColumns('leads')} FROM leads WHERE ${text}
           ORDER BY ${time} DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    values: [...values, page.limit, page.offset],
  });
  return rows.map((row) => toStoredLead(row).lead);
}

export async function countLeads(database: Database, filter: LeadFilter): Promise<number> {
  const { text, values } = where(filter);
  const [row] = await database.queryArrays({
    text: `SELECT count(*) FROM leads WHERE ${text}`,
    values,
  });
  return Number(row?.[0]);
}
