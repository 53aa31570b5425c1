import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/grouping/index.ts';
import { createFeed } from './feed.ts';
import { eventsOfLead, type LeadEvent } from './of-lead.ts';
import { idsOfLead } from './repository/of-lead.ts';
import { feedRoute } from './routes.ts';

export {
  composeEvent,
  EVENT_COLUMNS,
  EVENT_FACTS,
  type EventRow,
  eventIdOf,
  parseEventId,
} from './body.ts';
export { campaignEventCtes, leadEventCtes } from './ctes.ts';
export type { LeadEvent } from './of-lead.ts';
export { idsOfLead } from './repository/of-lead.ts';
export { renumberRestoredEvents } from './restored.ts';

export type Events = ReturnType<typeof createEvents>;

/** What happened, for those who ask: the event feed. */
export function createEvents({
  database,
  heavyRead,
}: {
  database: Database;
  heavyRead: FairQueue;
}) {
  const feed = createFeed(database);
  return {
    /** The events of some versions of a lead, newest first. */
    ofLead: (
      lead: { accountId: string; leadId: string },
      versions: { from: number; to: number },
    ): Promise<LeadEvent[]> => eventsOfLead(database, lead, versions),
    /** The UUIDs of all events of a lead, oldest first, as the transaction of `query` sees them. */
    idsOfLead,
    registerRoutes(app: FastifyInstance): void {
      feedRoute(app, { feed, heavyRead });
    },
  };
}
