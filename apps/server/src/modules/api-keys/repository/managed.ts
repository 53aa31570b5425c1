import type { Scope } from '@leadwire/contract';
import type { Database, TimestampText } from '../../../platform/database/index.ts';
import type { NewApiKey } from '../keys.ts';

export type ManagedKeyRow = {
  id: string;
  public_key: string;
  name: string;
  scopes: Scope[];
  rate_limit_max: number | null;
  rate_limit_window_seconds: number | null;
  expires_at: TimestampText | null;
  revoked_at: TimestampText | null;
  last_used_at: TimestampText | null;
  created_at: TimestampText;
  replaced_by: string | null;
};

type Reference = { accountId: string; id: string };

/** A pair of keys as it is stored. */
export type Pair = {
  id: string;
  publicKey: string;
  secretHash: Buffer;
  secretEncrypted: string;
  /** ISO 8601 in UTC with six decimals. */
  createdAt: string;
};

const columns = (table: string): string =>
  [
    ...['id', 'public_key', 'name', 'scopes', 'rate_limit_max', 'rate_limit_window_seconds'],
    ...['expires_at', 'revoked_at', 'last_used_at', 'created_at', 'replaced_by'],
  ]
    .map((name) => `${table}.${name}`)
    .join(', ');

/** How many keys of the account work at `at`. */
const live = (at: string): string => `(SELECT count(*) FROM api_keys WHERE account_id = $1
  AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at}::timestamptz))`;

/** Runs a statement that makes a key, and what belongs to it; those of one account stand in a queue, so that their limit is exact. */
function inLine<R>(
  database: Database,
  accountId: string,
  statement: { text: string; values: unknown[] },
  afterwards: (query: Database['query'], rows: R[]) => Promise<void> = async () => undefined,
): Promise<R[]> {
  return database.transaction(async (query) => {
    await query({
      text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
      values: [accountId],
    });
    const rows = await query<R>(statement);
    await afterwards(query, rows);
    return rows;
  });
}

/** @returns null where the account has `limit` keys that work. */
export async function insert(
  database: Database,
  key: NewApiKey & Pair & { limit: number },
): Promise<ManagedKeyRow | null> {
  const [row] = await inLine<ManagedKeyRow>(database, key.accountId, {
    text: `INSERT INTO api_keys (account_id, id, public_key, secret_hash, secret_encrypted, created_at,
             name, scopes, rate_limit_max, rate_limit_window_seconds, expires_at)
           SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
           WHERE ${live('$6')} < $12
           RETURNING ${columns('api_keys')}`,
    values: [
      ...[key.accountId, key.id, key.publicKey, key.secretHash, key.secretEncrypted, key.createdAt],
      ...[key.name, key.scopes, key.rateLimit?.max ?? null, key.rateLimit?.windowSeconds ?? null],
      ...[key.expiresAt ?? null, key.limit],
    ],
  });
  return row ?? null;
}

/** Newest first. */
export async function list(database: Database, accountId: string): Promise<ManagedKeyRow[]> {
  return database.query<ManagedKeyRow>({
    text: `SELECT ${columns('api_keys')} FROM api_keys WHERE account_id = $1 ORDER BY id DESC`,
    values: [accountId],
  });
}

export async function find(
  database: Database,
  { accountId, id }: Reference,
): Promise<ManagedKeyRow | null> {
  const [row] = await database.query<ManagedKeyRow>({
    text: `SELECT ${columns('api_keys')} FROM api_keys WHERE account_id = $1 AND id = $2`,
    values: [accountId, id],
  });
  return row ?? null;
}

// The last moment that ISO 8601 writes with four digits of a year.
const END_OF_TIME = '9999-12-31T23:59:59.999999Z';

// The key is looked at once it is locked: of two that rotate it at once the second one finds it replaced.
const ROTATE = `
  WITH stored AS (
    SELECT * FROM api_keys
    WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL AND replaced_by IS NULL
      AND (expires_at IS NULL OR expires_at > $7::timestamptz)
    FOR NO KEY UPDATE
  ), inserted AS (
    INSERT INTO api_keys (account_id, id, public_key, secret_hash, secret_encrypted, created_at,
      name, scopes, rate_limit_max, rate_limit_window_seconds, expires_at)
    SELECT account_id, $3, $4, $5, $6, $7, name, scopes, rate_limit_max, rate_limit_window_seconds,
      least($7::timestamptz + (expires_at - created_at), CASE WHEN expires_at IS NULL THEN NULL ELSE $10::timestamptz END)
    FROM stored
    WHERE ${live('$7')} < $9
    RETURNING *
  ), replaced AS (
    UPDATE api_keys SET replaced_by = inserted.id,
      expires_at = CASE WHEN $8::timestamptz IS NULL THEN api_keys.expires_at ELSE least(api_keys.expires_at, $8) END,
      revoked_at = CASE WHEN $8::timestamptz IS NULL THEN $7::timestamptz END
    FROM inserted
    WHERE api_keys.account_id = inserted.account_id AND api_keys.id = $2
    RETURNING api_keys.*
  )
  SELECT ${columns('inserted')} FROM inserted
  UNION ALL
  SELECT ${columns('replaced')} FROM replaced`;

/** Done in the transaction of a rotation, for what stands by a key and goes on with the one that replaces it. */
export type OnRotate = (
  query: Database['query'],
  keys: { accountId: string; from: string; to: string; at: string },
) => Promise<void>;

/**
 * Makes a new pair like a key that works and is not yet replaced. `until`: when the old one ends at the latest; null: now.
 * @returns both; null where there is no such key, or the account has `limit` keys that work.
 */
export async function rotate(
  database: Database,
  { accountId, id }: Reference,
  change: { pair: Pair; until: string | null; limit: number; onRotate: OnRotate },
): Promise<{ created: ManagedKeyRow; replaced: ManagedKeyRow } | null> {
  const { pair, until, limit, onRotate } = change;
  const statement = {
    text: ROTATE,
    values: [
      ...[accountId, id, pair.id, pair.publicKey, pair.secretHash, pair.secretEncrypted],
      ...[pair.createdAt, until, limit, END_OF_TIME],
    ],
  };
  const moved = { accountId, from: id, to: pair.id, at: pair.createdAt };
  const rows = await inLine<ManagedKeyRow>(database, accountId, statement, async (query, made) => {
    if (made.length > 0) await onRotate(query, moved);
  });
  const created = rows.find((row) => row.id === pair.id);
  const replaced = rows.find((row) => row.id === id);
  return created && replaced ? { created, replaced } : null;
}

/** A key that was revoked before stays as it was. @returns null where the account has no such key. */
export async function revokeOne(
  database: Database,
  { accountId, id }: Reference,
  at: string,
): Promise<ManagedKeyRow | null> {
  const [row] = await database.query<ManagedKeyRow>({
    text: `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3) WHERE account_id = $1 AND id = $2
           RETURNING ${columns('api_keys')}`,
    values: [accountId, id, at],
  });
  return row ?? null;
}

export async function revoke(database: Database, publicKey: string, at: string): Promise<boolean> {
  const rows = await database.query({
    text: `UPDATE api_keys SET revoked_at = $2 WHERE public_key = $1 AND (revoked_at IS NULL OR revoked_at = $2)
           RETURNING id`,
    values: [publicKey, at],
  });
  return rows.length > 0;
}

export type SealedKeyRow = {
  id: string;
  public_key: string;
  secret_encrypted: string;
  name: string;
  revoked_at: TimestampText | null;
  expires_at: TimestampText | null;
};

/** The newest keys of an account with their sealed secrets, `publicKey` first. */
export async function findSealed(
  database: Database,
  wanted: { accountId: string; publicKey: string; limit: number },
): Promise<SealedKeyRow[]> {
  return database.query<SealedKeyRow>({
    text: `SELECT id, public_key, secret_encrypted, name, revoked_at, expires_at FROM api_keys
           WHERE account_id = $1 ORDER BY public_key = $2 DESC, id DESC LIMIT $3`,
    values: [wanted.accountId, wanted.publicKey, wanted.limit],
  });
}
