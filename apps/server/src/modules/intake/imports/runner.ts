import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import { type Database, isUnavailable } from '../../../platform/database/index.ts';
import { toPublicId } from '../../../platform/ids/index.ts';
import { type BackgroundLane, readLeadInput } from '../../leads/index.ts';
import { UnreadableFile } from './errors.ts';
import { readFile } from './file.ts';
import { createImportRows, type ImportRowsDeps } from './import-rows.ts';
import { createMapRow, type MappedRow } from './map-row.ts';
import { readRows } from './read-rows.ts';
import { othersWait, release, renew, type Task } from './repository/leases.ts';
import { type Ending, finish, storeChunk } from './repository/outcomes.ts';
import type { Lease } from './repository/states.ts';
import { fileUntil } from './retention.ts';

type Log = ImportRowsDeps['log'] &
  Record<'info' | 'warn', (details: object, message: string) => void>;

export type RunnerDeps = {
  database: Database;
  lane: Pick<BackgroundLane, 'ingest' | 'isKnown'>;
  clock: Clock;
  monotonicMs: () => number;
  log: Log;
};

/** How long whoever runs an import may be silent before another takes it. */
export const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
const CHUNK = 256;
// Mapping reads phone numbers: others get their turn meanwhile.
const ROWS_A_TURN = 8;
const TURN_MS = 20_000;

/**
 * Runs an import, whose lease is held, to its end, or until it is stopped, the lease is lost, or it is another account's turn.
 * The outcomes of a chunk are stored after its leads: one that was interrupted is done again by the next holder.
 * @throws what keeps the store from answering; the lease is given back, and the next holder goes on
 */
export type RunImport = (task: Task, lease: Lease, isStopped: () => boolean) => Promise<void>;

export function createRunner({ database, lane, clock, monotonicMs, log }: RunnerDeps): RunImport {
  const importRows = createImportRows({ database, lane, monotonicMs, log });

  return async (task, lease, isStopped) => {
    const { accountId: account, kind, rowsDone } = task;
    const about = { import: toPublicId('imp', task.importId), account, kind };
    log.info({ ...about, rowsDone }, rowsDone > 0 ? 'an import goes on' : 'an import begins');
    const heartbeat = setInterval(() => {
      renew(database, task, lease).catch(() => undefined);
    }, RENEW_EVERY_MS);
    try {
      const ending = await runChunks(task, lease, isStopped).catch((error) =>
        failureOf(error, task),
      );
      if (!ending) return;
      const at = formatMicros(clock.nowMicros());
      const end = { ...ending, at, fileUntil: fileUntil(clock) };
      if (!(await finish(database, task, lease.holder, end))) return;
      log.info({ ...about, state: ending.state }, 'an import ended');
    } finally {
      clearInterval(heartbeat);
      await release(database, task, lease.holder).catch(() => undefined);
    }
  };

  /** @returns null where it did not come to the end */
  async function runChunks(
    task: Task,
    lease: Lease,
    isStopped: () => boolean,
  ): Promise<(Ending & { rows: number }) | null> {
    let since: number | null = null;
    let firstRow = task.rowsDone;
    for await (const mapped of chunksOf(database, task, isStopped)) {
      // A turn begins where the rows that were done before are behind it.
      since ??= monotonicMs();
      const rows = await importRows(task, mapped, firstRow === task.rowsDone);
      const state = await storeChunk(database, task, lease, { firstRow, rows, kind: task.kind });
      firstRow += rows.length;
      if (state === null || state === 'stopped' || isStopped()) return null;
      const isLong = monotonicMs() - since > TURN_MS;
      if (isLong && (await othersWait(database, task.accountId))) return null;
    }
    // Then the rows may have ended before the file did.
    if (isStopped()) return null;
    return { state: task.kind === 'check' ? 'checked' : 'done', rows: firstRow };
  }

  function failureOf(error: unknown, task: Task): Ending & { rows: number } {
    if (error instanceof UnreadableFile) {
      return { state: 'failed', failure: error.failure, rows: 0 };
    }
    if (isUnavailable(error)) throw error;
    log.error({ err: error, import: task.importId }, 'an import failed unexpectedly');
    const message =
      'The import failed unexpectedly; the log of the service says why. What was imported stays. Upload the file again to go on.';
    return { state: 'failed', failure: { code: 'internal_error', message }, rows: 0 };
  }
}

/** The rows that are still to be done, as leads or with what is wrong with them. @throws what readRows throws, after them */
async function* chunksOf(
  database: Database,
  task: Task,
  isStopped: () => boolean,
): AsyncGenerator<MappedRow[]> {
  const map = createMapRow(task.settings, task.columns, readLeadInput);
  let chunk: MappedRow[] = [];
  // The header is no row.
  let number = -1;
  let failure: unknown = null;
  try {
    for await (const row of readRows(readFile(database, task), task.settings)) {
      if (isStopped()) break;
      if (number++ < task.rowsDone) continue;
      chunk.push(map(row));
      if (chunk.length % ROWS_A_TURN === 0) await nextTurn();
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = [];
    }
  } catch (error) {
    failure = error;
  }
  if (chunk.length > 0) yield chunk;
  if (failure) throw failure;
}
