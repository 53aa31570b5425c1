import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../admission/index.ts';

export const READ = { feature: 'webhooks', scopes: ['leads:read'], hmac: false } as const;
/** What sends a lead's data needs both (contract section 5). */
export const CHANGE = {
  feature: 'webhooks',
  scopes: ['leads:write', 'leads:read'],
  hmac: false,
} as const;

export const TAGS = ['Deliveries'];
/** An answer that is JSON already. */
export const JSON_TYPE = 'application/json; charset=utf-8';

export const accountOf = (request: FastifyRequest): string => callerOf(request).key.accountId;
