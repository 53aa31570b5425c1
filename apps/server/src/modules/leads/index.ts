import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/grouping/index.ts';
import { createBackgroundLane } from './background.ts';
import { createEdit } from './edit.ts';
import { createFindLead } from './find.ts';
import { createIngest, type IngestDeps } from './ingest.ts';
import { createPreview } from './preview.ts';
import { createReconcile } from './reconcile.ts';
import { findLeadsByTuple, type LeadTuple } from './repository/find.ts';
import { batchRoute } from './routes/batch.ts';
import { insertRoute } from './routes/insert.ts';
import { legacyRoute } from './routes/legacy.ts';
import { listRoute } from './routes/list.ts';
import { getRoute, historyRoute, patchRoute } from './routes/one.ts';
import { reconcileRoute } from './routes/reconcile.ts';
import { createLeadStore } from './store.ts';

export { type BackgroundLane, createBackgroundLane } from './background.ts';
export { createLeadDesk, type LeadDesk } from './desk.ts';
export { createExportLeads, type ExportLeads } from './export.ts';
export { EXPORTS, exportText } from './export-text.ts';
export type { LeadQuery } from './filter.ts';
export type { Ingest } from './ingest.ts';
export type { ConsentEvidence, Source } from './lead.ts';
export { readLeadInput } from './validate.ts';

export type Leads = ReturnType<typeof createLeads>;

type Deps = Omit<IngestDeps, 'store'> & {
  database: Database;
  observeBatch: (statement: string, rows: number) => void;
  onWritten: (accountId: string) => void;
  /** The queue that all lists share. */
  heavyRead: FairQueue;
};

/** Leads in and out: ingest, edit, find, and the routes on top of them. */
export function createLeads({ database, observeBatch, onWritten, heavyRead, ...deps }: Deps) {
  const store = createLeadStore({ database, observeBatch, onWritten });
  const ingest = createIngest({ ...deps, store });
  const find = createFindLead(store);
  const preview = createPreview({ ...deps, store });
  const findByTuple = (tuples: LeadTuple[]) => findLeadsByTuple(database, tuples);
  const reconcile = createReconcile({ findByTuple, heavyRead });
  const edit = createEdit({ ...deps, store, find });
  const background = createBackgroundLane({ ...deps, database, observeBatch, onWritten });
  return {
    ingest,
    background,
    edit,
    find,
    registerRoutes(
      app: FastifyInstance,
      routes: Pick<Parameters<typeof batchRoute>[1], 'admission' | 'onRowsRefused'>,
    ): void {
      insertRoute(app, { ingest, preview });
      batchRoute(app, { ingest, preview, ...routes });
      reconcileRoute(app, { reconcile, admission: routes.admission });
      listRoute(app, { database, heavyRead });
      getRoute(app, { find });
      patchRoute(app, { edit });
      historyRoute(app, { find, database, heavyRead });
      legacyRoute(app, { database, heavyRead });
    },
    /** Resolves when every write that was begun is done. */
    async idle(): Promise<void> {
      await Promise.all([store.idle(), background.idle()]);
    },
  };
}
