import { AppError, invalid } from '../../platform/errors/index.ts';

export const webhookLimitReached = (limit: number) =>
  new AppError({
    status: 400,
    code: 'webhook_limit_reached',
    message: `The account has ${limit} webhooks, as many as it may. Delete one that is no longer needed; inactive ones count too.`,
  });

export const badCursor = () =>
  invalid([
    { path: 'cursor', code: 'format', message: 'cursor must be a nextCursor of an earlier page' },
  ]);
