import type { Management } from './management.ts';
import { createDeliveryWorker, type Sending } from './modules/deliveries/index.ts';
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
}) {
  const { config, log, metrics, database, management, sending } = options;
  const { clock, newId, secrets } = management;
  return createDeliveryWorker({
    ...{ database, clock, newId, secrets, log, attempt: sending.attempt },
    random: Math.random,
    monotonicMs: () => performance.now(),
    retentionDays: config.attemptRetentionDays,
    metrics,
    onInFlight: (count) => metrics.deliveriesInFlight.set(count),
    onAttempt({ outcome, error, durationMs, startedAt, attempts, replayId }, { dueAt }) {
      metrics.deliveryAttempts.inc({ outcome, error: error ?? '' });
      metrics.endpointSeconds.observe(durationMs / 1000);
      if (attempts > 0 || replayId) return;
      // The first attempt is due when the event happens.
      const delayMs = Date.parse(startedAt) - Date.parse(dueAt);
      metrics.firstAttemptDelaySeconds.observe(Math.max(0, delayMs) / 1000);
    },
  });
}
