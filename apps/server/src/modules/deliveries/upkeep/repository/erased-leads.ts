import type { Database } from '../../../../platform/database/index.ts';

export type ErasedLead = { account_id: string; id: string; erased_at: string };

/** Leads that were erased after `since`, of every account. */
export async function findErasedLeads(database: Database, since: string): Promise<ErasedLead[]> {
  return database.query<ErasedLead>({
    text: 'SELECT account_id, id, erased_at FROM leads WHERE erased_at > $1',
    values: [since],
  });
}
