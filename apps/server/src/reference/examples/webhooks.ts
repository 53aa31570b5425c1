import { type CreatedWebhook, type Webhook, WebhookInput, WebhookPatch } from '@leadwire/contract';

const exampleOf = <T>(schema: object): T => (schema as { examples: [T] }).examples[0];
const posted = exampleOf<WebhookInput>(WebhookInput);
const patch = exampleOf<WebhookPatch>(WebhookPatch);

const AT = '2026-01-15T10:30:00.123456Z';

const stored: Webhook = {
  id: 'wh_019bc1b07d2e7f45a1c8e9b6d5041f3a',
  url: posted.url,
  events: posted.events,
  description: posted.description ?? null,
  active: true,
  inactive_reason: null,
  failing_since: null,
  created_at: AT,
  updated_at: AT,
};
const created: CreatedWebhook = {
  ...stored,
  secret: 'whsec_c2VjcmV0IG9mIGFuIGV4YW1wbGUsIG9mIG5vIHVzZS4=',
};
const switchedOff: Webhook = {
  ...stored,
  active: false,
  inactive_reason: 'requested',
  updated_at: '2026-01-20T08:15:30.000042Z',
};
const gone: Webhook = {
  ...stored,
  id: 'wh_019bb0a2c41d7e60953f7ad2b8c6e150',
  url: 'https://old.example.com/hook',
  description: null,
  active: false,
  inactive_reason: 'gone',
  failing_since: '2026-01-14T23:59:59.500000Z',
};
const rotated = {
  ...stored,
  updated_at: '2026-01-20T09:00:00.000007Z',
  secret: 'whsec_dGhlIG5leHQgb25lLCBhbHNvIG9mIG5vIHVzZSBhdCA=',
  previous_secret_until: '2026-01-21T09:00:00.000007Z',
};

export const createWebhookRequests = {
  created: { summary: 'Leads as they come and change', value: posted },
};
export const createWebhookAnswers = {
  201: { created: { summary: 'With its secret, shown once', value: created } },
};
export const webhookListAnswers = {
  200: {
    page: {
      summary: 'One in use, and one whose endpoint answered 410',
      value: { data: [stored, gone], nextCursor: null },
    },
  },
};
export const getWebhookAnswers = { 200: { found: { value: stored } } };
export const patchWebhookRequests = {
  switched_off: { summary: 'Nothing is sent until it is active again', value: patch },
};
export const patchWebhookAnswers = { 200: { switched_off: { value: switchedOff } } };
export const deleteWebhookAnswers = {
  200: { deleted: { value: { id: stored.id, deleted: true } } },
};
export const rotateWebhookSecretAnswers = {
  200: { rotated: { summary: 'With its new secret, shown once', value: rotated } },
};
