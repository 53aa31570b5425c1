import { encode } from 'uqr';
import type { Auth } from './auth.ts';
import { called, explained, type From, headersFrom } from './calls.ts';
import { onlyCookies, SESSION_COOKIE } from './cookies.ts';
import { codeRefused, passwordWrong, secondFactorIsOn, secondFactorNotBegun } from './errors.ts';
import type { UsedCodes } from './used-codes.ts';

type Deps = {
  auth: () => Promise<Auth>;
  usedCodes: UsedCodes;
  /** Runs what asks for the password of a person; wrong ones are counted. */
  withPassword<T>(personId: string, work: () => Promise<T>): Promise<T>;
  /** The same for a code. */
  withCode<T>(personId: string, work: () => Promise<T>): Promise<T>;
};

export type BegunSecondFactor = {
  uri: string;
  secret: string;
  backupCodes: string[];
  /** A QR code of the address: `path` is that of an SVG whose view box is `size` wide and high. */
  qr: { size: number; path: string };
};

/** Codes by time (TOTP, RFC 6238) beside the password, and backup codes that are good once each. */
export function createSecondFactor({ auth, usedCodes, withPassword, withCode }: Deps) {
  const inSession = (from: From) => ({
    headers: headersFrom({ ...from, headers: onlyCookies(from.headers, [SESSION_COOKIE]) }),
    returnHeaders: true as const,
  });

  return {
    /** Asked for only after `confirm`. @throws AppError 403 for a wrong password, 409 where it is on already */
    async begin(personId: string, password: string, from: From): Promise<BegunSecondFactor> {
      const { api } = await auth();
      const begun = await withPassword(personId, () =>
        called<{ totpURI: string; backupCodes: string[] }>(
          api.enableTwoFactor({ ...inSession(from), body: { password } }),
        ).catch((error) => explained(error, REFUSALS)),
      );
      const { totpURI: uri, backupCodes } = begun.answer;
      const secret = new URL(uri).searchParams.get('secret') ?? '';
      return { uri, secret, backupCodes, qr: qrOf(uri) };
    },

    /** @returns the cookies of the session that goes on. @throws AppError 401 for a wrong code, 429 after too many */
    async confirm(personId: string, code: string, from: From): Promise<string[]> {
      const { api } = await auth();
      const confirmed = await withCode(personId, async () => {
        if (!(await usedCodes.isFirst(personId, code))) throw codeRefused();
        return called(api.verifyTOTP({ ...inSession(from), body: { code } })).catch((error) =>
          explained(error, REFUSALS),
        );
      });
      return confirmed.cookies;
    },

    /** @returns the cookies of the session that goes on. @throws AppError 403 for a wrong password */
    async end(personId: string, password: string, from: From): Promise<string[]> {
      const { api } = await auth();
      const ended = await withPassword(personId, () =>
        called(api.disableTwoFactor({ ...inSession(from), body: { password } })).catch((error) =>
          explained(error, REFUSALS),
        ),
      );
      return ended.cookies;
    },
  };
}

const REFUSALS = {
  INVALID_PASSWORD: passwordWrong,
  INVALID_CODE: codeRefused,
  TOTP_ALREADY_ENABLED: secondFactorIsOn,
  TOTP_NOT_ENABLED: secondFactorNotBegun,
};

/** A row of dark modules is one stroke of the path, drawn as a rectangle one high. */
function qrOf(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 2 });
  const strokes = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  return { size, path: strokes.join('') };
}
