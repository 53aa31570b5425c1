import { exampleRef, headerRef } from './components.ts';
import { scopeExample } from './examples/errors.ts';
import type { OperationNotes } from './notes.ts';
import type { ApiRoute } from './routes.ts';
import type { Json, JsonObject } from './schemas.ts';

const ERROR = { $ref: '#/components/schemas/Error' };
const headers = (names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [headerName(name), headerRef(name)]));

const HEADER_NAMES: Record<string, string> = {
  RequestId: 'X-Request-Id',
  RateLimitPolicy: 'RateLimit-Policy',
  RetryAfter: 'Retry-After',
  WWWAuthenticate: 'WWW-Authenticate',
};
const headerName = (name: string) => HEADER_NAMES[name] ?? name;

// Answers to a caller who is known say what is left of its limit.
const AUTHENTICATED = ['RateLimit', 'RateLimitPolicy'];

/** The headers of an answer: those of all answers, and `own`. */
export const answerHeaders = (own: string[] = []): JsonObject =>
  headers(['RequestId', ...AUTHENTICATED, ...own]);

/** What every failure of one route can be, by status, as the contract names them (section 6). */
export function failuresOf(route: ApiRoute, notes: OperationNotes): JsonObject {
  const { body, querystring } = route.schema;
  const bad = [
    ...(body ? ['malformed_json', 'empty_body'] : []),
    ...(querystring ? [notes.invalidQuery ?? 'invalid_query'] : []),
    ...(notes.invalid ?? []),
  ];
  const signature = ['invalid_public_key', 'signature_expired', 'invalid_signature'];
  return {
    ...(bad.length > 0 && { 400: failure('Malformed or invalid; not worth a retry.', bad) }),
    401: beforeLimit(
      'Not authenticated.',
      ['missing_auth', ...(route.access.hmac ? signature : []), 'invalid_bearer'],
      ['WWWAuthenticate'],
    ),
    403: failure(
      `The key lacks the scope ${route.access.scopes.join(' or ')}.`,
      route.access.scopes.map(scopeExample),
    ),
    404: failure('No such record in the account, or the endpoint is switched off.', ['not_found']),
    ...(notes.conflict && {
      409: failure(notes.conflict.description, notes.conflict.examples, notes.answerHeaders?.[409]),
    }),
    // Also where a body means nothing: it is read up to the limit all the same.
    ...(route.method !== 'GET' && {
      413: failure('The body is too large.', [notes.tooLarge ?? 'payload_too_large']),
    }),
    429: failure('Wait Retry-After, then try again.', ['rate_limited'], ['RetryAfter']),
    500: failure('A defect here; safe to retry with backoff.', ['internal_error']),
    503: failure('The store is out of reach; safe to retry.', ['unavailable'], ['RetryAfter']),
    default: beforeLimit(
      'Any other failure has the same form, e.g. 405 for another method.',
      ['method_not_allowed'],
      ['Allow'],
    ),
  };
}

function failure(description: string, examples: string[], own?: string[]): Json {
  return { description, headers: answerHeaders(own), content: errorContent(examples) };
}

/** Before the key is known there is no limit to tell of. */
function beforeLimit(description: string, examples: string[], own: string[]): Json {
  return { description, headers: headers(['RequestId', ...own]), content: errorContent(examples) };
}

const errorContent = (names: string[]): JsonObject => ({
  'application/json': {
    schema: ERROR,
    examples: Object.fromEntries(names.map((name) => [name, exampleRef(name)])),
  },
});
