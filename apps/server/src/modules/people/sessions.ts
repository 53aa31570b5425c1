import { type Database, timestampToIso } from '../../platform/database/index.ts';
import { notFound } from '../../platform/errors/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { Auth } from './auth.ts';
import { called, type From, headersFrom } from './calls.ts';
import { onlyCookies, SESSION_COOKIE, signedCookie } from './cookies.ts';
import * as repository from './repository.ts';

const USED_NOTED_EVERY_MS = 60_000;

type Deps = {
  auth: () => Promise<Auth>;
  database: Database;
  secret: string;
  now: () => string;
  nowMs: () => number;
};

/** Who is signed in, where, and until when. */
export function createSessions({ auth, database, secret, now, nowMs }: Deps) {
  return {
    /** Who the session cookie belongs to, by one look-up in the store: a session that was ended is none at once. */
    async personOf(headers: Headers) {
      const token = signedCookie(headers, SESSION_COOKIE, secret);
      if (!token) return null;
      const at = now();
      const found = await repository.findByToken(database, token, at);
      if (!found) return null;
      const { id, session_id: sessionId, name, email, used_at: usedAt } = found;
      if (nowMs() - Date.parse(timestampToIso(usedAt)) > USED_NOTED_EVERY_MS) {
        await repository.touch(database, sessionId, at);
      }
      return { id, sessionId, name, email };
    },

    /** Once a day a session that is used is prolonged. @returns the cookies to send */
    async prolong(from: From): Promise<string[]> {
      const headers = headersFrom({
        ...from,
        headers: onlyCookies(from.headers, [SESSION_COOKIE]),
      });
      const { api } = await auth();
      return (await called(api.getSession({ headers, returnHeaders: true }))).cookies;
    },

    /** @returns the cookies to send */
    async signOut(from: From): Promise<string[]> {
      const { api } = await auth();
      const headers = headersFrom(from);
      return (await called(api.signOut({ headers, returnHeaders: true }))).cookies;
    },

    async sessionsOf(personId: string) {
      const at = now();
      await repository.removeEnded(database, personId, at);
      const rows = await repository.listSessions(database, personId, at);
      return rows.map(({ id, created_at, updated_at, address, user_agent }) => ({
        ...{ id, address: address || null, user_agent: user_agent || null },
        created_at: timestampToIso(created_at),
        last_used_at: timestampToIso(updated_at),
      }));
    },

    /** @throws AppError 404 where the person has no such session */
    async endSession(personId: string, sessionId: string): Promise<void> {
      const isEnded =
        isUuid(sessionId) && (await repository.removeSession(database, personId, sessionId));
      if (!isEnded) throw notFound();
    },
  };
}
