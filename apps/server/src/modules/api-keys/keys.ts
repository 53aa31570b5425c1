import { hash, randomBytes } from 'node:crypto';
import type { Scope } from '@leadwire/contract';
import type { ApiKey } from '@leadwire/contract/dashboard';
import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import { createToken, type SecretBox } from '../../platform/crypto/index.ts';
import { type Database, timestampToIso } from '../../platform/database/index.ts';
import { notFound } from '../../platform/errors/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { keyLimitReached, keyNotFound, notInUse } from './errors.ts';
import * as repository from './repository/managed.ts';
import { findNames } from './repository/names.ts';

export const PUBLIC_PREFIX = 'lwpk';
export const SECRET_PREFIX = 'lwsk';
const PUBLIC_LENGTH = 22;
const SECRET_LENGTH = 43;
const HOUR_MICROS = 3_600_000_000;
/** How many keys of an account may work at a time. */
const MAX_LIVE_KEYS = 1000;

export type NewApiKey = {
  accountId: string;
  name: string;
  scopes: Scope[];
  /** Requests in a window of seconds; max 0 is unlimited; absent: the default. */
  rateLimit?: { max: number; windowSeconds: number };
  /** ISO 8601. */
  expiresAt?: string;
};

export type ApiKeys = ReturnType<typeof createApiKeys>;

type Deps = {
  database: Database;
  secrets: SecretBox;
  clock: Clock;
  newId: () => string;
  /** Takes over, in the same transaction, what stands by a key that is rotated. */
  onRotate: repository.OnRotate;
};

/** Issues, shows, rotates and revokes keys. What changes works on every node within a second. */
export function createApiKeys({ database, secrets, clock, newId, onRotate }: Deps) {
  const now = () => formatMicros(clock.nowMicros());

  function makePair(createdAt: string): { pair: repository.Pair; secretKey: string } {
    const publicKey = createToken(PUBLIC_PREFIX, PUBLIC_LENGTH, randomBytes);
    const secretKey = createToken(SECRET_PREFIX, SECRET_LENGTH, randomBytes);
    const sealed = {
      secretHash: hashSecret(secretKey),
      secretEncrypted: secrets.seal(secretKey, publicKey),
    };
    return { pair: { id: newId(), publicKey, ...sealed, createdAt }, secretKey };
  }

  async function get(accountId: string, id: string): Promise<ApiKey> {
    const row = isUuid(id) ? await repository.find(database, { accountId, id }) : null;
    if (!row) throw notFound();
    return toApiKey(row, now());
  }

  return {
    /**
     * @returns the pair of keys; the secret key is shown here and never again.
     * @throws AppError 409 where the account has as many as it may
     */
    async create(key: NewApiKey): Promise<{ publicKey: string; secretKey: string; key: ApiKey }> {
      const at = now();
      const { pair, secretKey } = makePair(at);
      const row = await repository.insert(database, { ...key, ...pair, limit: MAX_LIVE_KEYS });
      if (!row) throw keyLimitReached(MAX_LIVE_KEYS);
      return { publicKey: pair.publicKey, secretKey, key: toApiKey(row, at) };
    },

    /** Newest first; with those that no longer work. */
    async list(accountId: string): Promise<ApiKey[]> {
      const rows = await repository.list(database, accountId);
      const at = now();
      return rows.map((row) => toApiKey(row, at));
    },

    /** @throws AppError 404 where the account has no such key */
    get,

    /**
     * A new pair with the name, scopes and limit of a key, and as long a life from now on as it was given. The old one works for
     * `overlapHours` more, never longer than it would have; 0 revokes it.
     * @throws AppError 404; 409 for a key that does not work or was rotated before, and where the account has as many as it may
     */
    async rotate(
      accountId: string,
      id: string,
      { overlapHours }: { overlapHours: number },
    ): Promise<{ key: ApiKey; secretKey: string; replaced: ApiKey }> {
      const before = await get(accountId, id);
      const nowMicros = clock.nowMicros();
      const at = formatMicros(nowMicros);
      const { pair, secretKey } = makePair(at);
      const isAtOnce = overlapHours === 0;
      const until = isAtOnce ? null : formatMicros(nowMicros + overlapHours * HOUR_MICROS);
      // A key that goes at once makes room for the one that replaces it.
      const limit = MAX_LIVE_KEYS + (isAtOnce ? 1 : 0);
      const rotated = await repository.rotate(
        database,
        { accountId, id: before.id },
        { pair, until, limit, onRotate },
      );
      if (!rotated) throw notInUse(await get(accountId, id)) ?? keyLimitReached(MAX_LIVE_KEYS);
      const { created, replaced } = rotated;
      return { key: toApiKey(created, at), secretKey, replaced: toApiKey(replaced, at) };
    },

    /** One that is revoked already stays as it is. @throws AppError 404 where the account has no such key */
    async revokeOne(accountId: string, id: string): Promise<ApiKey> {
      const at = now();
      const row = isUuid(id) ? await repository.revokeOne(database, { accountId, id }, at) : null;
      if (!row) throw notFound();
      return toApiKey(row, at);
    },

    /** The names of an account's keys by their public keys, revoked ones included; unknown ones are missing. */
    namesOf: (accountId: string, publicKeys: string[]): Promise<Map<string, string>> =>
      findNames(database, accountId, publicKeys),

    /** @throws AppError 404 for a key that is unknown or revoked already. */
    async revoke(publicKey: string): Promise<void> {
      if (!(await repository.revoke(database, publicKey, now()))) throw keyNotFound(publicKey);
    },
  };
}

/** SHA-256 is enough for a secret of 256 random bits: there is nothing to guess that a slow hash would slow down. */
export const hashSecret = (secretKey: string): Buffer => hash('sha256', secretKey, 'buffer');

/** @param at ISO 8601 in UTC with six decimals: such texts sort as their times do */
function toApiKey(row: repository.ManagedKeyRow, at: string): ApiKey {
  const toIso = (text: string | null) => (text === null ? null : timestampToIso(text));
  const expiresAt = toIso(row.expires_at);
  const isExpired = expiresAt !== null && expiresAt <= at;
  const { rate_limit_max: max, rate_limit_window_seconds: seconds } = row;
  return {
    id: row.id,
    public_key: row.public_key,
    name: row.name,
    scopes: row.scopes,
    state: row.revoked_at !== null ? 'revoked' : isExpired ? 'expired' : 'active',
    rate_limit: max === null ? null : { max, window_seconds: seconds ?? 1 },
    expires_at: expiresAt,
    revoked_at: toIso(row.revoked_at),
    last_used_at: toIso(row.last_used_at),
    created_at: timestampToIso(row.created_at),
    replaced_by: row.replaced_by,
  };
}
