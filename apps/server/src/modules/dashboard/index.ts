export type { AccessDeps } from './access.ts';
export { registerDashboardApi } from './register.ts';
export type { DashboardHandlers, DashboardRequest, Person } from './request.ts';
