import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { notFound } from '../../platform/errors/index.ts';
import { conflictWith } from './errors.ts';
import type { Source } from './lead.ts';
import { blankValues, personalFieldsOf, withoutPerson } from './person.ts';
import { eraseLead } from './repository/erase.ts';
import { findSeenLead, type SeenLead } from './repository/shown.ts';

type LeadKey = { accountId: string; leadId: string };

type Deps = {
  database: Database;
  clock: Clock;
  newId: () => string;
  /** Blanks what endpoints answered to deliveries of the lead: they may have sent back what they were told. */
  forgetAnswers: (query: Database['query'], lead: LeadKey) => Promise<void>;
  onWritten: (accountId: string) => void;
};

export type Erase = (lead: LeadKey & { version: number }, source: Source) => Promise<SeenLead>;

/**
 * Erases a person's data on request: from the lead, from every audit record of it and from what endpoints answered, in one
 * transaction; that it was done, by whom and when is added. Of a lead that is erased already nothing is written.
 * @throws AppError 404; 409 with the lead as it is now where `version` is not the lead's
 */
export function createErase({ database, clock, newId, ...deps }: Deps): Erase {
  return async ({ accountId, leadId, version }, source) => {
    const key = { accountId, leadId };
    const stored = await findSeenLead(database, key);
    if (!stored) throw notFound();
    if (stored.erasedAt !== null) return stored;
    if (stored.version !== version) throw conflictWith(stored);
    const at = formatMicros(clock.nowMicros());
    const lead = { ...withoutPerson(stored.lead), updated_at: at };
    const erased = personalFieldsOf(stored.lead);
    const beforeJson = JSON.stringify(blankValues(erased));
    const done = await database.transaction(async (query) => {
      const erasure = { lead, expectedVersion: version, eventId: newId(), erased, beforeJson };
      if (!(await eraseLead(query, { ...erasure, source }))) return false;
      await deps.forgetAnswers(query, key);
      return true;
    });
    if (done) {
      deps.onWritten(accountId);
      return { lead, version: version + 1, erasedAt: at };
    }
    const now = await findSeenLead(database, key);
    if (!now) throw notFound();
    if (now.erasedAt !== null) return now;
    throw conflictWith(now);
  };
}
