import { AppError, type FieldError } from './app-error.ts';

export { AppError, type FieldError };

/** One factory for each condition that any module may meet; conditions of one module live in its errors.ts. */

export const notFound = () =>
  new AppError({ status: 404, code: 'not_found', message: 'There is nothing here.' });

export const methodNotAllowed = (allowed: string[]) =>
  new AppError({
    status: 405,
    code: 'method_not_allowed',
    message: `This address answers ${allowed.join(', ')}.`,
    headers: { allow: allowed.join(', ') },
  });

export const malformedJson = (message: string) =>
  new AppError({ status: 400, code: 'malformed_json', message });

export const emptyBody = () =>
  new AppError({
    status: 400,
    code: 'empty_body',
    message: 'The request needs a JSON body with at least one field.',
  });

/** Summary of failed validation: the constraints, comma-separated, in the order of the fields. */
export const invalid = (errors: FieldError[]) =>
  new AppError({
    status: 400,
    code: errors.map((error) => error.message).join(', '),
    message: 'The request has invalid or missing fields; `errors` names each of them.',
    errors,
  });

export const payloadTooLarge = (limitBytes: number) =>
  new AppError({
    status: 413,
    code: 'payload_too_large',
    message: `The body is larger than ${limitBytes / 1024} KiB.`,
  });

export const badRequest = (message: string) =>
  new AppError({ status: 400, code: 'bad_request', message });

export const conflict = (message: string) =>
  new AppError({ status: 409, code: 'conflict', message });

/** The store is out of reach; nothing was acknowledged, so the client may safely send again. */
export const unavailable = (cause?: unknown) =>
  new AppError({
    status: 503,
    code: 'unavailable',
    message: 'The service cannot reach its store right now. Nothing was lost; send it again.',
    headers: { 'retry-after': '1' },
    cause,
  });
