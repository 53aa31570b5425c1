import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { createGathering } from './gathering.ts';
import { readOverview } from './overview.ts';
import { readExtent } from './repository/read.ts';
import { addTallies } from './repository/tallies.ts';
import { readSeriesOf, readTotalsOf } from './series.ts';

export { leadTallyCte } from './ctes.ts';
export type { Series } from './series.ts';
export { latencyBucket, type Metric, type Tally } from './tally.ts';
export { createStatisticsWorker } from './worker.ts';

const FLUSH_EVERY_MS = 1_000;

type Deps = {
  database: Database;
  /** Writes tallies; its commits may be lost. */
  writes: Database;
  clock: Pick<Clock, 'nowMs'>;
  log: { warn(details: object, message: string): void };
};

/** The figures of an account: counted as things happen, read without a look at what is counted (ADR 0017). */
export function createStatistics({ database, writes, clock, log }: Deps) {
  const deps = { database, clock };
  const gathering = createGathering({ clock, log, write: (all) => addTallies(writes, all) });
  const timer = setInterval(() => void gathering.flush(), FLUSH_EVERY_MS).unref();
  return {
    /** Counts what writes nothing by itself; shown a second later. Never throws and never waits. */
    tally: gathering.tally,
    /** Steps of a range that ends now, of one subject or of all. */
    series: (asked: Parameters<typeof readSeriesOf>[1]) => readSeriesOf(deps, asked),
    /** Leads by campaign id: ever, and in the last 24 hours; a campaign without leads is missing. */
    campaignTotals: (accountId: string) => readTotalsOf(deps, accountId),
    overview: (asked: Parameters<typeof readOverview>[1]) => readOverview(deps, asked),
    /** A number by metric that rises with every change of its figures. */
    extent: (accountId: string) => readExtent(database, accountId),
    /** Writes what is gathered so far. */
    flush: gathering.flush,
    /** The same for the last time. */
    async close(): Promise<void> {
      clearInterval(timer);
      await gathering.flush();
      await gathering.flush();
    },
  };
}

export type Statistics = ReturnType<typeof createStatistics>;
