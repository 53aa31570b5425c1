export type { AccessDeps } from './access.ts';
export { accountHandlers } from './handlers/account.ts';
export { campaignHandlers } from './handlers/campaigns.ts';
export { leadDownloads } from './handlers/downloads.ts';
export { formHandlers } from './handlers/forms.ts';
export { importDownloads, importHandlers } from './handlers/imports.ts';
export { keyHandlers } from './handlers/keys.ts';
export { leadHandlers } from './handlers/leads.ts';
export { overviewHandlers } from './handlers/overview.ts';
export { peopleHandlers } from './handlers/people.ts';
export { webhookHandlers } from './handlers/webhooks.ts';
export { registerDashboardApi } from './register.ts';
export type {
  DashboardDownloadHandlers,
  DashboardHandlers,
  DashboardRequest,
  DashboardStreams,
  Person,
} from './request.ts';
