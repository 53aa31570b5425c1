import type { Database } from '../../../platform/database/index.ts';

/** By id. */
export async function readCampaignNames(
  database: Database,
  accountId: string,
): Promise<Map<number, string>> {
  const rows = await database.query<{ id: number; name: string }>({
    text: 'SELECT id, name FROM campaigns WHERE account_id = $1',
    values: [accountId],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
