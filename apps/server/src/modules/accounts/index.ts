import { FEATURES, type Feature } from '@leadwire/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { formatMicros } from '../../platform/clock/index.ts';
import { type Database, timestampToIso } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { parseJson } from '../../platform/json/index.ts';
import { accountNotFound } from './errors.ts';
import { createInvitations } from './invitations.ts';
import { createMembers } from './members.ts';
import * as repository from './repository.ts';

export { memberNotFound } from './errors.ts';
export type { OpenInvitation } from './invitations.ts';
export type { AccountMember } from './members.ts';

export type Accounts = ReturnType<typeof createAccounts>;

type Deps = { database: Database; clock: Clock; newId: () => string };

export type AccountDetails = {
  id: string;
  name: string;
  createdAt: string;
  /** What this account has switched off. */
  featuresOff: Feature[];
};

/** Accounts, their feature flags, and who belongs to them. */
export function createAccounts(deps: Deps) {
  const { database, clock, newId } = deps;
  return {
    members: createMembers(deps),
    invitations: createInvitations(deps),

    /** @returns the id of the new account. */
    async create(name: string): Promise<{ id: string }> {
      const id = newId();
      await repository.insert(database, { id, name, at: formatMicros(clock.nowMicros()) });
      return { id };
    },

    /**
     * Makes the account `default` where there is none yet; several nodes may call it at once.
     * @returns its id where this call made it, else null.
     */
    async createDefaultOnce(): Promise<{ id: string } | null> {
      const id = newId();
      const at = formatMicros(clock.nowMicros());
      return (await repository.insertDefault(database, { id, at })) ? { id } : null;
    },

    /** @param reference an account's id, or `default`. @throws AppError 404 where there is none. */
    async resolve(reference: string): Promise<{ id: string }> {
      const id = await findId(database, reference);
      if (!id) throw accountNotFound(reference);
      return { id };
    },

    /** @throws AppError 404 */
    async get(accountId: string): Promise<AccountDetails> {
      const row = await repository.findDetails(database, accountId);
      if (!row) throw accountNotFound(accountId);
      const off = featuresOff(parseJson(row.features) as Record<string, unknown>);
      const { id, name, created_at } = row;
      return { id, name, createdAt: timestampToIso(created_at), featuresOff: off };
    },

    async rename(accountId: string, name: string): Promise<void> {
      await repository.rename(database, accountId, name);
    },

    async setFeature(accountId: string, feature: Feature, on: boolean): Promise<void> {
      await repository.setFeature(database, accountId, feature, on);
    },

    /** What is switched off for the account by itself. */
    async featuresOff(accountId: string): Promise<Feature[]> {
      return featuresOff(await repository.findFeatures(database, accountId));
    },
  };
}

async function findId(database: Database, reference: string): Promise<string | undefined> {
  if (reference === 'default') return repository.findDefault(database);
  return isUuid(reference) ? repository.findById(database, reference) : undefined;
}

/** The stored flags of an account as the set of features that are switched off. */
export const featuresOff = (stored: Record<string, unknown>): Feature[] =>
  FEATURES.filter((feature) => stored[feature] === false);
