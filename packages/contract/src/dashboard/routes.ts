import { accountRoutes } from './routes/account.ts';
import { campaignRoutes } from './routes/campaigns.ts';
import { formRoutes } from './routes/forms.ts';
import { importRoutes } from './routes/imports.ts';
import { keyRoutes } from './routes/keys.ts';
import { leadRoutes } from './routes/leads.ts';
import { overviewRoutes } from './routes/overview.ts';
import { peopleRoutes } from './routes/people.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** Where the dashboard's own API lives. */
export const DASHBOARD_API = '/dashboard/api';

/** Header of a change: the id of the person whom the page shows. It is refused where the cookies are another one's. */
export const PERSON_HEADER = 'x-leadwire-person';

/** Every route of the dashboard's own API by its name: the server registers it from here, the page calls it from here, and a test walks it. */
export const DASHBOARD_ROUTES = {
  ...peopleRoutes,
  ...accountRoutes,
  ...overviewRoutes,
  ...leadRoutes,
  ...campaignRoutes,
  ...keyRoutes,
  ...webhookRoutes,
  ...formRoutes,
  ...importRoutes,
} as const;

export type DashboardRoutes = typeof DASHBOARD_ROUTES;
export type DashboardRouteName = keyof DashboardRoutes;
