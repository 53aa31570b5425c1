import { LIMITS } from '@leadwire/contract';
import { ERROR_EXAMPLES } from './examples/errors.ts';
import { type JsonObject, namedSchemas } from './schemas.ts';

const apiKeyHeader = (name: string, description: string): JsonObject => ({
  ...{ type: 'apiKey', in: 'header', name, description },
});

const SECURITY_SCHEMES: JsonObject = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'lwsk_…',
    description: '`Authorization: Bearer lwsk_…`, the secret key itself. Taken everywhere.',
  },
  hmacPublicKey: apiKeyHeader(
    'X-Leadwire-Public-Key',
    'HMAC, with the two others: the public key, `lwpk_…`.',
  ),
  hmacTimestamp: apiKeyHeader(
    'X-Leadwire-Timestamp',
    `HMAC, with the two others: Unix seconds, within ±${LIMITS.signatureWindowSeconds} of the time here.`,
  ),
  hmacSignature: apiKeyHeader(
    'X-Leadwire-Signature',
    'HMAC, with the two others: lower-case hex of HMAC-SHA256, keyed with the secret key, over five lines joined by `\\n`: timestamp, METHOD, path as sent, raw query as sent without `?`, lower-case hex SHA-256 of the raw body.',
  ),
};

const header = (description: string, schema: JsonObject, example: string | number): JsonObject => ({
  ...{ description, schema, example },
});
/** One that is there whenever the answer is. */
const required = (...parts: Parameters<typeof header>): JsonObject => ({
  ...{ required: true, ...header(...parts) },
});
const text = { type: 'string' };

const HEADERS: JsonObject = {
  RequestId: required(
    'The X-Request-Id that was sent, or a new one. It stands in the logs of the service.',
    text,
    '019bc1a5-8f3a-7c4e-9d21-5b0e6f7a8c9d',
  ),
  RateLimit: header(
    'What is left of the rate limit of the key, and the seconds until its window rolls over. Absent where the key has no limit.',
    text,
    '"default";r=5999;t=60',
  ),
  RateLimitPolicy: header(
    'The rate limit of the key: requests, and seconds of the fixed window.',
    text,
    '"default";q=6000;w=60',
  ),
  RetryAfter: required(
    'Whole seconds to wait before the next try.',
    { type: 'integer', minimum: 1 },
    17,
  ),
  ETag: required('Changes with every write of the lead. Send it back as If-Match.', text, '"3"'),
  Location: required(
    'Where the new lead is.',
    { type: 'string', format: 'uri-reference' },
    '/api/v1/insertion/leads/019bc1a5-8f3b-7d10-8a44-c6b1d2e3f405',
  ),
  WWWAuthenticate: required('RFC 9110 wants it of a 401.', text, 'Bearer'),
  Allow: header('With a 405: the methods that the address has.', text, 'GET, HEAD, POST'),
};

const PARAMETERS: JsonObject = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Your id of the request, at most 128 characters of `A-Z a-z 0-9 . _ : / + = -`; others are replaced.',
    schema: { type: 'string' },
    example: 'crm-20260115-42',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Accepted and logged, nothing more: (account, campaign_id, external_lead_id) makes a post idempotent.',
    schema: { type: 'string' },
    example: 'partner-0001-1',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the lead that you read. 409 where the lead has changed since.',
    schema: { type: 'string' },
    example: '*',
  },
};

/** Everything that operations share by $ref. */
export const components = (): JsonObject => ({
  securitySchemes: SECURITY_SCHEMES,
  schemas: namedSchemas(),
  headers: HEADERS,
  parameters: PARAMETERS,
  examples: ERROR_EXAMPLES as unknown as JsonObject,
});

export const headerRef = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });
export const parameterRef = (name: string): JsonObject => ({
  $ref: `#/components/parameters/${name}`,
});
export const exampleRef = (name: string): JsonObject => ({ $ref: `#/components/examples/${name}` });
