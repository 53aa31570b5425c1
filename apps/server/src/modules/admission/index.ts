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
  /** All of these are needed; the first one that lacks is named. */
  scopes: readonly [Scope, ...Scope[]];
  hmac: boolean;
  /** The route charges the bucket itself, by what its body holds; admission only asks that anything is left. */
  chargedByRoute?: boolean;
};

/** Who sent the request: set on every route with an Access once it is admitted. */
export type Caller = { key: VerifiedKey; limit: RateLimit };

type StoredKey = Awaited<ReturnType<KeyVerifier['find']>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** The key that it names, also where it is refused: unknown keys alone leave it null. For HMAC anyone can name one. */
    sender: VerifiedKey | null;
    /** What the head of the request brought, until its body is here. */
    presented: { credentials: Credentials; atMs: number } | null;
  }
}

type Deps = {
  verifier: KeyVerifier;
  rateLimits: RateLimits;
  failedAuth: FailedAuthLimit;
  featuresOff: readonly Feature[];
  onRateLimited: (reason: 'key' | 'address') => void;
};

// A body may take half a minute to arrive; a key may be revoked meanwhile.
const RECHECK_AFTER_MS = 100;

const DEFAULT_LIMIT: RateLimit = { max: 6000, windowSeconds: 60 };

export type Admission = {
  /** Takes `cost` units from the caller's bucket. @throws AppError 429 where fewer are left; nothing is taken then. */
  charge(request: FastifyRequest, reply: FastifyReply, cost: number): Promise<void>;
  /** Lets a request without credentials in as one of `key`, e.g. that of a form: it counts as a use of the key; to be charged next. */
  actFor(request: FastifyRequest, key: VerifiedKey): void;
};

/**
 * The checks that every request of the public API passes, in the order of contract section 5: authentication, rate limit,
 * feature flag, scope. With a Bearer key all of them come before a byte of the body is read; a signature covers
 * the body and is checked when it is here.
 */
export function registerAdmission(app: FastifyInstance, deps: Deps): Admission {
  app.decorateRequest('caller', null);
  app.decorateRequest('sender', null);
  app.decorateRequest('presented', null);

  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config;
    if (!access) return;
    const credentials = readCredentials(request.headers, access);
    refuseBlocked(request, credentials);
    let key: StoredKey;
    try {
      if (!credentials) throw missingAuth();
      key = await deps.verifier.find(credentials, (named) => {
        request.sender = named;
      });
    } catch (error) {
      throw countFailure(request, error);
    }
    request.presented = { credentials, atMs: performance.now() };
    if (credentials.scheme === 'bearer') await admit(request, reply, key, access);
  });

  app.addHook('preValidation', (request, reply, done) => {
    const { presented } = request;
    if (!presented) return done();
    const isFresh = performance.now() - presented.atMs < RECHECK_AFTER_MS;
    if (isFresh && presented.credentials.scheme === 'bearer') return done();
    admitBody(request, reply, presented).then(() => done(), done);
  });

  /** The body is here: a signature can be checked, and a key that was good when the head came is looked at again. */
  async function admitBody(
    request: FastifyRequest,
    reply: FastifyReply,
    { credentials }: NonNullable<FastifyRequest['presented']>,
  ) {
    const { access } = request.routeOptions.config;
    if (!access) return;
    try {
      const key = await deps.verifier.find(credentials);
      if (credentials.scheme === 'bearer') return;
      checkSignature(request, key, credentials);
      await admit(request, reply, key, access);
    } catch (error) {
      throw countFailure(request, error);
    }
  }

  function checkSignature(request: FastifyRequest, key: StoredKey, credentials: Credentials) {
    if (credentials.scheme !== 'hmac') return;
    deps.verifier.checkSignature(key, credentials.signature, {
      timestamp: credentials.timestamp,
      method: request.method,
      target: request.raw.url ?? '',
      body: request.body as Buffer | undefined,
    });
  }

  /** Beyond the limit of failures of an address only keys that were good before are looked up. */
  function refuseBlocked(request: FastifyRequest, credentials: Credentials | null) {
    if (!deps.failedAuth.blocked(request.ip)) return;
    if (credentials && deps.verifier.wasGood(credentials)) return;
    throw refuseAddress(deps.failedAuth.record(request.ip));
  }

  /** Counts a failed authentication of the client's address. @returns what is to be thrown. */
  function countFailure(request: FastifyRequest, error: unknown): unknown {
    if (!(error instanceof AppError) || error.status !== 401) return error;
    const decision = deps.failedAuth.record(request.ip);
    return decision.allowed ? error : refuseAddress(decision);
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
    actFor(request, key);
    const refusal = refusalOf(key, access);
    // What is refused here never comes to the route, which would charge for it.
    await charge(request, reply, access.chargedByRoute && !refusal ? 0 : 1);
    if (refusal) throw refusal;
  }

  function refusalOf(key: VerifiedKey, { feature, scopes }: Access): AppError | null {
    if (deps.featuresOff.includes(feature) || key.featuresOff.includes(feature)) return notFound();
    const missing = scopes.find((scope) => !key.scopes.has(scope));
    return missing ? scopeRequired(missing) : null;
  }

  function actFor(request: FastifyRequest, key: VerifiedKey) {
    request.sender = key;
    request.caller = { key, limit: key.rateLimit ?? DEFAULT_LIMIT };
    request.logFields = { key: key.publicKey };
    deps.verifier.recordUse(key);
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

  return { charge, actFor };
}

/** The account that a request was admitted to. */
export const accountOf = (request: FastifyRequest): string => callerOf(request).key.accountId;

/** The caller of a request that was admitted. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('A route that needs a caller has no access in its config.');
  return request.caller;
}
