import type { ImportSettings } from '@leadwire/contract/dashboard';
import { type Database, jsonArray, textArray } from '../../../../platform/database/index.ts';
import { parseJson } from '../../../../platform/json/index.ts';

export type Mapping = {
  /** Header to target. */
  columns: Record<string, string | null>;
  settings: Partial<
    Pick<ImportSettings, 'campaign_id' | 'source' | 'default_country' | 'date_order' | 'time_zone'>
  >;
};

export async function storeMappings(
  database: Database,
  accountId: string,
  names: string[],
  { columns, settings }: Mapping,
  at: string,
): Promise<void> {
  await database.query({
    text: `INSERT INTO import_mappings (account_id, remembered_by, columns, settings, used_at)
           SELECT $1, name, columns, settings, $5
           FROM unnest($2::text[], $3::json[], $4::json[]) AS input (name, columns, settings) ORDER BY name
           ON CONFLICT (account_id, remembered_by) DO UPDATE
           SET columns = excluded.columns, settings = excluded.settings, used_at = excluded.used_at`,
    values: [
      accountId,
      textArray(names),
      jsonArray(names.map(() => JSON.stringify(columns))),
      jsonArray(names.map(() => JSON.stringify(settings))),
      at,
    ],
  });
}

export async function findMapping(
  database: Database,
  accountId: string,
  name: string,
): Promise<Mapping | null> {
  const [row] = await database.query<{ columns: string; settings: string }>({
    text: 'SELECT columns, settings FROM import_mappings WHERE account_id = $1 AND remembered_by = $2',
    values: [accountId, name],
  });
  if (!row) return null;
  return {
    columns: parseJson(row.columns) as Mapping['columns'],
    settings: parseJson(row.settings) as Mapping['settings'],
  };
}
