import { AppError, type FieldError, invalid } from '../../../platform/errors/index.ts';
import type { RateDecision } from '../../rate-limits/index.ts';

export const originNotAllowed = () =>
  new AppError({
    status: 403,
    code: 'origin_not_allowed',
    message:
      'This form may not be sent from pages of this origin. Add it to the allowed origins of the form.',
  });

/** Not told apart from a mistake by silence: a person whose browser filled in too much must be able to send again. */
export const looksAutomated = () =>
  new AppError({
    status: 400,
    code: 'looks_automated',
    message:
      'This looked as if a program had filled in the form, and nothing was stored. If you are a person, send it again.',
  });

export const tooManyFromAddress = ({ resetSeconds }: Pick<RateDecision, 'resetSeconds'>) =>
  new AppError({
    status: 429,
    code: 'rate_limited',
    message: 'This address has sent the form too often; wait for Retry-After seconds.',
    headers: { 'retry-after': String(resetSeconds) },
  });

export const unreadable = (message: string) => invalid([{ path: '', code: 'format', message }]);

export const tooManyInputs = (max: number) =>
  invalid([{ path: '', code: 'too_many', message: `the form must have at most ${max} inputs` }]);

export const fieldError = (path: string, code: string, message: string): FieldError => ({
  ...{ path, code, message },
});
