import type { Database } from '../../platform/database/index.ts';
import { createRound } from '../../platform/rounds/index.ts';
import { fold, removeOld } from './repository/fold.ts';

const FOLD_EVERY_MS = 10_000;
const CLEAN_UP_EVERY_MS = 10 * 60_000;
const CHUNK = 20_000;

/** What keeps tallies few and counts bounded; several workers may do it at once. */
export function createStatisticsWorker({
  database,
  log,
}: {
  database: Database;
  log: { warn(details: object, message: string): void };
}) {
  async function foldAll(isStopped: () => boolean) {
    for (let moved = CHUNK; moved === CHUNK && !isStopped(); ) moved = await fold(database, CHUNK);
  }

  async function cleanUp(isStopped: () => boolean) {
    for (const resolution of ['minute', 'hour', 'day'] as const) {
      for (let removed = CHUNK; removed === CHUNK && !isStopped(); ) {
        removed = await removeOld(database, resolution, CHUNK);
      }
    }
  }

  const rounds = [
    createRound({ name: 'sum up counts', everyMs: FOLD_EVERY_MS, log }, foldAll),
    createRound({ name: 'remove old counts', everyMs: CLEAN_UP_EVERY_MS, log }, cleanUp),
  ];
  return {
    start(): void {
      for (const { start } of rounds) start();
    },
    /** Resolves when nothing of it runs any more. */
    async stop(): Promise<void> {
      await Promise.all(rounds.map(({ stop }) => stop()));
    },
  };
}
