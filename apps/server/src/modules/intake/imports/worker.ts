import { formatMicros } from '../../../platform/clock/index.ts';
import { createRound } from '../../../platform/rounds/index.ts';
import { takeAny } from './repository/leases.ts';
import { dropFiles } from './repository/upkeep.ts';
import { createRunner, LEASE_MS, type RunnerDeps } from './runner.ts';

const LOOK_EVERY_MS = 500;
const CLEAN_UP_EVERY_MS = 10 * 60_000;

export type ImportWorker = ReturnType<typeof createImportWorker>;

/** What a process with the role of a worker does for imports: runs one at a time, and drops files whose time is over. */
export function createImportWorker(deps: RunnerDeps & { newId: () => string }) {
  const { database, clock, log, newId } = deps;
  const lease = { holder: newId(), forMs: LEASE_MS };
  const run = createRunner(deps);

  const rounds = [
    createRound({ name: 'imports', everyMs: LOOK_EVERY_MS, log }, async (isStopped) => {
      while (!isStopped()) {
        const task = await takeAny(database, lease);
        if (!task) return;
        await run(task, lease, isStopped);
      }
    }),
    createRound({ name: 'old imports', everyMs: CLEAN_UP_EVERY_MS, log }, async (isStopped) => {
      while (!isStopped() && (await dropFiles(database, formatMicros(clock.nowMicros()))) > 0);
    }),
  ];
  return {
    start(): void {
      for (const { start } of rounds) start();
    },
    /** Resolves when nothing of it runs any more; what it ran goes on elsewhere. */
    async stop(): Promise<void> {
      await Promise.all(rounds.map(({ stop }) => stop()));
    },
  };
}
