import { type Database, timestamptzArray, uuidArray } from '../../../platform/database/index.ts';

export type ApiKeyRow = {
  account_id: string;
  id: string;
  public_key: string;
  secret_encrypted: string;
  scopes: string[];
  rate_limit_max: number | null;
  rate_limit_window_seconds: number | null;
  /** Milliseconds since the Unix epoch. */
  expires_at_ms: string | null;
  revoked: boolean;
  features: string;
};

// With those that were revoked: who sends one is told so on the page of the key.
const ISSUED = `
  SELECT k.account_id, k.id, k.public_key, k.secret_encrypted, k.scopes, k.rate_limit_max,
    k.rate_limit_window_seconds, (extract(epoch FROM k.expires_at) * 1000)::bigint AS expires_at_ms,
    k.revoked_at IS NOT NULL AS revoked, a.features
  FROM api_keys k JOIN accounts a ON a.id = k.account_id
  WHERE`;

export async function findBySecretHash(
  database: Database,
  secretHash: Buffer,
): Promise<ApiKeyRow | undefined> {
  const [row] = await database.query<ApiKeyRow>({
    name: 'api-key-by-secret-hash',
    text: `${ISSUED} k.secret_hash = $1`,
    values: [secretHash],
  });
  return row;
}

export async function findByPublicKey(
  database: Database,
  publicKey: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await database.query<ApiKeyRow>({
    name: 'api-key-by-public-key',
    text: `${ISSUED} k.public_key = $1`,
    values: [publicKey],
  });
  return row;
}

/** One of an account, by its id. */
export async function findInAccount(
  database: Database,
  { accountId, id }: { accountId: string; id: string },
): Promise<ApiKeyRow | undefined> {
  const [row] = await database.query<ApiKeyRow>({
    name: 'api-key-by-id',
    text: `${ISSUED} k.account_id = $1 AND k.id = $2`,
    values: [accountId, id],
  });
  return row;
}

export type KeyUse = { accountId: string; id: string; usedAt: string };

export async function markUsed(database: Database, uses: KeyUse[]): Promise<void> {
  await database.query({
    text: `UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, used.at)
           FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS used (account_id, id, at)
           WHERE k.account_id = used.account_id AND k.id = used.id`,
    values: [
      uuidArray(uses.map((use) => use.accountId)),
      uuidArray(uses.map((use) => use.id)),
      timestamptzArray(uses.map((use) => use.usedAt)),
    ],
  });
}
