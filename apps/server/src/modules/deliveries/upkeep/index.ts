import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { createRound } from '../../../platform/rounds/index.ts';
import { cutoffOf } from './days.ts';
import { forgetLateAnswers } from './late-answers.ts';
import { createPartitions } from './partitions.ts';
import { createQueueCare } from './queue-care.ts';
import { cancelReplaysOfDeleted, forgetOldSecrets, removeReplays } from './repository/cleanup.ts';
import { createSelfCheck } from './self-check.ts';

export type UpkeepDeps = {
  database: Database;
  clock: Clock;
  log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  metrics: Pick<
    Metrics,
    | 'deliveriesWaiting'
    | 'deliveriesOldestDueSeconds'
    | 'webhooksFailing'
    | 'unaccountedEvents'
    | 'accountedUntilSeconds'
  >;
  /** Milliseconds since the Unix epoch by the store's clock: a node whose own is wrong must not drop anything. */
  storeNowMs: () => Promise<number>;
  /** How long attempts and replays are kept. */
  retentionDays: number;
};

const QUEUE_EVERY_MS = 5_000;
const SELF_CHECK_EVERY_MS = 30_000;
// A look at the catalog, most of the time; a partition that was in use is tried again as soon.
const STORE_EVERY_MS = 5 * 60_000;
const CHUNK = 1_000;

export type Upkeep = ReturnType<typeof createUpkeep>;

/** What keeps the store of deliveries small and its promises checked. Several workers may do it at once. */
export function createUpkeep(deps: UpkeepDeps) {
  const { database, clock, log, metrics, retentionDays, storeNowMs } = deps;
  const partitions = createPartitions(deps);
  const queueCare = createQueueCare({
    ...{ database, clock },
    report({ waiting, oldestDueSeconds, failing }) {
      metrics.deliveriesWaiting.set(waiting);
      metrics.deliveriesOldestDueSeconds.set(oldestDueSeconds);
      metrics.webhooksFailing.set(failing);
    },
  });
  const selfCheck = createSelfCheck({
    ...{ database, clock, log },
    report(count, checkedUntilMs) {
      metrics.unaccountedEvents.set(count);
      if (checkedUntilMs !== null) metrics.accountedUntilSeconds.set(checkedUntilMs / 1000);
    },
  });

  async function cleanUp(isStopped: () => boolean) {
    const nowMs = await storeNowMs();
    const at = formatMicros(nowMs * 1000);
    await forgetOldSecrets(database, at);
    await forgetLateAnswers(database, nowMs);
    await cancelReplaysOfDeleted(database, at);
    const before = formatMicros(cutoffOf(nowMs, retentionDays) * 1000);
    for (let removed = CHUNK; removed === CHUNK && !isStopped(); ) {
      removed = await removeReplays(database, before, CHUNK);
    }
  }

  const round = (
    name: string,
    everyMs: number,
    work: (isStopped: () => boolean) => Promise<void>,
  ) => createRound({ name, everyMs, log }, work);
  const rounds = [
    round('partitions', STORE_EVERY_MS, partitions.run),
    round('clean-up', STORE_EVERY_MS, cleanUp),
    round('queue', QUEUE_EVERY_MS, queueCare.run),
    round('self-check', SELF_CHECK_EVERY_MS, selfCheck.run),
  ];

  return {
    start(): void {
      for (const { start } of rounds) start();
    },
    /** Resolves when nothing of it runs any more. */
    async stop(): Promise<void> {
      await Promise.all(rounds.map(({ stop }) => stop()));
    },
    /** All of it once. @throws what fails */
    async runOnce(): Promise<void> {
      const never = () => false;
      await partitions.run(never);
      await cleanUp(never);
      await queueCare.run(never);
      await selfCheck.run(never);
    },
  };
}
