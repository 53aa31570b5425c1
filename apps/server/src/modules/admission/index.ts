import type { Feature, Scope } from '@leadwire/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, notFound } from '../../platform/errors/index.ts';
import {
  type Credentials,
  type KeyVerifier,
  missingAuth,
  readCredentials,
  type VerifiedKey,
} from '../api-keys/index.ts';
import {
  type FailedAuthLimit,
  type RateDecision,
  type RateLimit,
  type RateLimits,
  rateLimitHeaders,
} from '../rate-limits/index.ts';
import { rateLimited, scopeRequired } from './errors.ts';

/** What a route of the public API asks of its caller. A route without it is open to everyone. */
export type Access = {
  feature: Feature;
  scope: Scope;
  hmac: boolean;
  /** The route charges the bucket itself, by what its body holds; admission only asks that anything is left. */
  chargedByRoute?: boolean;
};

/** Who sent the request: set on every route with an Access once it is admitted. */
export type Caller = { key: VerifiedKey; limit: RateLimit };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** A signed request whose body has not been read yet. */
    unverified: { key: Awaited<ReturnType<KeyVerifier['find']>>; credentials: Credentials } | null;
  }
}

type Deps = {
  verifier: KeyVerifier;
  rateLimits: RateLimits;
  failedAuth: FailedAuthLimit;
  featuresOff: readonly Feature[];
  onRateLimited: (reason: 'key' | 'address') => void;
};

const DEFAULT_LIMIT: RateLimit = { max: 6000, windowSeconds: 60 };

export type Admission = {
  /** Takes `cost` units from the caller's bucket. @throws AppError 429 where fewer are left; nothing is taken then. */
  charge(request: FastifyRequest, reply: FastifyReply, cost: number): Promise<void>;
};

/**
 * The checks that every request of the public API passes, in the order of contract section 5: authentication, rate limit,
 * feature flag, scope. With a Bearer key all of them come before a byte of the body is read; a signature covers
 * the body and is checked when it is here.
 */
export function registerAdmission(app: FastifyInstance, deps: Deps): Admission {
  app.decorateRequest('caller', null);
  app.decorateRequest('unverified', null);

  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config;
    if (!access) return;
    const credentials = readCredentials(request.headers, access);
    const key = await orCountFailure(request, credentials, () => {
      if (!credentials) throw missingAuth();
      return deps.verifier.find(credentials);
    });
    if (credentials?.scheme === 'hmac') request.unverified = { key, credentials };
    else await admit(request, reply, key, access);
  });

  app.addHook('preValidation', (request, reply, done) => {
    if (request.unverified) admitSigned(request, reply).then(() => done(), done);
    else done();
  });

  async function admitSigned(request: FastifyRequest, reply: FastifyReply) {
    const { access } = request.routeOptions.config;
    if (!access || !request.unverified) return;
    const { key, credentials } = request.unverified;
    await orCountFailure(request, credentials, async () =>
      checkSignature(request, key, credentials),
    );
    await admit(request, reply, key, access);
  }

  function checkSignature(
    request: FastifyRequest,
    key: Parameters<KeyVerifier['checkSignature']>[0],
    credentials: Credentials,
  ) {
    if (credentials.scheme !== 'hmac') return;
    deps.verifier.checkSignature(key, credentials.signature, {
      timestamp: credentials.timestamp,
      method: request.method,
      target: request.raw.url ?? '',
      body: request.body as Buffer | undefined,
    });
  }

  /** Counts failed authentication per client address; beyond the limit only keys that were good before are looked up. */
  async function orCountFailure<T>(
    request: FastifyRequest,
    credentials: Credentials | null,
    check: () => Promise<T>,
  ): Promise<T> {
    const isBlocked = await deps.failedAuth.blocked(request.ip);
    if (isBlocked && !(credentials && deps.verifier.wasGood(credentials))) {
      throw refuseAddress(await deps.failedAuth.record(request.ip));
    }
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 401) throw error;
      const decision = await deps.failedAuth.record(request.ip);
      throw decision.allowed ? error : refuseAddress(decision);
    }
  }

  function refuseAddress(decision: RateDecision): AppError {
    deps.onRateLimited('address');
    return rateLimited(decision, 'Too many requests from this address failed authentication.');
  }

  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    key: VerifiedKey,
    access: Access,
  ) {
    request.caller = { key, limit: key.rateLimit ?? DEFAULT_LIMIT };
    request.logFields = { key: key.publicKey };
    deps.verifier.recordUse(key);
    await charge(request, reply, access.chargedByRoute ? 0 : 1);
    if (deps.featuresOff.includes(access.feature) || key.featuresOff.includes(access.feature)) {
      throw notFound();
    }
    if (!key.scopes.has(access.scope)) throw scopeRequired(access.scope);
  }

  async function charge(request: FastifyRequest, reply: FastifyReply, cost: number) {
    const { key, limit } = callerOf(request);
    const decision = await deps.rateLimits.consume(key.id, limit, cost);
    const headers = rateLimitHeaders(decision);
    if (headers) reply.headers(headers);
    if (decision.allowed) return;
    deps.onRateLimited('key');
    throw rateLimited(
      decision,
      'The rate limit of this key is used up; wait for Retry-After seconds.',
    );
  }

  return { charge };
}

/** The caller of a request that was admitted. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('A route that needs a caller has no access in its config.');
  return request.caller;
}
