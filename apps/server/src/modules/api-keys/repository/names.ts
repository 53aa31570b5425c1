import type { Database } from '../../../platform/database/index.ts';

/** The names of an account's keys by their public keys, revoked ones included. */
export async function findNames(
  database: Database,
  accountId: string,
  publicKeys: string[],
): Promise<Map<string, string>> {
  if (publicKeys.length === 0) return new Map();
  const rows = await database.query<{ public_key: string; name: string }>({
    text: 'SELECT public_key, name FROM api_keys WHERE account_id = $1 AND public_key = ANY ($2)',
    values: [accountId, publicKeys],
  });
  return new Map(rows.map((row) => [row.public_key, row.name]));
}
