import type { FastifyInstance } from 'fastify';
import {
  type AccessDeps,
  accountHandlers,
  campaignHandlers,
  type DashboardDownloadHandlers,
  type DashboardHandlers,
  formHandlers,
  importDownloads,
  importHandlers,
  keyHandlers,
  leadDownloads,
  leadHandlers,
  overviewHandlers,
  peopleHandlers,
  registerDashboardApi,
  webhookHandlers,
} from './modules/dashboard/index.ts';
import type { Live } from './modules/live/index.ts';
import type { People } from './modules/people/index.ts';

type Deps = Parameters<typeof peopleHandlers>[0] &
  Parameters<typeof accountHandlers>[0] &
  Parameters<typeof webhookHandlers>[0] &
  Parameters<typeof overviewHandlers>[0] &
  Parameters<typeof campaignHandlers>[0] &
  Parameters<typeof leadHandlers>[0] &
  Parameters<typeof leadDownloads>[0] &
  Parameters<typeof formHandlers>[0] &
  Parameters<typeof importHandlers>[0] &
  Parameters<typeof keyHandlers>[0] & { live: Live; people: People };

/** The API behind the dashboard: the handlers of each domain, put together. */
export function createDashboard(deps: Deps) {
  const access: AccessDeps = {
    personOf: deps.people.personOf,
    roleOf: deps.accounts.members.roleOf,
    trustedOrigins: [deps.publicUrl],
    isHttps: deps.publicUrl.startsWith('https:'),
  };
  const handlers: DashboardHandlers = {
    ...peopleHandlers(deps),
    ...accountHandlers(deps),
    ...overviewHandlers(deps),
    ...campaignHandlers(deps),
    ...keyHandlers(deps),
    ...leadHandlers(deps),
    ...formHandlers(deps),
    ...importHandlers(deps),
    ...webhookHandlers(deps),
  };
  const streams = { watchAccount: deps.live.watch };
  const downloads: DashboardDownloadHandlers = {
    ...leadDownloads(deps),
    ...importDownloads(deps),
  };
  return {
    registerRoutes: (app: FastifyInstance): void =>
      registerDashboardApi(app, { access, handlers, streams, downloads }),
  };
}

export type Dashboard = ReturnType<typeof createDashboard>;
