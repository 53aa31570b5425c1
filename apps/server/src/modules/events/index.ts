import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/grouping/index.ts';
import { createFeed } from './feed.ts';
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
    registerRoutes(app: FastifyInstance): void {
      feedRoute(app, { feed, heavyRead });
    },
  };
}
