import { type Database, timestampToIso } from '../../../platform/database/index.ts';
import type { StoredLead } from '../lead.ts';
import { LEAD_COLUMNS, leadColumns, toStoredLead } from './rows.ts';

/** A lead as people see it. */
export type SeenLead = StoredLead & { erasedAt: string | null };

/** @returns null where the account has no such lead */
export async function findSeenLead(
  database: Database,
  { accountId, leadId }: { accountId: string; leadId: string },
): Promise<SeenLead | null> {
  const [row] = await database.queryArrays({
    text: `SELECT ${leadColumns('leads')}, leads.erased_at FROM leads
           WHERE leads.account_id = $1 AND leads.id = $2`,
    values: [accountId, leadId],
  });
  if (!row) return null;
  const erasedAt = row[LEAD_COLUMNS.length] as string | null;
  return { ...toStoredLead(row), erasedAt: erasedAt && timestampToIso(erasedAt) };
}
