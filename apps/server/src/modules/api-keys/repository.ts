import type { Database } from '../../platform/database/index.ts';
import { timestamptzArray, uuidArray } from '../../platform/database/index.ts';
import type { NewApiKey } from './keys.ts';

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
  features: string;
};

export async function insert(
  database: Database,
  key: NewApiKey & {
    id: string;
    publicKey: string;
    secretHash: Buffer;
    secretEncrypted: string;
    createdAt: string;
  },
): Promise<void> {
  await database.query({
    text: `INSERT INTO api_keys (account_id, id, public_key, secret_hash, secret_encrypted, name, scopes,
             rate_limit_max, rate_limit_window_seconds, expires_at, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
           ON CONFLICT (account_id, id) DO NOTHING`,
    values: [
      key.accountId,
      key.id,
      key.publicKey,
      key.secretHash,
      key.secretEncrypted,
      key.name,
      key.scopes,
      key.rateLimit?.max ?? null,
      key.rateLimit?.windowSeconds ?? null,
      key.expiresAt ?? null,
      key.createdAt,
    ],
  });
}

const IN_USE = `
  SELECT k.account_id, k.id, k.public_key, k.secret_encrypted, k.scopes, k.rate_limit_max,
    k.rate_limit_window_seconds, (extract(epoch FROM k.expires_at) * 1000)::bigint AS expires_at_ms,
    a.features
  FROM api_keys k JOIN accounts a ON a.id = k.account_id
  WHERE k.revoked_at IS NULL AND`;

export async function findBySecretHash(
  database: Database,
  secretHash: Buffer,
): Promise<ApiKeyRow | undefined> {
  const [row] = await database.query<ApiKeyRow>({
    name: 'api-key-by-secret-hash',
    text: `${IN_USE} k.secret_hash = $1`,
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
    text: `${IN_USE} k.public_key = $1`,
    values: [publicKey],
  });
  return row;
}

export async function revoke(database: Database, publicKey: string, at: string): Promise<boolean> {
  const rows = await database.query({
    text: `UPDATE api_keys SET revoked_at = $2 WHERE public_key = $1 AND (revoked_at IS NULL OR revoked_at = $2)
           RETURNING id`,
    values: [publicKey, at],
  });
  return rows.length > 0;
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
