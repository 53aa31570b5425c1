import { createHmac, hkdfSync, randomBytes, randomUUID, scryptSync } from 'node:crypto';
import pg from 'pg';
import type { Env } from './cli.ts';

export type SeededPerson = {
  id: string;
  name: string;
  email: string;
  /** The header Cookie of a session that is signed in. */
  cookie: string;
};

/** One person of each role in `ours`; the stranger is the owner of `theirs`. All have SEEDED_PASSWORD. */
export type SeededPeople = Record<
  'owner' | 'admin' | 'member' | 'viewer' | 'stranger',
  SeededPerson
>;

export const SEEDED_PASSWORD = 'seven quiet lanterns';
const DAYS_30 = 30 * 24 * 60 * 60 * 1000;

/** Writes them into the store: by invitations each would cost a slow hash. */
export async function seedPeople(
  env: Env,
  accounts: { ours: string; theirs: string },
): Promise<SeededPeople> {
  const client = new pg.Client(env.DATABASE_URL);
  await client.connect();
  const make = (name: string, role: string, account = accounts.ours) =>
    insert(client, env.LEADWIRE_ENCRYPTION_KEY as string, { name, role, account });
  try {
    return {
      owner: await make('Olivia Owner', 'owner'),
      admin: await make('Adam Admin', 'admin'),
      member: await make('Mia Member', 'member'),
      viewer: await make('Victor Viewer', 'viewer'),
      stranger: await make('Stella Stranger', 'owner', accounts.theirs),
    };
  } finally {
    await client.end();
  }
}

async function insert(
  client: pg.Client,
  encryptionKey: string,
  { name, role, account }: { name: string; role: string; account: string },
): Promise<SeededPerson> {
  const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
  const id = randomUUID();
  const token = randomBytes(24).toString('base64url');
  await client.query(
    `INSERT INTO users (id, name, email, created_at, updated_at) VALUES ($1, $2, $3, now(), now())`,
    [id, name, email],
  );
  await client.query(
    `INSERT INTO user_credentials
       (id, user_id, provider, provider_user_id, password_hash, created_at, updated_at)
     VALUES ($1, $2, 'credential', $3, $4, now(), now())`,
    [randomUUID(), id, id, cheapHash(SEEDED_PASSWORD)],
  );
  await client.query(
    `INSERT INTO user_sessions (id, user_id, token, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, now(), now())`,
    [randomUUID(), id, token, new Date(Date.now() + DAYS_30)],
  );
  await client.query(
    `INSERT INTO members (account_id, person_id, role, joined_at) VALUES ($1, $2, $3, now())`,
    [account, id, role],
  );
  return { id, name, email, cookie: sessionCookie(encryptionKey, token) };
}

/** The cost of a password is stored with it: one that is tried often in tests has a low one. */
function cheapHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 });
  return ['scrypt', 1024, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** The cookie as the service signs it: HMAC-SHA256 with a key that HKDF derives from its encryption key. */
export function sessionCookie(encryptionKey: string, token: string): string {
  const key = hkdfSync('sha256', Buffer.from(encryptionKey, 'base64'), '', 'leadwire sign-in', 32);
  const secret = Buffer.from(key).toString('base64url');
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `leadwire.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}
