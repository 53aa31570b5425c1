import { FEATURES, type Feature } from '@leadwire/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { formatMicros } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { accountNotFound } from './errors.ts';
import * as repository from './repository.ts';

export type Accounts = ReturnType<typeof createAccounts>;

type Deps = { database: Database; clock: Clock; newId: () => string };

/** Accounts and their feature flags. */
export function createAccounts({ database, clock, newId }: Deps) {
  return {
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

    async setFeature(accountId: string, feature: Feature, on: boolean): Promise<void> {
      await repository.setFeature(database, accountId, feature, on);
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
