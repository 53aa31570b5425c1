import { createApp } from './app.ts';
import type { Management } from './management.ts';
import { createKeyVerifier } from './modules/api-keys/index.ts';
import { createLeads } from './modules/leads/index.ts';
import { createFailedAuthLimit, createRateLimits } from './modules/rate-limits/index.ts';
import type { Database } from './platform/database/index.ts';
import type { Logger } from './platform/log/index.ts';
import type { Metrics } from './platform/metrics/index.ts';
import type { Config } from './settings.ts';

const READY_TIMEOUT_MS = 2_000;
const DRAIN = { graceMs: 500, atMostMs: 20_000 };

/** The HTTP application with everything behind it. `close` finishes what was begun. */
export async function createService(options: {
  config: Config;
  log: Logger;
  requestLog: Logger;
  metrics: Metrics;
  database: Database;
  management: Management;
}) {
  const { config, log, requestLog, metrics, database, management } = options;
  const { clock, newId, secrets, campaigns } = management;
  const rateLimits = createRateLimits({ redisUrl: config.redisUrl, log });
  const monotonicMs = () => performance.now();
  const verifier = createKeyVerifier({ database, secrets, clock, monotonicMs, log });
  const leads = createLeads({
    database,
    campaigns,
    clock,
    newId,
    countOutcome: (outcome) => metrics.leads.inc({ outcome }),
    observeBatch: (statement, rows) => metrics.writeBatchSize.observe({ statement }, rows),
  });
  const app = await createApp({
    log,
    requestLog,
    metrics,
    newId,
    trustProxyHops: config.trustProxy,
    servesApi: config.role !== 'worker',
    leads,
    pingStore: () => database.ping(READY_TIMEOUT_MS),
    admission: {
      verifier,
      rateLimits,
      failedAuth: createFailedAuthLimit(),
      featuresOff: config.featuresOff,
      onRateLimited: (reason) => metrics.rateLimited.inc({ reason }),
    },
  });
  return {
    app,
    async close(): Promise<void> {
      await app.drain(DRAIN);
      await leads.idle();
      await verifier.close();
      await rateLimits.close();
    },
  };
}
