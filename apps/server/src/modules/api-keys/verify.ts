import { createSecretKey, type KeyObject } from 'node:crypto';
import { type Feature, LIMITS, type Scope } from '@leadwire/contract';
import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import { isWellFormedToken, type SecretBox } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { AppError } from '../../platform/errors/index.ts';
import { featuresOff } from '../accounts/index.ts';
import { invalidBearer, invalidPublicKey, invalidSignature, signatureExpired } from './errors.ts';
import { hashSecret, PUBLIC_PREFIX, SECRET_PREFIX } from './keys.ts';
import { createLastUsed } from './last-used.ts';
import {
  type ApiKeyRow,
  findByPublicKey,
  findBySecretHash,
  findInAccount,
} from './repository/in-use.ts';
import { isSignatureOf, type SignedRequest, stringToSign } from './signature.ts';
import { createVerifiedKeys } from './verified-keys.ts';

export type Credentials =
  | { scheme: 'bearer'; secret: string }
  | { scheme: 'hmac'; publicKey: string; timestamp: string; signature: string };

/** A key in use, and what its account may not do. */
export type VerifiedKey = {
  accountId: string;
  id: string;
  publicKey: string;
  scopes: ReadonlySet<Scope>;
  /** The key's own limit; null: the default. */
  rateLimit: { max: number; windowSeconds: number } | null;
  featuresOff: Feature[];
};

type StoredKey = VerifiedKey & {
  secret: () => KeyObject;
  expiresAtMs: number | null;
  revoked: boolean;
};

type OnNamed = (key: VerifiedKey) => void;
const ignore = () => undefined;

export type KeyVerifier = ReturnType<typeof createKeyVerifier>;

type Deps = {
  database: Database;
  secrets: SecretBox;
  clock: Clock;
  monotonicMs: () => number;
  log: { warn(details: object, message: string): void };
};

// Under the second that the contract gives, by what a look-up and a slow turn of the loop may take.
const MAX_AGE_MS = 800;
const LAST_USED_EVERY_MS = 1_000;

/** Tells whose key a request carries. Each check throws the AppError 401 of contract section 5. */
export function createKeyVerifier({ database, secrets, clock, monotonicMs, log }: Deps) {
  const cache = createVerifiedKeys<StoredKey>({
    maxAgeMs: MAX_AGE_MS,
    monotonicMs,
    isGood: (key) => !key.revoked,
  });
  const lastUsed = createLastUsed({ database, everyMs: LAST_USED_EVERY_MS, log });

  // Only a signature needs the secret in clear; a Bearer key is found by its hash.
  function openedOnce(row: ApiKeyRow): () => KeyObject {
    let opened: KeyObject | undefined;
    return () => {
      opened ??= createSecretKey(secrets.open(row.secret_encrypted, row.public_key), 'ascii');
      return opened;
    };
  }

  const toStoredKey = (row: ApiKeyRow | undefined): StoredKey | null =>
    row
      ? {
          accountId: row.account_id,
          id: row.id,
          publicKey: row.public_key,
          scopes: new Set(row.scopes as Scope[]),
          rateLimit:
            row.rate_limit_max === null
              ? null
              : { max: row.rate_limit_max, windowSeconds: row.rate_limit_window_seconds ?? 1 },
          featuresOff: featuresOff(JSON.parse(row.features)),
          secret: openedOnce(row),
          revoked: row.revoked,
          expiresAtMs: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
        }
      : null;

  const isUsable = (key: StoredKey): boolean =>
    !key.revoked && (key.expiresAtMs === null || key.expiresAtMs > clock.nowMs());

  function inUse(key: StoredKey | null, onNamed: OnNamed, otherwise: () => AppError): StoredKey {
    if (key) onNamed(key);
    if (!key || !isUsable(key)) throw otherwise();
    return key;
  }

  return {
    /** False where finding the key would cost a query and nothing says that it is worth one. */
    wasGood(credentials: Credentials): boolean {
      return credentials.scheme === 'bearer'
        ? cache.wasGood(hashSecret(credentials.secret).toString('base64'))
        : cache.wasGood(credentials.publicKey);
    },

    /**
     * Finds the key; for HMAC the signature is still to be checked, once the body is here. `onNamed` hears of a key that there is
     * even where it is refused: expired or revoked.
     */
    async find(credentials: Credentials, onNamed: OnNamed = ignore): Promise<StoredKey> {
      if (credentials.scheme === 'bearer') {
        const secretHash = hashSecret(credentials.secret);
        const lookUp = async () =>
          isWellFormedToken(credentials.secret, SECRET_PREFIX)
            ? toStoredKey(await findBySecretHash(database, secretHash))
            : null;
        return inUse(
          await cache.get(secretHash.toString('base64'), lookUp),
          onNamed,
          invalidBearer,
        );
      }
      const { publicKey } = credentials;
      if (!isWellFormedToken(publicKey, PUBLIC_PREFIX)) throw invalidPublicKey();
      const lookUp = async () => toStoredKey(await findByPublicKey(database, publicKey));
      return inUse(await cache.get(publicKey, lookUp), onNamed, invalidPublicKey);
    },

    /**
     * The key on whose behalf something of the account comes in without credentials, e.g. by a form; null for one that is unknown,
     * expired or revoked. Remembered like any other; answers without a promise where it is.
     */
    findById(accountId: string, id: string): VerifiedKey | null | Promise<VerifiedKey | null> {
      const lookUp = async () => toStoredKey(await findInAccount(database, { accountId, id }));
      const usable = (key: StoredKey | null) => (key && isUsable(key) ? key : null);
      const found = cache.get(`${accountId}/${id}`, lookUp);
      return found instanceof Promise ? found.then(usable) : usable(found);
    },

    checkSignature(key: StoredKey, signature: string, request: SignedRequest): void {
      const text = stringToSign(request);
      const serverTime = Math.floor(clock.nowMs() / 1000);
      const isNumber = /^\d{1,15}$/.test(request.timestamp);
      const skew = isNumber ? Number(request.timestamp) - serverTime : null;
      const details = { server_time: serverTime, skew_seconds: skew, string_to_sign: text };
      if (skew !== null && Math.abs(skew) > LIMITS.signatureWindowSeconds) {
        throw signatureExpired(details);
      }
      if (skew === null || !isSignatureOf(text, key.secret(), signature)) {
        throw invalidSignature(details);
      }
    },

    recordUse(key: VerifiedKey): void {
      lastUsed.record({
        accountId: key.accountId,
        id: key.id,
        usedAt: formatMicros(clock.nowMs() * 1000),
      });
    },

    close: () => lastUsed.close(),
  };
}
