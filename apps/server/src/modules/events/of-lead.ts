import type { EventType } from '@leadwire/contract';
import { type Database, timestampToIso } from '../../platform/database/index.ts';
import { listOfLead } from './repository/of-lead.ts';

/** An event of one lead, by its UUID. `version`: of the lead, which the event tells of. */
export type LeadEvent = { id: string; type: EventType; at: string; version: number };

/** The events of some versions of a lead, newest first; a version has two at most. */
export async function eventsOfLead(
  database: Database,
  lead: { accountId: string; leadId: string },
  versions: { from: number; to: number },
): Promise<LeadEvent[]> {
  const rows = await listOfLead(database, lead, versions);
  return rows.map((row) => ({
    id: row.id,
    type: row.type as EventType,
    at: timestampToIso(row.occurred_at),
    version: row.lead_version,
  }));
}
