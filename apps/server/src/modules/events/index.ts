import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/index.ts';
import { unavailable } from '../../platform/errors/index.ts';
import { createFairQueue, type FairQueue, QueueFullError } from '../../platform/grouping/index.ts';
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

export type Events = ReturnType<typeof createEvents>;

// Beside the lists of leads, and like them not before the writes of others.
const HEAVY_READS = { maxInFlight: 3, maxInFlightEach: 2, maxWaitingEach: 200 };

/** What happened, for those who ask: the event feed. */
export function createEvents({ database }: { database: Database }) {
  const feed = createFeed(database);
  const inQueue = createFairQueue(HEAVY_READS);
  const heavyRead: FairQueue = (account, work) =>
    inQueue(account, work).catch((error) => {
      throw error instanceof QueueFullError ? unavailable(error) : error;
    });
  return {
    registerRoutes(app: FastifyInstance): void {
      feedRoute(app, { feed, heavyRead });
    },
  };
}
