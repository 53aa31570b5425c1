import type { KeyAnswers, KeyUsage } from '@leadwire/contract/dashboard';
import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { FairQueue } from '../../../platform/grouping/index.ts';
import { type ApiKeys, readNewKey, type SignatureChecker } from '../../api-keys/index.ts';
import type { RateLimits } from '../../rate-limits/index.ts';
import type { Refusals } from '../../refusals/index.ts';
import type { Statistics } from '../../statistics/index.ts';
import type { DashboardHandlers } from '../request.ts';

type Deps = {
  apiKeys: ApiKeys;
  refusals: Pick<Refusals, 'list'>;
  statistics: Pick<Statistics, 'series'>;
  heavyFigures: FairQueue;
  checkSignature: SignatureChecker;
  rateLimits: Pick<RateLimits, 'consume'>;
  clock: Clock;
};

// A check compares a signature some hundred times; a person who looks for a mistake asks now and then.
const CHECKS = { max: 30, windowSeconds: 60 };

type Handlers = DashboardHandlers<keyof KeyAnswers>;

/** API keys, how they are used, and why requests with them are refused. */
export function keyHandlers(deps: Deps): Handlers {
  return { ...managing(deps), ...watching(deps), checkSignature: checking(deps) };
}

function managing({ apiKeys, clock }: Deps) {
  return {
    listKeys: async ({ accountId }) => ({ keys: await apiKeys.list(accountId) }),

    async createKey({ accountId, body }) {
      const { scopes, rate_limit: limit } = body;
      const { key, secretKey } = await apiKeys.create({
        ...readNewKey(body, formatMicros(clock.nowMicros())),
        accountId,
        scopes,
        ...(limit ? { rateLimit: { max: limit.max, windowSeconds: limit.window_seconds } } : {}),
      });
      return { key, secret_key: secretKey };
    },

    getKey: ({ accountId, params }) => apiKeys.get(accountId, params.key),

    async rotateKey({ accountId, params, body }) {
      const overlapHours = body.overlap_hours;
      const rotated = await apiKeys.rotate(accountId, params.key, { overlapHours });
      const { key, secretKey, replaced } = rotated;
      return { key, secret_key: secretKey, replaced };
    },

    revokeKey: ({ accountId, params }) => apiKeys.revokeOne(accountId, params.key),
  } satisfies Partial<Handlers>;
}

function watching({ apiKeys, refusals, statistics, heavyFigures }: Deps) {
  return {
    async getKeyUsage({ accountId, params, query }) {
      const { id } = await apiKeys.get(accountId, params.key);
      const range = query.range ?? 'day';
      const wanted = { accountId, range, subject: id, metric: 'requests' as const };
      const series = await heavyFigures(accountId, () => statistics.series(wanted));
      const { step_seconds, points } = series;
      return { range, step_seconds, points: points.map(toUsage) };
    },

    async listRefusals({ accountId, params }) {
      const { id } = await apiKeys.get(accountId, params.key);
      return { refusals: await refusals.list(accountId, id) };
    },
  } satisfies Partial<Handlers>;
}

function toUsage({ at, outcomes }: { at: string; outcomes: Record<string, number> }) {
  const { accepted = 0, ...others } = outcomes;
  const refused = Object.values(others).reduce((sum, count) => sum + count, 0);
  return { at, accepted, refused } satisfies KeyUsage['points'][number];
}

function checking({ checkSignature, rateLimits }: Deps): Handlers['checkSignature'] {
  return async ({ accountId, person, body }) => {
    const decision = await rateLimits.consume(`signature-check/${person.id}`, CHECKS, 1);
    if (!decision.allowed) throw tooManyChecks(decision.resetSeconds);
    return checkSignature(accountId, body);
  };
}

const tooManyChecks = (seconds: number) =>
  new AppError({
    status: 429,
    code: 'rate_limited',
    message: `You may check ${CHECKS.max} signatures in a minute. Try again in ${seconds} seconds.`,
    headers: { 'retry-after': String(seconds) },
  });
