import type { Membership, Role } from '@leadwire/contract/dashboard';
import { type Database, timestampToIso } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { lastOwner, memberNotFound, ownersAreForOwners } from './errors.ts';
import * as repository from './repository/members.ts';

type Query = Database['query'];

export type AccountMember = { personId: string; role: Role; joinedAt: string };

export type Members = ReturnType<typeof createMembers>;

/** Who belongs to an account, and as what. An account that has an owner never loses its last one. */
export function createMembers({ database }: { database: Database }) {
  const { query } = database;

  /** Changes come one after the other, each seeing what the one before left. */
  const inTurn = <T>(accountId: string, work: (query: Query) => Promise<T>): Promise<T> =>
    database.transaction(async (query) => {
      await repository.lockAccount(query, accountId);
      return work(query);
    });

  return {
    /** Asked of the store each time: who is removed is out at once. Null for who is no member, or no such account. */
    async roleOf(accountId: string, personId: string): Promise<Role | null> {
      if (!isUuid(accountId)) return null;
      return repository.findRole(query, accountId, personId);
    },

    /** The accounts of a person, in the order they joined. */
    membershipsOf: (personId: string): Promise<Membership[]> =>
      repository.membershipsOf(query, personId),

    async list(accountId: string): Promise<AccountMember[]> {
      return (await repository.listMembers(query, accountId)).map(shown);
    },

    /** @throws AppError 404, 403 where an owner is concerned and the asker is none, 409 for the last owner */
    async changeRole(
      accountId: string,
      { askerId, personId, role }: { askerId: string; personId: string; role: Role },
    ): Promise<void> {
      await inTurn(accountId, async (query) => {
        const before = await roleToTouch(query, accountId, { askerId, personId });
        if (before === role) return;
        if (role === 'owner' && !(await isOwner(query, accountId, askerId))) {
          throw ownersAreForOwners();
        }
        if (before === 'owner') await keepAnOwner(query, accountId);
        await repository.setRole(query, accountId, personId, role);
      });
    },

    /** @throws AppError 404, 403 where an owner is removed and the asker is none, 409 for the last owner */
    async remove(
      accountId: string,
      { askerId, personId }: { askerId: string; personId: string },
    ): Promise<void> {
      await inTurn(accountId, async (query) => {
        const before = await roleToTouch(query, accountId, { askerId, personId });
        if (before === 'owner') await keepAnOwner(query, accountId);
        await repository.removeMember(query, accountId, personId);
      });
    },
  };
}

const shown = ({ person_id, role, joined_at }: repository.MemberRow): AccountMember => ({
  personId: person_id,
  role,
  joinedAt: timestampToIso(joined_at),
});

/** The role of a member that the asker may change; their own anybody may give up. */
async function roleToTouch(
  query: Query,
  accountId: string,
  { askerId, personId }: { askerId: string; personId: string },
): Promise<Role> {
  const role = isUuid(personId) ? await repository.findRole(query, accountId, personId) : null;
  if (!role) throw memberNotFound();
  const isOwnRole = askerId === personId;
  if (role === 'owner' && !isOwnRole && !(await isOwner(query, accountId, askerId))) {
    throw ownersAreForOwners();
  }
  return role;
}

const isOwner = async (query: Query, accountId: string, personId: string): Promise<boolean> =>
  (await repository.findRole(query, accountId, personId)) === 'owner';

async function keepAnOwner(query: Query, accountId: string): Promise<void> {
  if ((await repository.countOwners(query, accountId)) < 2) throw lastOwner();
}
