import { isObject } from '@leadwire/contract/stored';
import {
  AuthenticationError,
  ConflictError,
  type Failure,
  type FieldError,
  LeadwireError,
  NotFoundError,
  RateLimitError,
  ScopeError,
  ServerError,
  ValidationError,
} from './errors.ts';
import { retryAfterMs } from './retry-after.ts';

/** An answer with its whole body. */
export type Received = { status: number; headers: Headers; text: string };

export const requestIdOf = (headers: Headers): string | undefined =>
  headers.get('x-request-id') ?? undefined;

/** The error of an answer that is no 2xx. What stands in front of the service may have sent it: its body can be anything. */
export function errorOf({ status, headers, text }: Received, nowMs: number): LeadwireError {
  const body = objectOf(text);
  const failure: Failure = {
    code: textOf(body.error) ?? `http_${status}`,
    status,
    requestId: requestIdOf(headers) ?? textOf(body.request_id),
    details: isObject(body.details) ? body.details : undefined,
  };
  const message = textOf(body.message) ?? `The answer was ${status}.`;
  const waitMs = retryAfterMs(headers.get('retry-after'), nowMs);
  if (status >= 500) return new ServerError(message, failure, waitMs);
  if (status === 400) return validationError(message, failure, body);
  if (status === 429) return new RateLimitError(message, failure, waitMs);
  const kind = KINDS[status] ?? LeadwireError;
  return new kind(message, failure);
}

const KINDS: Record<number, typeof LeadwireError> = {
  401: AuthenticationError,
  403: ScopeError,
  404: NotFoundError,
  409: ConflictError,
};

/** For failed validation `error` is a summary for people; its code is one that stays the same. */
function validationError(
  message: string,
  failure: Failure,
  { error, errors }: Record<string, unknown>,
): ValidationError {
  if (!Array.isArray(errors)) return new ValidationError(message, failure, []);
  return new ValidationError(
    textOf(error) ?? message,
    { ...failure, code: 'validation_failed' },
    errors.filter(isObject) as FieldError[],
  );
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
