import type { FastifyInstance } from 'fastify';
import {
  type AccessDeps,
  type DashboardHandlers,
  registerDashboardApi,
} from './modules/dashboard/index.ts';

/** The API behind the dashboard: the handlers of each domain, put together. */
export function createDashboard() {
  const access: AccessDeps = {
    personOf: async () => null,
    roleOf: async () => null,
    trustedOrigins: [],
  };
  const handlers = {} as DashboardHandlers;
  return {
    registerRoutes: (app: FastifyInstance): void => registerDashboardApi(app, { access, handlers }),
  };
}

export type Dashboard = ReturnType<typeof createDashboard>;
