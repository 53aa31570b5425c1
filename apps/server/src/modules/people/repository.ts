import type { Database } from '../../platform/database/index.ts';

type Query = Database['query'];

export type PersonRow = { id: string; name: string; email: string; second_factor: boolean };

export type SessionRow = {
  id: string;
  created_at: string;
  updated_at: string;
  address: string | null;
  user_agent: string | null;
};

type SessionOwner = {
  id: string;
  session_id: string;
  name: string;
  email: string;
  used_at: string;
};

/** Who a session's token belongs to, where it has not ended. */
export async function findByToken(
  { query }: Database,
  token: string,
  now: string,
): Promise<SessionOwner | undefined> {
  const [row] = await query<SessionOwner>({
    name: 'people-by-token',
    text: `SELECT u.id, s.id AS session_id, u.name, u.email, s.updated_at AS used_at
           FROM user_sessions s, users u WHERE s.token = $1 AND s.expires_at > $2 AND u.id = s.user_id`,
    values: [token, now],
  });
  return row;
}

/** Notes that a session is used. */
export async function touch({ query }: Database, sessionId: string, now: string): Promise<void> {
  await query({
    text: 'UPDATE user_sessions SET updated_at = $2 WHERE id = $1 AND updated_at < $2',
    values: [sessionId, now],
  });
}

export async function findByIds({ query }: Database, ids: string[]): Promise<PersonRow[]> {
  return query<PersonRow>({
    text: 'SELECT id, name, email, second_factor FROM users WHERE id = ANY($1::uuid[])',
    values: [ids],
  });
}

export async function findByEmail(
  { query }: Database,
  email: string,
): Promise<PersonRow | undefined> {
  const [row] = await query<PersonRow>({
    text: 'SELECT id, name, email, second_factor FROM users WHERE email = $1',
    values: [email],
  });
  return row;
}

/** @returns false where the address is taken. */
export async function insert(
  query: Query,
  person: { id: string; name: string; email: string; at: string },
  credential: { id: string; passwordHash: string },
): Promise<boolean> {
  const { id, name, email, at } = person;
  const rows = await query({
    text: `WITH person AS (
             INSERT INTO users (id, name, email, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
             ON CONFLICT (email) DO NOTHING RETURNING id
           )
           INSERT INTO user_credentials
             (id, user_id, provider, provider_user_id, password_hash, created_at, updated_at)
           SELECT $5, id, 'credential', id::text, $6, $4, $4 FROM person RETURNING id`,
    values: [id, name, email, at, credential.id, credential.passwordHash],
  });
  return rows.length > 0;
}

export async function rename(
  { query }: Database,
  { id, name, at }: { id: string; name: string; at: string },
): Promise<void> {
  await query({
    text: 'UPDATE users SET name = $2, updated_at = $3 WHERE id = $1',
    values: [id, name, at],
  });
}

/** Those that have not ended, the last used first. */
export async function listSessions(
  { query }: Database,
  personId: string,
  now: string,
): Promise<SessionRow[]> {
  return query<SessionRow>({
    text: `SELECT id, created_at, updated_at, address, user_agent FROM user_sessions
           WHERE user_id = $1 AND expires_at > $2 ORDER BY updated_at DESC, id`,
    values: [personId, now],
  });
}

/** @returns false where the person has no such session. */
export async function removeSession(
  { query }: Database,
  personId: string,
  sessionId: string,
): Promise<boolean> {
  const rows = await query({
    text: 'DELETE FROM user_sessions WHERE user_id = $1 AND id = $2 RETURNING id',
    values: [personId, sessionId],
  });
  return rows.length > 0;
}

export async function removeByToken({ query }: Database, token: string): Promise<void> {
  await query({ text: 'DELETE FROM user_sessions WHERE token = $1', values: [token] });
}

/** Removes the sessions of a person that are over. */
export async function removeEnded(
  { query }: Database,
  personId: string,
  now: string,
): Promise<void> {
  await query({
    text: 'DELETE FROM user_sessions WHERE user_id = $1 AND expires_at < $2',
    values: [personId, now],
  });
}

/** Removes a person's links to reset their password and the sign-ins of theirs that wait for a code. */
export async function removeVerifications({ query }: Database, personId: string): Promise<void> {
  await query({ text: 'DELETE FROM user_verifications WHERE value = $1', values: [personId] });
}

/** @returns false where there is no such person. */
export async function removeSecondFactor(
  { query }: Database,
  email: string,
  now: string,
): Promise<boolean> {
  const rows = await query({
    text: `WITH person AS (
             UPDATE users SET second_factor = false, updated_at = $2 WHERE email = $1 RETURNING id
           ), removed AS (
             DELETE FROM user_second_factors f USING person WHERE f.user_id = person.id
           )
           SELECT id FROM person`,
    values: [email, now],
  });
  return rows.length > 0;
}
