import type { Clock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { findDeletedQueues, removeWaiting } from './repository/cleanup.ts';
import {
  countDead,
  type QueueFigures,
  readQueueFigures,
  vacuumQueue,
} from './repository/gauges.ts';

type Deps = {
  database: Database;
  clock: Clock;
  report: (figures: { waiting: number; oldestDueSeconds: number; failing: number }) => void;
};

const CHUNK = 5_000;
const MANY_DEAD = 20_000;

/** Keeps the queue small, and tells how it does. */
export function createQueueCare({ database, clock, report }: Deps) {
  let deadLeft = 0;

  async function removeDeleted(isStopped: () => boolean) {
    const queues = await findDeletedQueues(database);
    if (queues.length === 0) return;
    for (let removed = CHUNK; removed === CHUNK && !isStopped(); ) {
      removed = await removeWaiting(database, queues, CHUNK);
    }
  }

  /**
   * Finished deliveries leave dead rows that every look at the queue steps over, and autovacuum comes once a minute at most: at 30,000
   * deliveries a second it was three times slower by then. What a vacuum cannot take away, because somebody still
   * sees it, it does not come back for at once.
   */
  async function vacuum() {
    if ((await countDead(database)) < MANY_DEAD + 2 * deadLeft) return;
    await vacuumQueue(database);
    deadLeft = await countDead(database);
  }

  const ageOf = ({ oldestDueMs }: QueueFigures) =>
    oldestDueMs === null ? 0 : Math.max(0, clock.nowMs() - oldestDueMs) / 1000;

  return {
    async run(isStopped: () => boolean): Promise<void> {
      await removeDeleted(isStopped);
      const figures = await readQueueFigures(database);
      const { waiting, failing } = figures;
      report({ waiting, failing, oldestDueSeconds: ageOf(figures) });
      if (!isStopped()) await vacuum();
    },
  };
}
