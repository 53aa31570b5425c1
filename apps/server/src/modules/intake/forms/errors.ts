import { AppError } from '../../../platform/errors/index.ts';

export const formLimitReached = (limit: number) =>
  new AppError({
    status: 409,
    code: 'form_limit_reached',
    message: `The account has ${limit} forms, as many as it may. Change one that is no longer needed.`,
  });
