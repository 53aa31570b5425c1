import { AppError } from '../../platform/errors/index.ts';

export const accountNotFound = (reference: string) =>
  new AppError({
    status: 404,
    code: 'not_found',
    message: `There is no account "${reference}". Give the id of an account, or default.`,
  });
