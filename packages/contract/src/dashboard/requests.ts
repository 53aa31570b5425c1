import type { TSchema } from 'typebox';
import { accountRequests } from './requests/account.ts';
import { campaignRequests } from './requests/campaigns.ts';
import { formRequests } from './requests/forms.ts';
import { importRequests } from './requests/imports.ts';
import { keyRequests } from './requests/keys.ts';
import { leadRequests } from './requests/leads.ts';
import { overviewRequests } from './requests/overview.ts';
import { peopleRequests } from './requests/people.ts';
import { webhookRequests } from './requests/webhooks.ts';
import type { downloadRoutes } from './routes/downloads.ts';
import type { DashboardRouteName } from './routes.ts';

export { EXPORT_FORMATS } from './requests/leads.ts';

export type DashboardRequestSchemas = {
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body is bytes, at most so many. */
  readonly bytes?: number;
};

/** What a request may bring besides its path, by the name of its route; a route that is missing here takes nothing. */
export const DASHBOARD_REQUESTS = {
  ...peopleRequests,
  ...accountRequests,
  ...overviewRequests,
  ...leadRequests,
  ...campaignRequests,
  ...keyRequests,
  ...webhookRequests,
  ...formRequests,
  ...importRequests,
} as const satisfies Partial<
  Record<DashboardRouteName | keyof typeof downloadRoutes, DashboardRequestSchemas>
>;
