import type { Database, TimestampText } from '../../platform/database/index.ts';
import { parseJson } from '../../platform/json/index.ts';

type NewAccount = { id: string; name: string; at: string };

export async function insert(database: Database, account: NewAccount): Promise<void> {
  await database.query({
    text: `INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING`,
    values: [account.id, account.name, account.at],
  });
}

export async function insertDefault(
  database: Database,
  account: Omit<NewAccount, 'name'>,
): Promise<boolean> {
  const rows = await database.query({
    text: `INSERT INTO accounts (id, name, is_default, created_at) VALUES ($1, 'default', true, $2)
           ON CONFLICT (is_default) WHERE is_default DO NOTHING RETURNING id`,
    values: [account.id, account.at],
  });
  return rows.length > 0;
}

export async function findDefault(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>({
    text: 'SELECT id FROM accounts WHERE is_default',
  });
  return row?.id;
}

export async function findById(database: Database, id: string): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>({
    text: 'SELECT id FROM accounts WHERE id = $1',
    values: [id],
  });
  return row?.id;
}

export async function findDetails(
  database: Database,
  id: string,
): Promise<{ id: string; name: string; created_at: TimestampText; features: string } | undefined> {
  const [row] = await database.query<{
    id: string;
    name: string;
    created_at: TimestampText;
    features: string;
  }>({ text: 'SELECT id, name, created_at, features FROM accounts WHERE id = $1', values: [id] });
  return row;
}

export async function rename(database: Database, id: string, name: string): Promise<void> {
  await database.query({
    text: 'UPDATE accounts SET name = $2 WHERE id = $1',
    values: [id, name],
  });
}

export async function setFeature(
  database: Database,
  accountId: string,
  feature: string,
  on: boolean,
): Promise<void> {
  await database.query({
    text: `UPDATE accounts SET features = features || jsonb_build_object($2::text, $3::boolean) WHERE id = $1`,
    values: [accountId, feature, on],
  });
}

/** The stored flags of an account; none where there is no such account. */
export async function findFeatures(
  database: Database,
  id: string,
): Promise<Record<string, unknown>> {
  const [row] = await database.query<{ features: string }>({
    text: 'SELECT features FROM accounts WHERE id = $1',
    values: [id],
  });
  return row ? (parseJson(row.features) as Record<string, unknown>) : {};
}
