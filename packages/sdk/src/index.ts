export { type Client, createClient } from './client.ts';
export type { Clock } from './clock.ts';
export { type ContentField, contentHash } from './content.ts';
export {
  AuthenticationError,
  type Completed,
  ConflictError,
  DeadlineError,
  type FieldError,
  LeadwireError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  ScopeError,
  ServerError,
  ValidationError,
} from './errors.ts';
export type { Events } from './events.ts';
export type { HistoryPage, LeadPage, Leads } from './leads.ts';
export type { CallOptions, ClientOptions } from './options.ts';
export type { MakeChanges, PatchedLead, ReadLead } from './patch-with.ts';
export type { Reconciliation } from './reconcile.ts';
export type * from './types.generated.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookVerificationCode,
  WebhookVerificationError,
} from './verify-webhook.ts';
export type { Webhooks } from './webhooks.ts';
