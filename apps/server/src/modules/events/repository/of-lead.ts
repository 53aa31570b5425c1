import type { Database } from '../../../platform/database/index.ts';

type LeadKey = { accountId: string; leadId: string };

export type LeadEventRow = { id: string; type: string; occurred_at: string; lead_version: number };

export async function listOfLead(
  database: Database,
  { accountId, leadId }: LeadKey,
  { from, to }: { from: number; to: number },
): Promise<LeadEventRow[]> {
  return database.query<LeadEventRow>({
    text: `SELECT id, type, occurred_at, lead_version FROM events
           WHERE account_id = $1 AND lead_id = $2 AND lead_version BETWEEN $3 AND $4
           ORDER BY lead_version DESC, id DESC`,
    values: [accountId, leadId, from, to],
  });
}

/** The ids of all events of a lead, as its own transaction sees them. */
export async function idsOfLead(
  query: Database['query'],
  { accountId, leadId }: LeadKey,
): Promise<string[]> {
  const rows = await query<{ id: string }>({
    text: 'SELECT id FROM events WHERE account_id = $1 AND lead_id = $2 ORDER BY id',
    values: [accountId, leadId],
  });
  return rows.map(({ id }) => id);
}
