import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { RateLimits } from '../rate-limits/index.ts';
import { createAuth } from './auth.ts';
import { personUnknown } from './errors.ts';
import { createFailureLimits } from './failure-limits.ts';
import type { SigningSecrets } from './keys.ts';
import { createPasswordHashes } from './password-hashes.ts';
import { createPasswords } from './passwords.ts';
import { createRegistration } from './registration.ts';
import * as repository from './repository.ts';
import { createSecondFactor } from './second-factor.ts';
import { createSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createUsedCodes } from './used-codes.ts';

type Deps = {
  database: Database;
  clock: Clock;
  newId: () => string;
  secrets: SigningSecrets;
  rateLimits: RateLimits;
  /** The start of links in mails. */
  publicUrl: string;
  /** Null where the service cannot send mail. */
  mailer: Mailer | null;
  log: {
    error(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
};

export type People = ReturnType<typeof createPeople>;

/** People, their sessions, passwords and second factors; what they may do in an account is a matter of `accounts`. */
export function createPeople(deps: Deps) {
  const { database, clock, newId, rateLimits } = deps;
  const secret = deps.secrets[0]?.value as string;
  const hashes = createPasswordHashes();
  let loaded: ReturnType<typeof createAuth> | undefined;
  const auth = () => {
    loaded ??= createAuth({ ...deps, pool: database.forLibraries(), hashes });
    return loaded;
  };
  const limits = createFailureLimits(rateLimits);
  const usedCodes = createUsedCodes(rateLimits);
  const withPassword = <T>(personId: string, work: () => Promise<T>) =>
    hashes.first(() => limits.guard({ name: `password of ${personId}` }, work, isWrongPassword));
  const withCode = <T>(personId: string, work: () => Promise<T>) =>
    limits.guard({ name: `code of ${personId}` }, work, isRefused);
  const endSession = (token: string) => repository.removeByToken(database, token);
  const now = () => formatMicros(clock.nowMicros());
  const shared = {
    ...{ auth, database, limits, usedCodes, withPassword, withCode, secret, endSession, hashes },
  };
  const signIn = createSignIn(shared);
  return {
    ...signIn,
    secondFactor: createSecondFactor(shared),
    passwords: createPasswords({ ...deps, ...shared, nowMs: clock.nowMs }),
    ...createSessions({ ...shared, now, nowMs: clock.nowMs }),
    ...createRegistration({ ...shared, newId, now }),

    /**
     * Runs what looks at a link that somebody has: links that are none are failed tries of their address, so that nobody makes the
     * store look for guesses. @throws AppError 429
     */
    withLink: <T>(link: string, address: string, work: () => Promise<T>): Promise<T> =>
      limits.guard({ address, name: `opening ${link}` }, work, isNoLink),
    /** Those of `ids` that exist, by id. */
    async named(ids: string[]): Promise<Map<string, repository.PersonRow>> {
      const rows = ids.length > 0 ? await repository.findByIds(database, ids) : [];
      return new Map(rows.map((row) => [row.id, row]));
    },

    /** For the operator, where a person has lost their device and their backup codes. @throws AppError 404 */
    async endSecondFactorOf(email: string): Promise<void> {
      const isKnown = await repository.removeSecondFactor(database, email.toLowerCase(), now());
      if (!isKnown) throw personUnknown();
    },

    async rename(id: string, name: string): Promise<void> {
      await repository.rename(database, { id, name, at: now() });
    },
  };
}

const isRefused = (error: unknown): boolean => error instanceof AppError && error.status < 500;

const isNoLink = (error: unknown): boolean => error instanceof AppError && error.status === 410;

const isWrongPassword = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'password_wrong';
