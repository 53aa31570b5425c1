import { hash, randomBytes } from 'node:crypto';
import type { Role } from '@leadwire/contract/dashboard';
import { may, ROLES } from '@leadwire/contract/dashboard';
import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import { createToken, isWellFormedToken } from '../../platform/crypto/index.ts';
import { type Database, timestampToIso } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import {
  invitationForAnother,
  invitationInvalid,
  invitationNotFound,
  memberAlready,
  ownersAreForOwners,
} from './errors.ts';
import * as repository from './repository/invitations.ts';
import { insertMember } from './repository/members.ts';

const PREFIX = 'lwjoin';
const TOKEN_LENGTH = 43;
// Whose links are good: as soon as they may not invite any more, no link of theirs lets anybody in, themselves included.
const INVITERS: repository.Inviters = {
  anybody: ROLES.filter((role) => may(role, 'members.change')),
  owners: ROLES.filter((role) => may(role, 'owners.change')),
};
const VALID_MICROS = 7 * 24 * 60 * 60 * 1_000_000;

type Query = Database['query'];
type Joining = { id: string; email: string };
type Deps = { database: Database; clock: Clock; newId: () => string };

export type OpenInvitation = {
  id: string;
  email: string | null;
  role: Role;
  /** The id of a person; null where the command line or the first start made it. */
  invitedBy: string | null;
  createdAt: string;
  /** Null: until it is used. */
  expiresAt: string | null;
};

/** Who holds an invitation's token may join once. Only a hash of it is stored. */
export function createInvitations({ database, clock, newId }: Deps) {
  const { query } = database;
  const now = () => formatMicros(clock.nowMicros());

  /**
   * Makes a person a member by their link, within a transaction of the caller's: it is rolled back where this throws.
   * @throws AppError 410, 403 for another address, 409 for a member
   */
  async function accept(
    query: Query,
    token: string,
    person: Joining,
  ): Promise<{ accountId: string }> {
    const at = now();
    const accepted = isToken(token)
      ? await repository.acceptByToken(query, hashOf(token), person, at, INVITERS)
      : undefined;
    if (!accepted) {
      await open(query, token, at);
      throw invitationForAnother();
    }
    const { account_id: accountId, role } = accepted;
    const isNew = await insertMember(query, { accountId, personId: person.id, role, at });
    if (!isNew) throw memberAlready();
    return { accountId };
  }

  return {
    /**
     * @param one `email`: for this address alone; null: for whoever has the link. `invitedBy` null: made by an operator.
     * @returns the token, which is shown here and never again. @throws AppError 403 where somebody else than an owner invites one
     */
    async create(one: {
      accountId: string;
      role: Role;
      email: string | null;
      invitedBy: { id: string; role: Role } | null;
      /** A link that is good until it is used. */
      forever?: boolean;
    }): Promise<{ invitation: OpenInvitation; token: string }> {
      const { accountId, role, invitedBy } = one;
      if (role === 'owner' && invitedBy && invitedBy.role !== 'owner') throw ownersAreForOwners();
      const token = createToken(PREFIX, TOKEN_LENGTH, randomBytes);
      const micros = clock.nowMicros();
      const invitation = {
        id: newId(),
        email: one.email?.toLowerCase() ?? null,
        role,
        invitedBy: invitedBy?.id ?? null,
        createdAt: formatMicros(micros),
        expiresAt: one.forever ? null : formatMicros(micros + VALID_MICROS),
      };
      const { createdAt: at, ...rest } = invitation;
      await repository.insertInvitation(query, {
        ...rest,
        ...{ accountId, at, tokenHash: hashOf(token) },
      });
      return { invitation, token };
    },

    async list(accountId: string): Promise<OpenInvitation[]> {
      return (await repository.listOpen(query, accountId, now(), INVITERS)).map(shown);
    },

    /** @throws AppError 404; an owner's invitation is for owners to withdraw */
    async withdraw(accountId: string, asker: { role: Role }, id: string): Promise<void> {
      const roles = asker.role === 'owner' ? ROLES : ROLES.filter((role) => role !== 'owner');
      const isGone = isUuid(id) && (await repository.removeOpen(query, accountId, id, roles));
      if (!isGone) throw invitationNotFound();
    },

    /** What the holder of a link may see. @throws AppError 410 */
    async show(token: string) {
      const found = await open(query, token, now());
      return {
        accountName: found.account_name,
        role: found.role,
        email: found.email,
        expiresAt: found.expires_at && timestampToIso(found.expires_at),
      };
    },

    accept,

    /** The same in a transaction of its own. */
    acceptAlone: (token: string, person: Joining) =>
      database.transaction((query) => accept(query, token, person)),
  };
}

const isToken = (token: string): boolean => isWellFormedToken(token, PREFIX);
const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');

async function open(query: Query, token: string, now: string) {
  const found = isToken(token)
    ? await repository.findByToken(query, hashOf(token), now, INVITERS)
    : undefined;
  if (!found) throw invitationInvalid();
  return found;
}

const shown = (row: repository.InvitationRow): OpenInvitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  createdAt: timestampToIso(row.created_at),
  expiresAt: row.expires_at && timestampToIso(row.expires_at),
});
