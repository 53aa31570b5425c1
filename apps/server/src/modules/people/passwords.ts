import { randomBytes } from 'node:crypto';
import { createToken } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { Auth } from './auth.ts';
import { called, explained, type From, headersFrom } from './calls.ts';
import { onlyCookies, SESSION_COOKIE } from './cookies.ts';
import { passwordWrong, personUnknown, resetLinkInvalid } from './errors.ts';
import type { FailureLimits } from './failure-limits.ts';
import type { PasswordHashes } from './password-hashes.ts';
import { checkPassword } from './password-rules.ts';
import * as repository from './repository.ts';

const RESET_MS = 60 * 60 * 1000;
const TOKEN_LENGTH = 43;

type Deps = {
  auth: () => Promise<Auth>;
  database: Database;
  limits: FailureLimits;
  hashes: Pick<PasswordHashes, 'first' | 'assertRoom'>;
  withPassword<T>(personId: string, work: () => Promise<T>): Promise<T>;
  nowMs: () => number;
  publicUrl: string;
  mailer: Mailer | null;
  log: { warn(fields: object, message: string): void };
};

/** Changing a password, and the way back in for who has forgotten it. */
export function createPasswords(deps: Deps) {
  const { auth, database, hashes, limits, withPassword, nowMs, mailer, log } = deps;
  const sending = new Set<Promise<void>>();

  async function makeLink(personId: string): Promise<string> {
    const token = createToken('lwreset', TOKEN_LENGTH, randomBytes);
    const { internalAdapter } = await (await auth()).$context;
    await internalAdapter.createVerificationValue({
      ...{ identifier: `reset-password:${token}`, value: personId },
      expiresAt: new Date(nowMs() + RESET_MS),
    });
    // In the fragment, which browsers do not send: it stands in no log.
    return `${deps.publicUrl}/reset#${token}`;
  }

  async function mailLink(email: string, to: Mailer): Promise<void> {
    const person = await repository.findByEmail(database, email);
    if (!person) return;
    await to.send(resetMail(email, await makeLink(person.id)));
  }

  return {
    /** Ends every other session, every link and every sign-in that waits for a code. @returns the cookies of this one. @throws AppError 400, 403, 429 */
    async change(
      person: { id: string; name: string; email: string },
      { current, next }: { current: string; next: string },
      from: From,
    ): Promise<string[]> {
      checkPassword(next, person, 'new_password');
      const { api } = await auth();
      const changed = await withPassword(person.id, () =>
        called(
          api.changePassword({
            headers: headersFrom({ ...from, headers: onlyCookies(from.headers, [SESSION_COOKIE]) }),
            body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
            returnHeaders: true,
          }),
        ).catch((error) => explained(error, { INVALID_PASSWORD: passwordWrong })),
      );
      await repository.removeVerifications(database, person.id);
      return changed.cookies;
    },

    /** The work is done after the answer, so that it tells nothing about whether there is such a person. @throws AppError 429 */
    async askReset(given: string, address: string): Promise<void> {
      const email = given.toLowerCase();
      await limits.count({ address, name: email });
      if (!mailer) return;
      const sent = mailLink(email, mailer)
        .catch((err) => log.warn({ err }, 'a password reset could not be mailed'))
        .finally(() => sending.delete(sent));
      sending.add(sent);
    },

    /** For the operator, who hands it over. @throws AppError 404 */
    async makeResetLink(given: string): Promise<string> {
      const person = await repository.findByEmail(database, given.toLowerCase());
      if (!person) throw personUnknown();
      return makeLink(person.id);
    },

    /** Ends every session of the person, their other links, and every sign-in that waits for a code. @throws AppError 410 for a link that is used or too old, 400 for a weak password */
    async finishReset(token: string, password: string): Promise<void> {
      const { api, $context } = await auth();
      const { internalAdapter } = await $context;
      const found = await internalAdapter.findVerificationValue(`reset-password:${token}`);
      if (!found) throw resetLinkInvalid();
      const [person] = await repository.findByIds(database, [found.value]);
      if (!person) throw resetLinkInvalid();
      checkPassword(password, person, 'password');
      await hashes.first(async () => {
        // The link is used up before the password is hashed.
        hashes.assertRoom();
        await api
          .resetPassword({ body: { token, newPassword: password } })
          .catch((error) => explained(error, { INVALID_TOKEN: resetLinkInvalid }));
      });
      await repository.removeVerifications(database, person.id);
    },

    /** Resolves when no mail is on its way. */
    idle: async (): Promise<void> => void (await Promise.all(sending)),
  };
}

const resetMail = (to: string, link: string) => ({
  to,
  subject: 'Reset your Leadwire password',
  text: [
    'Somebody, most likely you, asked to reset the password of this address at Leadwire.',
    'This link is good once, for one hour:',
    '',
    link,
    '',
    'If it was not you, there is nothing to do: the password stays as it is.',
    '',
  ].join('\n'),
});
