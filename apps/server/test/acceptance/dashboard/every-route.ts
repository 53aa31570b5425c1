import {
  DASHBOARD_ROUTES,
  type DashboardApi,
  type DashboardRoute,
  type DashboardRouteName,
  downloadRoutes,
  type Permission,
  streamRoutes,
} from '@leadwire/contract/dashboard';
import { DASHBOARD_REQUESTS } from '@leadwire/contract/dashboard/requests';
import type { Json } from '../../support/index.ts';

export type Route = DashboardRoute & { name: string };

/** Bodies that would change something wherever they were let through. */
export const BODIES: { [Name in DashboardRouteName]?: DashboardApi[Name]['body'] } = {
  changeAccount: { name: 'Changed', features: { insertion: false } },
  changeMember: { role: 'viewer' },
  invite: { role: 'viewer' },
  createForm: {
    ...{ name: 'Changed', campaign_id: 1, key_id: '00000000-0000-4000-8000-000000000000' },
  },
  changeForm: { name: 'Changed' },
  createCampaign: { name: 'Changed' },
  changeCampaign: { name: 'Changed' },
  createKey: { name: 'Changed', scopes: ['leads:read'] },
  rotateKey: { overlap_hours: 0 },
  checkSignature: {
    ...{ method: 'GET', target: '/', body: '', public_key: 'lwpk_x', timestamp: '1' },
    signature: 'x',
  },
  createImport: { file_name: 'Changed.csv', bytes: 1 },
  changeImport: { source: 'Changed' },
  editLead: { version: 1, changes: { first_name: 'Changed' } },
  eraseLead: { version: 1 },
  createWebhook: { url: 'http://127.0.0.1:9/changed', events: ['lead.created'] },
  changeWebhook: { description: 'Changed' },
  testWebhook: {},
  startReplay: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  joinAsMe: { token: 'x' },
  changeMe: { name: 'Changed' },
  changePassword: { current_password: 'x', new_password: 'xxxxxxxxxxxx' },
  beginSecondFactor: { password: 'x' },
  confirmSecondFactor: { code: '000000' },
  endSecondFactor: { password: 'x' },
};

export const ALL: Route[] = Object.entries({
  ...DASHBOARD_ROUTES,
  ...streamRoutes,
  ...downloadRoutes,
}).map(([name, route]) => ({ name, ...route }));
export const OF_ACCOUNTS = ALL.filter((route) => route.path.startsWith('/accounts/:account'));
export const OF_PERSONS = ALL.filter(({ may }) => may === 'person');
export const permissionOf = (route: Route) => route.may as Permission;
export const title = ({ method, path }: Route) => `${method} ${path}`;

export const paramsOf = (route: Route): string[] =>
  [...route.path.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
export const bodyOf = ({ name }: Route): Json => BODIES[name as DashboardRouteName];
export const takesBody = ({ name }: Route): boolean =>
  'body' in (DASHBOARD_REQUESTS[name as keyof typeof DASHBOARD_REQUESTS] ?? {});
