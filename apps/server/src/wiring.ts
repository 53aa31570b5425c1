import { randomBytes } from 'node:crypto';
import { createApp } from './app.ts';
import { createDashboard } from './dashboard.ts';
import type { Management } from './management.ts';
import { createKeyVerifier } from './modules/api-keys/index.ts';
import {
  createDeliveryLog,
  createReplays,
  createSending,
  createTestEvents,
  createWake,
} from './modules/deliveries/index.ts';
import { createEvents } from './modules/events/index.ts';
import { createLeads } from './modules/leads/index.ts';
import { createFailedAuthLimit, createRateLimits } from './modules/rate-limits/index.ts';
import { createWebhooks } from './modules/webhooks/index.ts';
import type { Database } from './platform/database/index.ts';
import { createFairQueue } from './platform/grouping/index.ts';
import type { Logger } from './platform/log/index.ts';
import type { Metrics } from './platform/metrics/index.ts';
import type { Config } from './settings.ts';
import { createWorker } from './worker.ts';

// Lists and counts of one account must not stand before the writes of others: they take at most half of the pool.
const HEAVY_READS = { maxInFlight: 6, maxInFlightEach: 3, maxWaitingEach: 200 };
const READY_TIMEOUT_MS = 2_000;
const DRAIN = { graceMs: 500, atMostMs: 20_000 };

/** The HTTP application with everything behind it. `close` finishes what was begun. */
export async function createService(options: {
  config: Config;
  log: Logger;
  requestLog: Logger;
  metrics: Metrics;
  database: Database;
  /** A pool of the worker's own, so that neither waits for the other. */
  workerDatabase: Database;
  management: Management;
}) {
  const { config, log, requestLog, metrics, database, management } = options;
  const { clock, newId, secrets, campaigns } = management;
  const rateLimits = createRateLimits({ redisUrl: config.redisUrl, log });
  const monotonicMs = () => performance.now();
  const verifier = createKeyVerifier({ database, secrets, clock, monotonicMs, log });
  const sending = createSending({ allowPrivate: config.allowPrivateWebhooks, nowMs: clock.nowMs });
  const wake = createWake({ database, monotonicMs });
  const heavyRead = createFairQueue(HEAVY_READS);
  const leads = createLeads({
    ...{ database, heavyRead },
    campaigns,
    clock,
    newId,
    countOutcome: (outcome) => metrics.leads.inc({ outcome }),
    observeBatch: (statement, rows) => metrics.writeBatchSize.observe({ statement }, rows),
    onWritten: wake.changed,
  });
  const webhooks = createWebhooks({
    ...{ database, clock, newId, secrets, randomBytes },
    maxWebhooks: config.maxWebhooks,
    allowPrivate: config.allowPrivateWebhooks,
    onChange: ({ accountId, webhookId }) => void wake.webhook(accountId, webhookId),
  });
  const deliveryLog = createDeliveryLog({
    ...{ database, heavyRead },
    onDue: (accountId, webhookId) => void wake.webhook(accountId, webhookId),
  });
  const replays = createReplays({ database, clock, newId });
  const { attempt } = sending;
  const testEvents = createTestEvents({ database, secrets, attempt, clock, newId });
  const app = await createApp({
    log,
    requestLog,
    metrics,
    newId,
    trustProxyHops: config.trustProxy,
    servesApi: config.role !== 'worker',
    leads,
    events: createEvents({ database, heavyRead }),
    webhooks,
    ...{ deliveryLog, replays, testEvents },
    dashboard: createDashboard(),
    pingStore: () => database.ping(READY_TIMEOUT_MS),
    admission: {
      verifier,
      rateLimits,
      failedAuth: createFailedAuthLimit(),
      featuresOff: config.featuresOff,
      onRateLimited: (reason) => metrics.rateLimited.inc({ reason }),
    },
  });
  const worker =
    config.role === 'api'
      ? null
      : createWorker({ ...options, database: options.workerDatabase, sending });
  return {
    app,
    startWorker: () => worker?.start(),
    async close(): Promise<void> {
      await app.drain(DRAIN);
      await leads.idle();
      await wake.idle();
      await worker?.stop();
      sending.close();
      await verifier.close();
      await rateLimits.close();
    },
  };
}
