import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../admission/index.ts';
import type { Source } from '../lead.ts';

/** Who changes a lead by this request. */
export const sourceOf = (request: FastifyRequest): Source => ({
  actorType: 'api_key',
  actorId: callerOf(request).key.publicKey,
  requestId: request.id,
  address: request.ip,
});

export const READ = { feature: 'insertion', scopes: ['leads:read'], hmac: true } as const;
export const WRITE = { feature: 'insertion', scopes: ['leads:write'], hmac: true } as const;
