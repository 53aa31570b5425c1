import { SCOPES } from '@leadwire/contract';

type FieldError = { path: string; code: string; message: string };
type More = { errors?: FieldError[]; details?: Record<string, unknown> };

const REQUEST_ID = '019bc1a5-8f3a-7c4e-9d21-5b0e6f7a8c9d';

const failure = (summary: string, error: string, message: string, more: More = {}) => ({
  summary,
  value: { ok: false, error, message, request_id: REQUEST_ID, ...more },
});

const invalid = (summary: string, ...errors: FieldError[]) =>
  failure(
    summary,
    errors.map(({ message }) => message).join(', '),
    'The request has invalid or missing fields; `errors` names each of them.',
    { errors },
  );

const signatureDetails = {
  server_time: 1_768_473_000,
  skew_seconds: 0,
  string_to_sign:
    '1768473000\nGET\n/api/v1/insertion/leads\nlimit=10\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

const scopeRequired = Object.fromEntries(
  SCOPES.map((scope) => [
    scopeExample(scope),
    failure(
      `The key lacks ${scope}`,
      `scope_required:${scope}`,
      `This key lacks the scope ${scope}.`,
    ),
  ]),
);

/** The name of the example of a missing scope: examples have no colons in their names. */
export function scopeExample(scope: string): string {
  return `scope_required.${scope.replace(':', '.')}`;
}

/** components.examples: the typical failures, as the service words them. */
export const ERROR_EXAMPLES = {
  malformed_json: failure(
    'No JSON',
    'malformed_json',
    'The body is not valid JSON at position 1 (line 1 column 2).',
  ),
  empty_body: failure(
    'No body, or {}',
    'empty_body',
    'The request needs a JSON body with at least one field.',
  ),
  invalid_lead: invalid(
    'Fields that fail validation',
    {
      path: 'external_lead_id',
      code: 'required',
      message: 'external_lead_id is required',
    },
    {
      path: 'phone',
      code: 'format',
      message: 'phone must be in international format with a leading plus sign',
    },
  ),
  unknown_field: invalid('A field that leads do not have', {
    path: 'fist_name',
    code: 'unknown_field',
    message: 'fist_name is not a known field; put it into custom_fields',
  }),
  unknown_campaign: invalid('No campaign of the account', {
    path: 'campaign_id',
    code: 'unknown_campaign',
    message: 'campaign_id must be a campaign of this account',
  }),
  fixed_field: invalid('A field that stays as it was created', {
    path: 'campaign_id',
    code: 'fixed',
    message: 'campaign_id cannot be changed',
  }),
  invalid_batch: invalid('Too many rows, or none', {
    path: 'leads',
    code: 'count',
    message: 'leads must have 1 to 1000 entries',
  }),
  invalid_reconciliation: invalid('A row whose hash is none', {
    path: 'leads.0.content_hash',
    code: 'format',
    message: 'leads.0.content_hash must be a SHA-256 as 64 lower-case hex digits',
  }),
  invalid_validate_only: invalid('Neither true nor false', {
    path: 'validate_only',
    code: 'enum',
    message: 'validate_only must be true or false',
  }),
  invalid_webhook: invalid(
    'Fields that fail validation',
    { path: 'url', code: 'format', message: 'url must be an absolute http or https URL' },
    { path: 'events', code: 'too_few', message: 'events must have at least one entry' },
  ),
  webhook_limit_reached: failure(
    'The account has as many webhooks as it may',
    'webhook_limit_reached',
    'The account has 100 webhooks, as many as it may. Delete one that is no longer needed; inactive ones count too.',
  ),
  invalid_replay: invalid('A range that ends before it begins', {
    path: 'to',
    code: 'range',
    message: 'to must be later than from',
  }),
  webhook_inactive: failure(
    'Nothing is sent to an inactive webhook',
    'conflict',
    'The webhook is inactive, so that nothing is sent to it. Activate it first: on the dashboard, or PATCH it with {"active": true}.',
  ),
  too_many_replays: failure(
    'As many replays run as may for a webhook',
    'conflict',
    '5 replays of this webhook are running. Wait until one is done, or cancel one.',
  ),
  invalid_query: invalid('A parameter out of range', {
    path: 'limit',
    code: 'range',
    message: 'limit must be an integer from 1 to 100',
  }),
  missing_auth: failure(
    'No credentials at all',
    'missing_auth',
    'Send Authorization: Bearer lwsk_…, or sign the request with the X-Leadwire-* headers.',
  ),
  invalid_bearer: failure(
    'No valid key in Authorization',
    'invalid_bearer',
    'The Authorization header holds no key in use. It must read: Bearer lwsk_…',
  ),
  invalid_public_key: failure(
    'Unknown, revoked or malformed public key',
    'invalid_public_key',
    'X-Leadwire-Public-Key is not a key in use: unknown, malformed, expired or revoked.',
  ),
  signature_expired: failure(
    'Signed more than 300 seconds ago',
    'signature_expired',
    'X-Leadwire-Timestamp is more than 300 seconds from the time here. Sign each attempt anew; check the clock.',
    { details: { ...signatureDetails, skew_seconds: -412 } },
  ),
  invalid_signature: failure(
    'Wrong or missing signature',
    'invalid_signature',
    'X-Leadwire-Signature is not the signature of this request. `details.string_to_sign` is what the service signs.',
    { details: signatureDetails },
  ),
  ...scopeRequired,
  not_found: failure(
    'No such record in the account, or the endpoint is switched off',
    'not_found',
    'There is nothing here.',
  ),
  method_not_allowed: failure(
    'A method that the address does not have',
    'method_not_allowed',
    'This address answers GET, HEAD, POST.',
  ),
  conflict: failure(
    'If-Match is not the current ETag',
    'conflict',
    'If-Match is not the lead\'s current ETag, "3". Read it again, merge, and try again.',
  ),
  payload_too_large: failure(
    'The body is too large',
    'payload_too_large',
    'The body is larger than 256 KiB.',
  ),
  batch_too_large: failure(
    'The body is too large',
    'payload_too_large',
    'The body is larger than 5120 KiB.',
  ),
  reconciliation_too_large: failure(
    'The body is too large',
    'payload_too_large',
    'The body is larger than 2048 KiB.',
  ),
  rate_limited: failure(
    'The rate limit of the key is used up',
    'rate_limited',
    'The rate limit of this key is used up; wait for Retry-After seconds.',
  ),
  internal_error: failure(
    'A defect here',
    'internal_error',
    'Something went wrong here. It is safe to try again, with backoff.',
  ),
  unavailable: failure(
    'The store is out of reach',
    'unavailable',
    'The service cannot reach its store right now. Nothing was lost; send it again.',
  ),
};
