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

type Example = { summary?: string; value: unknown };
export type Examples = Record<string, Example>;

/** What cannot be read off a route: its examples, and the headers and failures that are its own. */
export type OperationNotes = {
  request?: Examples;
  /** One JSON object a line, beside application/json. */
  ndjson?: Examples;
  /** By status. */
  answers: Record<number, Examples>;
  requestHeaders?: string[];
  answerHeaders?: Record<number, string[]>;
  /** Names of error examples for a 400, in addition to those of every body and query. */
  invalid?: string[];
  conflict?: boolean;
};

/** By operationId. */
export const OPERATION_NOTES: Record<string, OperationNotes> = {
  insertLead: {
    request: insertRequests,
    answers: insertAnswers,
    requestHeaders: ['IdempotencyKey'],
    answerHeaders: { 201: ['Location'] },
    invalid: ['invalid_lead', 'unknown_field', 'unknown_campaign'],
  },
  insertLeads: {
    request: batchRequests.json,
    ndjson: batchRequests.ndjson,
    answers: batchAnswers,
    requestHeaders: ['IdempotencyKey'],
    invalid: ['invalid_batch'],
  },
  listLeads: { answers: listAnswers },
  getLead: { answers: getAnswers, answerHeaders: { 200: ['ETag'] } },
  patchLead: {
    request: patchRequests,
    answers: patchAnswers,
    requestHeaders: ['IfMatch'],
    answerHeaders: { 200: ['ETag'], 409: ['ETag'] },
    invalid: ['fixed_field'],
    conflict: true,
  },
  getLeadHistory: { answers: historyAnswers },
  listLegacyLeads: { answers: legacyAnswers },
};
