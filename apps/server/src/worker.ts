import type { Management } from './management.ts';
import { createDeliveryWorker, type Sending } from './modules/deliveries/index.ts';
import { createImportWorker } from './modules/intake/index.ts';
import type { BackgroundLane } from './modules/leads/index.ts';
import {
  createStatisticsWorker,
  latencyBucket,
  type Statistics,
  type Tally,
} from './modules/statistics/index.ts';
import type { Database } from './platform/database/index.ts';
import type { Logger } from './platform/log/index.ts';
import type { Metrics } from './platform/metrics/index.ts';
import type { Config } from './settings.ts';

/** What a process with the role worker or all does beside answering requests. */
export function createWorker(options: {
  config: Config;
  log: Logger;
  metrics: Metrics;
  database: Database;
  management: Management;
  sending: Sending;
  statistics: Statistics;
  /** Imports write leads: their commits may not be lost. */
  imports: { database: Database; lane: BackgroundLane };
}) {
  const { config, log, metrics, database, management, sending, statistics } = options;
  const { clock, newId, secrets } = management;
  const counting = createStatisticsWorker({ database, log });
  const importing = createImportWorker({
    ...{ ...options.imports, clock, newId, log },
    monotonicMs: () => performance.now(),
  });
  const deliveries = createDeliveryWorker({
    ...{ database, clock, newId, secrets, log, attempt: sending.attempt },
    random: Math.random,
    monotonicMs: () => performance.now(),
    retentionDays: config.attemptRetentionDays,
    metrics,
    onInFlight: (count) => metrics.deliveriesInFlight.set(count),
    onAttempt(attempt, { dueAt }) {
      const { outcome, error, durationMs, startedAt, attempts, replayId } = attempt;
      statistics.tally(deliveryTally(attempt));
      metrics.deliveryAttempts.inc({ outcome, error: error ?? '' });
      metrics.endpointSeconds.observe(durationMs / 1000);
      if (attempts > 0 || replayId) return;
      // The first attempt is due when the event happens.
      const delayMs = Date.parse(startedAt) - Date.parse(dueAt);
      metrics.firstAttemptDelaySeconds.observe(Math.max(0, delayMs) / 1000);
    },
  });
  return {
    start(): void {
      deliveries.start();
      counting.start();
      importing.start();
    },
    async stop(): Promise<void> {
      await Promise.all([deliveries.stop(), counting.stop(), importing.stop()]);
    },
  };
}

type Attempt = Parameters<Parameters<typeof createDeliveryWorker>[0]['onAttempt']>[0];

const deliveryTally = ({ accountId, webhookId, outcome, durationMs }: Attempt): Tally => ({
  ...{ accountId, metric: 'deliveries', subject: webhookId, outcome },
  detail: outcome === 'succeeded' ? latencyBucket(durationMs) : null,
});
