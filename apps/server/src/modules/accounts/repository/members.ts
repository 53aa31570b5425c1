import type { Role } from '@leadwire/contract/dashboard';
import type { Database, TimestampText } from '../../../platform/database/index.ts';

type Query = Database['query'];

export type MemberRow = { person_id: string; role: Role; joined_at: TimestampText };
export type MembershipRow = { account_id: string; account_name: string; role: Role };

/** Those who change who may do what in an account do so one after the other. */
export async function lockAccount(query: Query, accountId: string): Promise<void> {
  await query({
    text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
    values: [accountId],
  });
}

export async function findRole(
  query: Query,
  accountId: string,
  personId: string,
): Promise<Role | null> {
  const [row] = await query<{ role: Role }>({
    name: 'members-role',
    text: 'SELECT role FROM members WHERE account_id = $1 AND person_id = $2',
    values: [accountId, personId],
  });
  return row?.role ?? null;
}

export async function countOwners(query: Query, accountId: string): Promise<number> {
  const [row] = await query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM members WHERE account_id = $1 AND role = 'owner'`,
    values: [accountId],
  });
  return row?.count ?? 0;
}

export async function listMembers(query: Query, accountId: string): Promise<MemberRow[]> {
  return query<MemberRow>({
    text: `SELECT person_id, role, joined_at FROM members WHERE account_id = $1
           ORDER BY joined_at, person_id`,
    values: [accountId],
  });
}

export async function membershipsOf(query: Query, personId: string): Promise<MembershipRow[]> {
  return query<MembershipRow>({
    text: `SELECT a.id AS account_id, a.name AS account_name, m.role
           FROM members m, accounts a WHERE m.person_id = $1 AND a.id = m.account_id
           ORDER BY m.joined_at, a.id`,
    values: [personId],
  });
}

/** @returns false where the person is a member already. */
export async function insertMember(
  query: Query,
  member: { accountId: string; personId: string; role: Role; at: string },
): Promise<boolean> {
  const rows = await query({
    text: `INSERT INTO members (account_id, person_id, role, joined_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (account_id, person_id) DO NOTHING RETURNING person_id`,
    values: [member.accountId, member.personId, member.role, member.at],
  });
  return rows.length > 0;
}

export async function setRole(
  query: Query,
  accountId: string,
  personId: string,
  role: Role,
): Promise<void> {
  await query({
    text: 'UPDATE members SET role = $3 WHERE account_id = $1 AND person_id = $2',
    values: [accountId, personId, role],
  });
}

export async function removeMember(
  query: Query,
  accountId: string,
  personId: string,
): Promise<void> {
  await query({
    text: 'DELETE FROM members WHERE account_id = $1 AND person_id = $2',
    values: [accountId, personId],
  });
}
