import type { Role } from '@leadwire/contract/dashboard';
import type { Database, TimestampText } from '../../../platform/database/index.ts';

type Query = Database['query'];

export type InvitationRow = {
  id: string;
  email: string | null;
  role: Role;
  invited_by: string | null;
  created_at: TimestampText;
  expires_at: TimestampText | null;
};

export type NewInvitation = {
  accountId: string;
  id: string;
  tokenHash: Buffer;
  email: string | null;
  role: Role;
  invitedBy: string | null;
  at: string;
  expiresAt: string | null;
};

/** Which roles may invite: a link is good as long as who made it is a member with one of them. */
export type Inviters = { anybody: readonly Role[]; owners: readonly Role[] };

/** That who invited still may; those of the command line and of the first start were invited by nobody. */
const isBackedBy = (anybody: string, owners: string) => `(i.invited_by IS NULL OR EXISTS (
    SELECT FROM members m WHERE m.account_id = i.account_id AND m.person_id = i.invited_by
      AND m.role = ANY(CASE i.role WHEN 'owner' THEN ${owners}::text[] ELSE ${anybody}::text[] END)))`;

export async function insertInvitation(query: Query, one: NewInvitation): Promise<void> {
  await query({
    text: `INSERT INTO invitations
             (account_id, id, token_hash, email, role, invited_by, created_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (account_id, id) DO NOTHING`,
    values: [
      ...[one.accountId, one.id, one.tokenHash, one.email, one.role],
      ...[one.invitedBy, one.at, one.expiresAt],
    ],
  });
}

/** Those that can still be accepted, the newest first. */
export async function listOpen(
  query: Query,
  accountId: string,
  now: string,
  { anybody, owners }: Inviters,
): Promise<InvitationRow[]> {
  return query<InvitationRow>({
    text: `SELECT i.id, i.email, i.role, i.invited_by, i.created_at, i.expires_at FROM invitations i
           WHERE i.account_id = $1 AND i.accepted_at IS NULL
             AND (i.expires_at IS NULL OR i.expires_at > $2) AND ${isBackedBy('$3', '$4')}
           ORDER BY i.created_at DESC, i.id DESC`,
    values: [accountId, now, anybody, owners],
  });
}

/** Removes one that was not accepted, of one of these roles. @returns false where there is none. */
export async function removeOpen(
  query: Query,
  accountId: string,
  id: string,
  roles: readonly Role[],
): Promise<boolean> {
  const rows = await query({
    text: `DELETE FROM invitations WHERE account_id = $1 AND id = $2 AND accepted_at IS NULL
             AND role = ANY($3::text[]) RETURNING id`,
    values: [accountId, id, roles],
  });
  return rows.length > 0;
}

type Found = {
  account_id: string;
  account_name: string;
  role: Role;
  email: string | null;
  expires_at: TimestampText | null;
};

/** The open invitation of a link: it is the link that tells the account. */
export async function findByToken(
  query: Query,
  tokenHash: Buffer,
  now: string,
  { anybody, owners }: Inviters,
): Promise<Found | undefined> {
  const [row] = await query<Found>({
    text: `SELECT i.account_id, a.name AS account_name, i.role, i.email, i.expires_at
           FROM invitations i, accounts a
           WHERE i.token_hash = $1 AND i.accepted_at IS NULL
             AND (i.expires_at IS NULL OR i.expires_at > $2) AND a.id = i.account_id
             AND ${isBackedBy('$3', '$4')}`,
    values: [tokenHash, now, anybody, owners],
  });
  return row;
}

/** Of several who accept one link at once this finds a row for the first. */
export async function acceptByToken(
  query: Query,
  tokenHash: Buffer,
  person: { id: string; email: string },
  now: string,
  { anybody, owners }: Inviters,
): Promise<{ account_id: string; role: Role } | undefined> {
  const [row] = await query<{ account_id: string; role: Role }>({
    text: `UPDATE invitations i SET accepted_at = $2, accepted_by = $3
           WHERE i.token_hash = $1 AND i.accepted_at IS NULL
             AND (i.expires_at IS NULL OR i.expires_at > $2)
             AND (i.email IS NULL OR i.email = $4) AND ${isBackedBy('$5', '$6')}
           RETURNING i.account_id, i.role`,
    values: [tokenHash, now, person.id, person.email, anybody, owners],
  });
  return row;
}
