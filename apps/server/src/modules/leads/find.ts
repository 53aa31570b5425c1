import { isUuid } from '../../platform/ids/index.ts';
import type { StoredLead } from './lead.ts';
import type { LeadStore } from './store.ts';

const MAX_EXTERNAL_ID = 255;

export type FindLead = (accountId: string, reference: string) => Promise<StoredLead | null>;

/** Finds a lead by its UUID or the partner's id; the UUID wins. Null where the account has none. */
export function createFindLead(store: LeadStore): FindLead {
  return async (accountId, reference) => {
    if (!isPossible(reference)) return null;
    const byId = isUuid(reference) ? await store.findById({ accountId, reference }) : null;
    return byId ?? store.findByExternalId({ accountId, reference });
  };
}

const isPossible = (reference: string): boolean =>
  reference.length <= MAX_EXTERNAL_ID * 2 && !/\p{Cc}/u.test(reference) && reference.isWellFormed();
