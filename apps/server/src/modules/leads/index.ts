import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/index.ts';
import { unavailable } from '../../platform/errors/index.ts';
import { createFairQueue, type FairQueue, QueueFullError } from '../../platform/grouping/index.ts';
import type { Admission } from '../admission/index.ts';
import { createEdit } from './edit.ts';
import { createFindLead } from './find.ts';
import { createIngest, type IngestDeps } from './ingest.ts';
import { batchRoute } from './routes/batch.ts';
import { insertRoute } from './routes/insert.ts';
import { legacyRoute } from './routes/legacy.ts';
import { listRoute } from './routes/list.ts';
import { getRoute, historyRoute, patchRoute } from './routes/one.ts';
import { createLeadStore } from './store.ts';

export type Leads = ReturnType<typeof createLeads>;

type Deps = Omit<IngestDeps, 'store'> & {
  database: Database;
  observeBatch: (statement: string, rows: number) => void;
  onWritten: (accountId: string) => void;
};

// Lists and counts of one account must not stand before the writes of others: they take at most half of the pool.
const HEAVY_READS = { maxInFlight: 6, maxInFlightEach: 3, maxWaitingEach: 200 };

/** Leads in and out: ingest, edit, find, and the routes on top of them. */
export function createLeads({ database, observeBatch, onWritten, ...deps }: Deps) {
  const store = createLeadStore({ database, observeBatch, onWritten });
  const ingest = createIngest({ ...deps, store });
  const find = createFindLead(store);
  const inQueue = createFairQueue(HEAVY_READS);
  const heavyRead: FairQueue = (account, work) =>
    inQueue(account, work).catch((error) => {
      throw error instanceof QueueFullError ? unavailable(error) : error;
    });
  const edit = createEdit({ ...deps, store, find });
  return {
    ingest,
    edit,
    find,
    registerRoutes(app: FastifyInstance, { admission }: { admission: Admission }): void {
      insertRoute(app, { ingest });
      batchRoute(app, { ingest, admission });
      listRoute(app, { database, heavyRead });
      getRoute(app, { find });
      patchRoute(app, { edit });
      historyRoute(app, { find, database, heavyRead });
      legacyRoute(app, { database, heavyRead });
    },
    /** Resolves when every write that was begun is done. */
    idle: () => store.idle(),
  };
}
