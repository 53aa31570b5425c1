import type { Static, TSchema } from 'typebox';
import type { AccountAnswers } from './requests/account.ts';
import type { CampaignAnswers } from './requests/campaigns.ts';
import type { KeyAnswers } from './requests/keys.ts';
import type { LeadAnswers } from './requests/leads.ts';
import type { OverviewAnswers } from './requests/overview.ts';
import type { PeopleAnswers } from './requests/people.ts';
import type { WebhookAnswers } from './requests/webhooks.ts';
import type { DASHBOARD_REQUESTS } from './requests.ts';
import type { PathParams } from './route.ts';
import type { DashboardRouteName, DashboardRoutes } from './routes.ts';

export type * from './requests/account.ts';
export type * from './requests/campaigns.ts';
export type * from './requests/keys.ts';
export type * from './requests/leads.ts';
export type * from './requests/overview.ts';
export type * from './requests/people.ts';
export type * from './requests/webhooks.ts';

type Answers = PeopleAnswers &
  AccountAnswers &
  OverviewAnswers &
  LeadAnswers &
  CampaignAnswers &
  KeyAnswers &
  WebhookAnswers;

type Requests = typeof DASHBOARD_REQUESTS;

type Part<
  Name extends DashboardRouteName,
  Key extends 'query' | 'body',
> = Name extends keyof Requests
  ? Requests[Name] extends Record<Key, infer Schema extends TSchema>
    ? Static<Schema>
    : undefined
  : undefined;

/** What a route takes and gives back, by its name. */
export type DashboardApi = {
  [Name in DashboardRouteName]: {
    params: PathParams<DashboardRoutes[Name]['path']>;
    query: Part<Name, 'query'>;
    body: Part<Name, 'body'>;
    answer: Answers[Name];
  };
};
