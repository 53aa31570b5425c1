/** What the page may import: plain constants and types; no schema, so that no schema library is sent to a browser. */
export { PERSONAL_FIELDS } from '../names.ts';
export type * from './api.ts';
export * from './forms.ts';
export * from './imports.ts';
export { may, PERMISSIONS, type Permission, ROLES, type Role } from './roles.ts';
export type { DashboardRoute, PathParams } from './route.ts';
export { downloadRoutes } from './routes/downloads.ts';
export { streamRoutes } from './routes/overview.ts';
export {
  DASHBOARD_API,
  DASHBOARD_ROUTES,
  type DashboardRouteName,
  type DashboardRoutes,
  PERSON_HEADER,
} from './routes.ts';
