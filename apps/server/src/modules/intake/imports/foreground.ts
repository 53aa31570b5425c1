import { isUnavailable } from '../../../platform/database/index.ts';
import { findUnfinished, type ImportKey, type StoredImport } from './repository/imports.ts';
import { takeOne } from './repository/leases.ts';
import type { Lease } from './repository/states.ts';
import { createRunner, LEASE_MS, type RunnerDeps } from './runner.ts';

type Deps = RunnerDeps & {
  newId: () => string;
  read: (key: ImportKey) => Promise<StoredImport>;
  wait: (ms: number) => Promise<unknown>;
  /** Told while the store does not answer. */
  onTrouble: () => void;
};

const LOOK_EVERY_MS = 500;

/** For a command: runs one import in its own process, or waits for the worker that does. */
export function createForeground(deps: Deps) {
  const { database, newId, read, wait, onTrouble } = deps;
  const lease: Lease = { holder: newId(), forMs: LEASE_MS };
  const run = createRunner(deps);

  return {
    /** To be held from the start, so that no worker takes it first. */
    lease,

    /** The newest of the same bytes into the same campaign that was stopped, or whose process died. */
    findUnfinished: (file: { accountId: string; sha256: string; campaignId: number }) =>
      findUnfinished(database, file),

    /** Resolves when it neither runs nor waits to be run. */
    async run(key: ImportKey): Promise<StoredImport> {
      for (;;) {
        try {
          const one = await read(key);
          if (one.state !== 'checking' && one.state !== 'running') return one;
          const task = await takeOne(database, key, lease);
          if (task) await run(task, lease, () => false);
          else await wait(LOOK_EVERY_MS);
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          onTrouble();
          await wait(LOOK_EVERY_MS);
        }
      }
    },
  };
}
