import type { Scope } from '@leadwire/contract';
import { AppError } from '../../platform/errors/index.ts';

export const rateLimited = (decision: { resetSeconds: number }, message: string) =>
  new AppError({
    status: 429,
    code: 'rate_limited',
    message,
    headers: { 'retry-after': String(decision.resetSeconds) },
  });

export const scopeRequired = (scope: Scope) =>
  new AppError({
    status: 403,
    code: `scope_required:${scope}`,
    message: `This key lacks the scope ${scope}.`,
  });
