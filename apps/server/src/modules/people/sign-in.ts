import { hash, randomBytes } from 'node:crypto';
import { AppError } from '../../platform/errors/index.ts';
import { type Auth, SESSION_SECONDS } from './auth.ts';
import { called, explained, type From, headersFrom, refusalOf } from './calls.ts';
import {
  CHALLENGE_COOKIE,
  KNOWN_COOKIE,
  makeSignedCookie,
  onlyCookies,
  SESSION_COOKIE,
  signedCookie,
} from './cookies.ts';
import { codeRefused, signInAgain, signInRefused, tooManyTries } from './errors.ts';
import type { FailureLimits } from './failure-limits.ts';
import type { PasswordHashes } from './password-hashes.ts';
import type { UsedCodes } from './used-codes.ts';

const KNOWN_SECONDS = 180 * 24 * 60 * 60;
const LOCKED_SECONDS = 15 * 60;

type Deps = {
  auth: () => Promise<Auth>;
  limits: FailureLimits;
  usedCodes: UsedCodes;
  hashes: Pick<PasswordHashes, 'first' | 'assertRoom'>;
  secret: string;
  /** Ends a session that was made and is not handed out. */
  endSession(token: string): Promise<void>;
};

/** With an address and a password, then with a code where the person has a second factor. */
export function createSignIn({ auth, limits, usedCodes, hashes, secret, endSession }: Deps) {
  return {
    /** @throws AppError 401 alike for an unknown address and a wrong password, 429 after too many failures */
    async signIn(
      given: { email: string; password: string },
      from: From,
    ): Promise<{ secondFactor: boolean; cookies: string[] }> {
      const email = given.email.toLowerCase();
      const browser = knownBrowser(from.headers, email, secret);
      const body = { email, password: given.password };
      const headers = headersFrom({ ...from, headers: onlyCookies(from.headers, []) });
      const { answer, cookies } = await limits.guard(
        { address: from.address, name: email, browser },
        () => {
          const tried = () => {
            hashes.assertRoom();
            return attempt(auth, { body, headers });
          };
          return browser ? hashes.first(tried) : tried();
        },
        isRefusal,
      );
      const secondFactor = answer.twoFactorRedirect === true;
      const known = browser ?? randomBytes(12).toString('base64url');
      return { secondFactor, cookies: [...cookies, knownCookie(known, email, secret)] };
    },

    /** For who has just registered: their password needs no second look. @returns the cookies of a session */
    async signInAs(person: { id: string; email: string }, from: From): Promise<string[]> {
      const { internalAdapter } = await (await auth()).$context;
      const { token } = await internalAdapter.createSession(person.id, false, {
        ipAddress: from.address,
        userAgent: from.headers.get('user-agent') ?? '',
      });
      const browser = randomBytes(12).toString('base64url');
      const session = { maxAgeSeconds: SESSION_SECONDS, path: '/' };
      return [
        makeSignedCookie(SESSION_COOKIE, token, secret, session),
        knownCookie(browser, person.email, secret),
      ];
    },

    /** The code of an authenticator (six digits) or one of the backup codes. @throws AppError 401 */
    async verify(code: string, from: From): Promise<{ cookies: string[] }> {
      const headers = headersFrom({
        ...from,
        // A session that the browser still has would be asked instead.
        headers: onlyCookies(from.headers, [CHALLENGE_COOKIE]),
      });
      const challenge = signedCookie(headers, CHALLENGE_COOKIE, secret);
      if (!challenge) throw signInAgain();
      const { api } = await auth();
      const call = { headers, returnHeaders: true } as const;
      try {
        if (!/^\d{6}$/.test(code)) {
          return await called(api.verifyBackupCode({ ...call, body: { code } } as never));
        }
        const verified = await called<{ token: string; user: { id: string } }>(
          api.verifyTOTP({ ...call, body: { code } }) as Promise<unknown>,
        );
        const { token, user } = verified.answer;
        if (await usedCodes.isFirst(user.id, code)) return verified;
        await endSession(token);
        throw codeRefused();
      } catch (error) {
        return explained(error, CODE_REFUSALS, signInAgain);
      }
    },
  };
}

const CODE_REFUSALS = {
  INVALID_CODE: codeRefused,
  INVALID_BACKUP_CODE: codeRefused,
  ACCOUNT_TEMPORARILY_LOCKED: () => tooManyTries(LOCKED_SECONDS),
};

const isRefusal = (error: unknown): boolean => error instanceof AppError && error.status === 401;

async function attempt(
  auth: Deps['auth'],
  { body, headers }: { body: { email: string; password: string }; headers: Headers },
) {
  const { api } = await auth();
  try {
    return await called<{ twoFactorRedirect?: boolean }>(
      api.signInEmail({ body, headers, returnHeaders: true }),
    );
  } catch (error) {
    if (refusalOf(error)) throw signInRefused();
    throw error;
  }
}

/** `browser!address`: which browser got in with which address, as a hash, before. Signed, so that no store is asked. */
function knownBrowser(headers: Headers, email: string, secret: string): string | null {
  const [browser, address] = (signedCookie(headers, KNOWN_COOKIE, secret) ?? '').split('!');
  return browser && address === hashOf(email) ? browser : null;
}

const knownCookie = (browser: string, email: string, secret: string): string =>
  makeSignedCookie(KNOWN_COOKIE, `${browser}!${hashOf(email)}`, secret, {
    maxAgeSeconds: KNOWN_SECONDS,
    path: '/dashboard/api/sign-in',
  });

const hashOf = (email: string): string => hash('sha256', email, 'base64url');
