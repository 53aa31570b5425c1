import type { CampaignState } from '@leadwire/contract';
import { LRUCache } from 'lru-cache';
import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import { type Database, isUnavailable, timestampToIso } from '../../platform/database/index.ts';
import { invalid } from '../../platform/errors/index.ts';
import { createGroup } from '../../platform/grouping/index.ts';
import { isStorable, NOT_STORABLE } from '../../platform/validation/index.ts';
import { campaignNotFound } from './errors.ts';
import * as repository from './repository.ts';

export type Campaign = {
  id: number;
  name: string;
  state: CampaignState;
  created_at: string;
  updated_at: string;
};

type StateToSet = Exclude<CampaignState, 'draft'>;

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

  /** @throws AppError 404 where the account has no such campaign; 400 for a name that cannot be stored */
  async function change(
    accountId: string,
    id: number,
    { name, state }: { name?: string | undefined; state?: StateToSet | undefined },
  ): Promise<Campaign & { moved: boolean }> {
    const row = await repository.change(database, {
      ...{ accountId, id, state: state ?? null, eventId: newId() },
      name: name === undefined ? null : readName(name),
      at: formatMicros(clock.nowMicros()),
      eventType: state === 'paused' ? 'campaign.paused' : 'campaign.started',
    });
    const found = row ?? (await repository.find(database, { accountId, id }));
    if (!found) throw campaignNotFound(id);
    return { ...toCampaign(found), moved: row?.moved ?? false };
  }

  return {
    /** Numbered from 1 in each account; begins as a draft. @throws AppError 400 for a name that cannot be stored */
    async create(accountId: string, name: string): Promise<Campaign & { account_id: string }> {
      const at = formatMicros(clock.nowMicros());
      const row = await repository.insert(database, { accountId, name: readName(name), at });
      return { ...toCampaign(row), account_id: accountId };
    },

    /** Newest first. */
    async list(accountId: string): Promise<Campaign[]> {
      return (await repository.list(database, accountId)).map(toCampaign);
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
     * Renames, starts (active) or pauses a campaign, all at once. What it is already is left alone; `moved`: the state is another
     * now, of which partners are told by an event.
     */
    change,

    /** Starts or pauses a campaign. @throws AppError 404 where the account has no such campaign. */
    async setState(
      accountId: string,
      id: number,
      state: StateToSet,
    ): Promise<{ id: number; state: CampaignState; changed: boolean }> {
      const { moved } = await change(accountId, id, { state });
      return { id, state, changed: moved };
    },
  };
}

function readName(text: string): string {
  const name = text.trim();
  const refuse = (code: string, what: string) =>
    invalid([{ path: 'name', code, message: `name ${what}` }]);
  if (name === '') throw refuse('empty', 'must not be empty');
  if (!isStorable(name)) throw refuse('invalid_characters', NOT_STORABLE);
  return name;
}

const toCampaign = (row: repository.CampaignRow): Campaign => ({
  id: row.id,
  name: row.name,
  state: row.state,
  created_at: timestampToIso(row.created_at),
  updated_at: timestampToIso(row.updated_at),
});
