import type { CampaignState } from '@leadwire/contract';
import { LRUCache } from 'lru-cache';
import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import { type Database, isUnavailable } from '../../platform/database/index.ts';
import { createGroup } from '../../platform/grouping/index.ts';
import { campaignNotFound } from './errors.ts';
import * as repository from './repository.ts';

export type Campaigns = ReturnType<typeof createCampaigns>;

type Deps = { database: Database; clock: Clock; newId: () => string };

const REMEMBERED = 50_000;

/** Campaigns of an account: created, started, paused, never deleted. */
export function createCampaigns({ database, clock, newId }: Deps) {
  // Only that a campaign exists is remembered: no campaign is ever deleted, so it can't become untrue.
  const known = new LRUCache<string, true>({ max: REMEMBERED });
  // Grouped: a batch may name a thousand campaigns that do not exist.
  const lookUps = createGroup({
    run: (campaigns: repository.CampaignReference[]) => repository.exist(database, campaigns),
    maxItems: 1000,
    maxInFlight: 2,
    maxWaiting: 20_000,
    failsWhole: isUnavailable,
  });

  const lookUp = (accountId: string, id: number): Promise<boolean> =>
    lookUps.add({ accountId, id });

  return {
    /** @returns the new campaign's id, counted from 1 in each account. */
    async create(accountId: string, name: string): Promise<{ id: number; account_id: string }> {
      const at = formatMicros(clock.nowMicros());
      const id = await repository.insert(database, { accountId, name, at });
      return { id, account_id: accountId };
    },

    /** Answers at once, without a promise, for a campaign that has been seen: this is on the path of every lead. */
    exists(accountId: string, id: number): true | Promise<boolean> {
      const key = `${accountId}/${id}`;
      if (known.get(key)) return true;
      return lookUp(accountId, id).then((found) => {
        if (found) known.set(key, true);
        return found;
      });
    },

    /**
     * Starts (active) or pauses a campaign; one that is in that state already is left alone and no event is written.
     * @throws AppError 404 where the account has no such campaign.
     */
    async setState(
      accountId: string,
      id: number,
      state: Exclude<CampaignState, 'draft'>,
    ): Promise<{ id: number; state: CampaignState; changed: boolean }> {
      const at = formatMicros(clock.nowMicros());
      const changed = await repository.setState(database, {
        accountId,
        id,
        state,
        at,
        eventId: newId(),
        eventType: state === 'active' ? 'campaign.started' : 'campaign.paused',
      });
      if (!changed && !(await lookUp(accountId, id))) {
        throw campaignNotFound(id);
      }
      return { id, state, changed };
    },
  };
}
