import {
  cancelReplayAnswers,
  createReplayAnswers,
  createReplayRequests,
  deliveryListAnswers,
  getDeliveryAnswers,
  getReplayAnswers,
  replayListAnswers,
  retryDeliveryAnswers,
  testWebhookAnswers,
  testWebhookRequests,
} from './examples/deliveries.ts';
import { eventFeedAnswers } from './examples/events.ts';
import {
  batchAnswers,
  batchRequests,
  getAnswers,
  historyAnswers,
  insertAnswers,
  insertRequests,
  legacyAnswers,
  listAnswers,
  patchAnswers,
  patchRequests,
} from './examples/leads.ts';
import { reconcileAnswers, reconcileRequests } from './examples/reconciliation.ts';
import {
  createWebhookAnswers,
  createWebhookRequests,
  deleteWebhookAnswers,
  getWebhookAnswers,
  patchWebhookAnswers,
  patchWebhookRequests,
  rotateWebhookSecretAnswers,
  webhookListAnswers,
} from './examples/webhooks.ts';

type Example = { summary?: string; value: unknown };
export type Examples = Record<string, Example>;

/** What cannot be read off a route: its examples, and the headers and failures that are its own. */
export type OperationNotes = {
  request?: Examples;
  /** Whether a request without a body does the same as with {}. */
  isBodyOptional?: boolean;
  /** One JSON object a line, beside application/json. */
  ndjson?: Examples;
  /** By status. */
  answers: Record<number, Examples>;
  requestHeaders?: string[];
  answerHeaders?: Record<number, string[]>;
  /** Name of the error example for a 413, where the limit of the body is its own. */
  tooLarge?: string;
  /** Names of error examples for a 400, in addition to those of every body and query. */
  invalid?: string[];
  /** Name of the error example for a bad query, where the usual one is about parameters that it does not have. */
  invalidQuery?: string;
  /** What a 409 says, with the names of its error examples. */
  conflict?: { description: string; examples: string[] };
};

/** By operationId. */
export const OPERATION_NOTES: Record<string, OperationNotes> = {
  insertLead: {
    request: insertRequests,
    answers: insertAnswers,
    requestHeaders: ['IdempotencyKey'],
    answerHeaders: { 201: ['Location'] },
    invalid: ['invalid_lead', 'unknown_field', 'unknown_campaign'],
    invalidQuery: 'invalid_validate_only',
  },
  insertLeads: {
    request: batchRequests.json,
    ndjson: batchRequests.ndjson,
    answers: batchAnswers,
    requestHeaders: ['IdempotencyKey'],
    invalid: ['invalid_batch'],
    invalidQuery: 'invalid_validate_only',
    tooLarge: 'batch_too_large',
  },
  reconcileLeads: {
    request: reconcileRequests,
    answers: reconcileAnswers,
    invalid: ['invalid_reconciliation'],
    tooLarge: 'reconciliation_too_large',
  },
  listLeads: { answers: listAnswers },
  getLead: { answers: getAnswers, answerHeaders: { 200: ['ETag'] } },
  patchLead: {
    request: patchRequests,
    answers: patchAnswers,
    requestHeaders: ['IfMatch'],
    answerHeaders: { 200: ['ETag'], 409: ['ETag'] },
    invalid: ['fixed_field'],
    conflict: {
      description: 'The lead changed meanwhile: read it again, merge, try again.',
      examples: ['conflict'],
    },
  },
  getLeadHistory: { answers: historyAnswers },
  listLegacyLeads: { answers: legacyAnswers },
  listEvents: { answers: eventFeedAnswers },
  listWebhooks: { answers: webhookListAnswers },
  createWebhook: {
    request: createWebhookRequests,
    answers: createWebhookAnswers,
    invalid: ['invalid_webhook', 'webhook_limit_reached'],
  },
  getWebhook: { answers: getWebhookAnswers },
  patchWebhook: {
    request: patchWebhookRequests,
    answers: patchWebhookAnswers,
    invalid: ['invalid_webhook'],
  },
  deleteWebhook: { answers: deleteWebhookAnswers },
  rotateWebhookSecret: { answers: rotateWebhookSecretAnswers },
  listDeliveries: { answers: deliveryListAnswers },
  getDelivery: { answers: getDeliveryAnswers },
  retryDelivery: {
    answers: retryDeliveryAnswers,
    conflict: { description: 'The webhook is inactive.', examples: ['webhook_inactive'] },
  },
  createReplay: {
    request: createReplayRequests,
    answers: createReplayAnswers,
    invalid: ['invalid_replay'],
    conflict: {
      description: 'The webhook is inactive, or five replays of it are running.',
      examples: ['webhook_inactive', 'too_many_replays'],
    },
  },
  listReplays: { answers: replayListAnswers },
  getReplay: { answers: getReplayAnswers },
  cancelReplay: { answers: cancelReplayAnswers },
  testWebhook: {
    ...{ request: testWebhookRequests, isBodyOptional: true },
    answers: testWebhookAnswers,
  },
};
