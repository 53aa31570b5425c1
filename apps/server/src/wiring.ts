import { randomBytes } from 'node:crypto';
import { createApp } from './app.ts';
import { createDashboard } from './dashboard.ts';
import type { Management } from './management.ts';
import { createKeyVerifier, createSignatureChecker } from './modules/api-keys/index.ts';
import { createAttention } from './modules/attention/index.ts';
import {
  createDeliveryLog,
  createReplays,
  createSending,
  createTestEvents,
  createWake,
} from './modules/deliveries/index.ts';
import { createEvents } from './modules/events/index.ts';
import {
  createForms,
  createImports,
  createPlatforms,
  createSubmissions,
} from './modules/intake/index.ts';
import { createExportLeads, createLeadDesk, createLeads } from './modules/leads/index.ts';
import { createLive } from './modules/live/index.ts';
import { createPeople } from './modules/people/index.ts';
import { createFailedAuthLimit, createRateLimits } from './modules/rate-limits/index.ts';
import { createRefusals, REFUSALS_KEPT } from './modules/refusals/index.ts';
import { createStatistics } from './modules/statistics/index.ts';
import { createWebhooks } from './modules/webhooks/index.ts';
import type { Database } from './platform/database/index.ts';
import { createFairQueue } from './platform/grouping/index.ts';
import type { Logger } from './platform/log/index.ts';
import { createMailer } from './platform/mail/index.ts';
import type { Metrics } from './platform/metrics/index.ts';
import type { Config } from './settings.ts';
import { createWorker } from './worker.ts';

// Lists and counts of one account must not stand before the writes of others: they take at most half of the pool.
const HEAVY_READS = { maxInFlight: 6, maxInFlightEach: 3, maxWaitingEach: 200 };
// A sum over many counts takes a core of the store for as long as it runs.
const HEAVY_FIGURES = { maxInFlight: 2, maxInFlightEach: 1, maxWaitingEach: 200 };
// As far from this file as from the bundle that is made of it.
const PAGE_DIST = new URL('../../dashboard/dist/', import.meta.url);
const GUIDES = new URL('../../../docs/guides/', import.meta.url);
const ASSETS = new URL('../assets/', import.meta.url);
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
  const statistics = createStatistics({ database, writes: options.workerDatabase, clock, log });
  const live = createLive({ extentOf: statistics.extent, log });
  const refusals = createRefusals({
    ...{ database, clock, newId, log, writes: options.workerDatabase },
    onRequest: ({ accountId, id: subject }, outcome, n) =>
      statistics.tally({ accountId, metric: 'requests', subject, outcome, n }),
  });
  const leads = createLeads({
    ...{ database, heavyRead },
    campaigns,
    clock,
    newId,
    countOutcome(outcome, { account_id: accountId, campaign_id: campaign, source }) {
      metrics.leads.inc({ outcome });
      if (outcome !== 'deduped') return;
      const subject = String(campaign);
      statistics.tally({ accountId, metric: 'leads', subject, outcome, detail: source });
    },
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
  const { publicUrl, smtpUrl, mailFrom } = config;
  const mailer = smtpUrl && mailFrom ? createMailer({ url: smtpUrl, from: mailFrom }) : null;
  const people = createPeople({
    ...{ database, clock, newId, rateLimits, publicUrl, mailer, log },
    secrets: management.signInSecrets,
  });
  const forms = createForms({
    ...{ database, clock, newId, randomBytes, verifier, campaigns, publicUrl, log, monotonicMs },
    ...{ writes: options.workerDatabase, apiKeys: management.apiKeys },
    ...{ featuresOff: config.featuresOff, embedScript: new URL('embed.js', ASSETS) },
  });
  const failedAuth = createFailedAuthLimit();
  const platforms = createPlatforms({
    ...{ forms: forms.forPublic, verifier, failedAuth, ingest: leads.ingest },
  });
  const submissions = createSubmissions({
    ...{ publicUrl, monotonicMs, ingest: leads.ingest },
    forms: forms.forPublic,
    keyOf: verifier.findById,
    onRateLimited: () => metrics.rateLimited.inc({ reason: 'address' }),
  });
  const imports = createImports({
    ...{ database, clock, newId, campaigns },
    namesOf: async (ids) =>
      new Map([...(await people.named(ids))].map(([id, { name }]) => [id, name])),
  });
  const events = createEvents({ database, heavyRead });
  const leadDesk = createLeadDesk({
    ...{ database, heavyRead, clock, newId, events, deliveryLog },
    edit: leads.edit,
    onWritten: wake.changed,
    actorNames: {
      keys: management.apiKeys.namesOf,
      forms: forms.manage.namesOf,
      people: async (ids) =>
        new Map([...(await people.named(ids))].map(([id, { name }]) => [id, name])),
    },
  });
  const app = await createApp({
    log,
    requestLog,
    metrics,
    newId,
    trustProxyHops: config.trustProxy,
    servesApi: config.role !== 'worker',
    ...{ leads, refusals, forms, submissions, platforms },
    events,
    webhooks,
    ...{ deliveryLog, replays, testEvents },
    dashboard: createDashboard({
      ...{ people, accounts: management.accounts, mailer, publicUrl, log },
      canMail: mailer !== null,
      featuresOffEverywhere: config.featuresOff,
      retention: { attempt_days: config.attemptRetentionDays, refused_requests: REFUSALS_KEPT },
      heavyFigures: createFairQueue(HEAVY_FIGURES),
      ...{ refusals, rateLimits, clock, campaigns, apiKeys: management.apiKeys },
      checkSignature: createSignatureChecker({ database, secrets, clock }),
      onMoved: wake.changed,
      ...{ webhooks, deliveryLog, replays, testEvents, statistics, live, leadDesk, forms, imports },
      exportLeads: createExportLeads({ database, heavyRead }),
      attention: createAttention({ database, clock }),
      featuresOff: async (accountId) => [
        ...config.featuresOff,
        ...(await management.accounts.featuresOff(accountId)),
      ],
    }),
    documents: { folder: GUIDES, assets: new URL('documents/', ASSETS), publicUrl },
    pageDist: PAGE_DIST,
    pingStore: () => database.ping(READY_TIMEOUT_MS),
    admission: {
      verifier,
      rateLimits,
      failedAuth,
      featuresOff: config.featuresOff,
      onRateLimited: (reason) => metrics.rateLimited.inc({ reason }),
    },
  });
  const worker =
    config.role === 'api'
      ? null
      : createWorker({
          ...{ ...options, database: options.workerDatabase, sending, statistics },
          imports: { database, lane: leads.background },
        });
  return {
    app,
    startWorker: () => worker?.start(),
    async close(): Promise<void> {
      live.close();
      await app.drain(DRAIN);
      await leads.idle();
      await wake.idle();
      await worker?.stop();
      await people.passwords.idle();
      await refusals.close();
      await forms.close();
      await statistics.close();
      sending.close();
      await verifier.close();
      await rateLimits.close();
    },
  };
}
