import { hash, randomBytes } from 'node:crypto';
import type { Scope } from '@leadwire/contract';
import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import { createToken, type SecretBox } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { keyNotFound } from './errors.ts';
import * as repository from './repository.ts';

export const PUBLIC_PREFIX = 'lwpk';
export const SECRET_PREFIX = 'lwsk';
const PUBLIC_LENGTH = 22;
const SECRET_LENGTH = 43;

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

type Deps = { database: Database; secrets: SecretBox; clock: Clock; newId: () => string };

/** Issues and revokes keys. */
export function createApiKeys({ database, secrets, clock, newId }: Deps) {
  return {
    /** @returns the pair of keys; the secret key is shown here and never again. */
    async create(key: NewApiKey): Promise<{ publicKey: string; secretKey: string }> {
      const publicKey = createToken(PUBLIC_PREFIX, PUBLIC_LENGTH, randomBytes);
      const secretKey = createToken(SECRET_PREFIX, SECRET_LENGTH, randomBytes);
      await repository.insert(database, {
        ...key,
        id: newId(),
        publicKey,
        secretHash: hashSecret(secretKey),
        secretEncrypted: secrets.seal(secretKey, publicKey),
        createdAt: formatMicros(clock.nowMicros()),
      });
      return { publicKey, secretKey };
    },

    /** Works on every node within a second. @throws AppError 404 for a key that is unknown or revoked already. */
    async revoke(publicKey: string): Promise<void> {
      const at = formatMicros(clock.nowMicros());
      if (!(await repository.revoke(database, publicKey, at))) throw keyNotFound(publicKey);
    },
  };
}

/** SHA-256 is enough for a secret of 256 random bits: there is nothing to guess that a slow hash would slow down. */
export const hashSecret = (secretKey: string): Buffer => hash('sha256', secretKey, 'buffer');
