import { LIMITS } from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import type { Dashboard } from './dashboard.ts';
import { registerDocuments } from './documents/index.ts';
import { registerHealthRoutes } from './health.ts';
import { registerAdmission } from './modules/admission/index.ts';
import type { DeliveryLog, Replays, TestEvents } from './modules/deliveries/index.ts';
import type { Events } from './modules/events/index.ts';
import type { Forms, Platforms, Submissions } from './modules/intake/index.ts';
import type { Leads } from './modules/leads/index.ts';
import { noteRefusedRows, type Refusals } from './modules/refusals/index.ts';
import type { Webhooks } from './modules/webhooks/index.ts';
import { registerDashboardPage } from './page/index.ts';
import { createHttp } from './platform/http/index.ts';
import type { Logger } from './platform/log/index.ts';
import type { Metrics } from './platform/metrics/index.ts';
import { registerReference } from './reference/index.ts';

type AppDeps = {
  log: Logger;
  requestLog: Logger;
  metrics: Metrics;
  newId: () => string;
  trustProxyHops: number;
  /** False on a worker, which answers its probes and nothing else. */
  servesApi: boolean;
  admission: Parameters<typeof registerAdmission>[1];
  refusals: Refusals;
  leads: Leads;
  forms: Forms;
  submissions: Submissions;
  platforms: Platforms;
  events: Events;
  webhooks: Webhooks;
  deliveryLog: DeliveryLog;
  replays: Replays;
  testEvents: TestEvents;
  dashboard: Dashboard;
  /** Where the guides and what their pages need lie, and where people reach the service. */
  documents: Omit<Parameters<typeof registerDocuments>[1], 'operations'>;
  /** Where the built page of the dashboard lies. */
  pageDist: URL;
  /** Rejects where the store is out of reach. */
  pingStore: () => Promise<void>;
};

/** Builds the HTTP application from its modules; does not listen. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { log, requestLog, metrics, newId, trustProxyHops } = deps;
  const app = createHttp({
    log,
    requestLog,
    metrics,
    newId,
    trustProxyHops,
    bodyLimitBytes: LIMITS.bodyBytes,
  });
  if (deps.servesApi) {
    const operations = await registerReference(app);
    await registerDocuments(app, { ...deps.documents, operations });
    const admission = registerAdmission(app, deps.admission);
    deps.refusals.watch(app);
    deps.leads.registerRoutes(app, { admission, onRowsRefused: noteRefusedRows });
    deps.events.registerRoutes(app);
    deps.webhooks.registerRoutes(app);
    deps.deliveryLog.registerRoutes(app);
    deps.replays.registerRoutes(app);
    deps.testEvents.registerRoutes(app);
    deps.forms.registerRoutes(app);
    deps.submissions.registerRoutes(app, { admission });
    deps.platforms.registerRoutes(app, { admission });
    deps.dashboard.registerRoutes(app);
    await registerDashboardPage(app, { dist: deps.pageDist });
  }
  registerHealthRoutes(app, { metrics, pingStore: deps.pingStore });
  app.closeRoutes();
  return app;
}
