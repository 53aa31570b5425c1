import type { Database } from '../../../platform/database/index.ts';
import { firstUuidAt } from '../../../platform/ids/index.ts';
import { cutoffOf, daysBefore, daysFrom } from './days.ts';
import {
  dropPartition,
  listPartitions,
  makePartition,
  removeOthers,
} from './repository/partitions.ts';

type Deps = {
  database: Database;
  storeNowMs: () => Promise<number>;
  retentionDays: number;
  log: { info(details: object, message: string): void; warn(d: object, message: string): void };
};

const DAYS_AHEAD = 7;
const CHUNK = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DUPLICATE_TABLE = '42P07';

/** Keeps the log of attempts: makes the days to come, drops those past retention. */
export function createPartitions({ database, storeNowMs, retentionDays, log }: Deps) {
  /**
   * Another node, or whoever reads the log for long, is no failure: the next round tries again.
   * @returns false where there is no use in going on now
   */
  async function unlessBusy(table: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (code !== LOCK_NOT_AVAILABLE && code !== DUPLICATE_TABLE) throw error;
      log.info({ table, code }, 'a partition is in use: it is left for the next round');
      return false;
    }
  }

  async function makeAhead(existing: string[], isStopped: () => boolean) {
    for (const day of daysFrom(await storeNowMs(), DAYS_AHEAD)) {
      if (existing.includes(day.table)) continue;
      const goesOn = await unlessBusy(day.table, async () => {
        const making = await makePartition(database, day);
        if (making !== 'crowded') return;
        log.warn({ table: day.table }, 'a day of attempts stays in the default partition');
      });
      if (!goesOn || isStopped()) return;
    }
  }

  async function dropOld(existing: string[], isStopped: () => boolean) {
    const cutoffMs = cutoffOf(await storeNowMs(), retentionDays);
    for (const day of daysBefore(existing, cutoffMs)) {
      const goesOn = await unlessBusy(day.table, async () => {
        await dropPartition(database, day);
        log.info({ table: day.table }, 'a day of attempts was dropped: it is past retention');
      });
      if (!goesOn || isStopped()) return;
    }
    for (let removed = CHUNK; removed === CHUNK && !isStopped(); ) {
      removed = await removeOthers(database, firstUuidAt(cutoffMs), CHUNK);
    }
  }

  return {
    async run(isStopped: () => boolean): Promise<void> {
      const existing = await listPartitions(database);
      await makeAhead(existing, isStopped);
      await dropOld(existing, isStopped);
    },
  };
}
