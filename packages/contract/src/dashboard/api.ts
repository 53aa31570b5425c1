import type { Static, TSchema } from 'typebox';
import type { AccountAnswers } from './requests/account.ts';
import type { CampaignAnswers } from './requests/campaigns.ts';
import type { FormAnswers } from './requests/forms.ts';
import type { ImportAnswers } from './requests/imports.ts';
import type { KeyAnswers } from './requests/keys.ts';
import type { LeadAnswers } from './requests/leads.ts';
import type { OverviewAnswers } from './requests/overview.ts';
import type { PeopleAnswers } from './requests/people.ts';
import type { WebhookAnswers } from './requests/webhooks.ts';
import type { DASHBOARD_REQUESTS } from './requests.ts';
import type { PathParams } from './route.ts';
import type { downloadRoutes } from './routes/downloads.ts';
import type { DashboardRouteName, DashboardRoutes } from './routes.ts';

export type * from './requests/account.ts';
export type * from './requests/campaigns.ts';
export type * from './requests/forms.ts';
export type * from './requests/imports.ts';
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
  WebhookAnswers &
  FormAnswers &
  ImportAnswers;

type Requests = typeof DASHBOARD_REQUESTS;

type Part<Name extends string, Key extends 'query' | 'body'> = Name extends keyof Requests
  ? Requests[Name] extends Record<Key, infer Schema extends TSchema>
    ? Static<Schema>
    : undefined
  : undefined;

/** A Blob on the page, bytes on the server. */
type Bytes<Name extends string> = Name extends keyof Requests
  ? Requests[Name] extends { bytes: number }
    ? Blob | Uint8Array
    : undefined
  : undefined;

/** What a route takes and gives back, by its name. */
export type DashboardApi = {
  [Name in DashboardRouteName]: {
    params: PathParams<DashboardRoutes[Name]['path']>;
    query: Part<Name, 'query'>;
    body: Bytes<Name> extends undefined ? Part<Name, 'body'> : Bytes<Name>;
    answer: Answers[Name];
  };
};

/** What a download takes, by its name. */
export type DashboardDownloads = {
  [Name in keyof typeof downloadRoutes]: {
    params: PathParams<(typeof downloadRoutes)[Name]['path']>;
    query: Part<Name, 'query'>;
  };
};
