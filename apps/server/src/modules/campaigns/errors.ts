import { AppError } from '../../platform/errors/index.ts';

export const campaignNotFound = (id: number) =>
  new AppError({
    status: 404,
    code: 'not_found',
    message: `The account has no campaign ${id}.`,
  });
