import { createIngest, type Ingest, type IngestDeps } from './ingest.ts';
import type { LeadTuple } from './repository/find.ts';
import { createLeadStore } from './store.ts';

export type BackgroundLane = {
  /** The same ingest as that of the API. */
  ingest: Ingest;
  isKnown(tuple: LeadTuple): Promise<boolean>;
  /** Resolves when every write that was begun is done. */
  idle(): Promise<void>;
};

type Deps = Omit<IngestDeps, 'store'> & Omit<Parameters<typeof createLeadStore>[0], 'maxInFlight'>;

/** For leads that come by the thousand: a lane of their own into the store, one statement at a time, so that no post stands behind them. */
export function createBackgroundLane(deps: Deps): BackgroundLane {
  const store = createLeadStore({ ...deps, maxInFlight: 1 });
  return {
    ingest: createIngest({ ...deps, store }),
    isKnown: async (tuple) => (await store.findByTuple(tuple)) !== null,
    idle: () => store.idle(),
  };
}
