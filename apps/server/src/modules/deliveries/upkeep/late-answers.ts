import { formatMicros } from '../../../platform/clock/index.ts';
import { type Database, timestampToIso } from '../../../platform/database/index.ts';
import { idsOfLead } from '../../events/index.ts';
import { forgetAnswers } from '../log/of-events.ts';
import { findErasedLeads } from './repository/erased-leads.ts';

// Several rounds of upkeep, one of which may fail.
const LOOKS_BACK_MS = 60 * 60_000;
// A body is remembered for 5 seconds, an exchange takes 15 at most; the rest is for clocks that differ.
const UNDER_WAY_MS = 60_000;

/** Blanks the answers to requests that were under way while their lead was erased: they were stored after it. */
export async function forgetLateAnswers(database: Database, nowMs: number): Promise<void> {
  const since = formatMicros((nowMs - LOOKS_BACK_MS) * 1000);
  for (const lead of await findErasedLeads(database, since)) {
    const key = { accountId: lead.account_id, leadId: lead.id };
    const underWayUntilMs = Date.parse(timestampToIso(lead.erased_at)) + UNDER_WAY_MS;
    const startedBefore = formatMicros(underWayUntilMs * 1000);
    const eventIds = await idsOfLead(database.query, key);
    await forgetAnswers(database.query, key.accountId, eventIds, startedBefore);
  }
}
