import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable } from '../database/index.ts';
import { AppError, badRequest, notFound, payloadTooLarge, unavailable } from '../errors/index.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request was refused with. */
    failure: AppError | null;
  }
}

/** The one place where a failure becomes an answer. */
export function renderErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    return sendError(failureOf(error, request, reply), request, reply);
  });
  app.setNotFoundHandler((request, reply) => sendError(notFound(), request, reply));
}

/** What a client is told of a failure; a defect is logged. For a route that answers in another form than ours. */
export function failureOf(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): AppError {
  const failure = toAppError(error, request);
  // Closing while the client still sends would reset the connection, and the answer might never be read.
  if (failure.status === 413) reply.removeHeader('connection');
  if (failure.status >= 500) {
    request.log.error({ err: error, request_id: request.id }, 'request failed');
  }
  return failure;
}

export function sendError(failure: AppError, request: FastifyRequest, reply: FastifyReply) {
  request.failure = failure;
  return reply
    .code(failure.status)
    .headers(failure.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(failure, request.id)));
}

export function errorBody(failure: AppError, requestId: string) {
  return {
    ok: false,
    error: failure.code,
    message: failure.message,
    request_id: requestId,
    ...(failure.errors ? { errors: failure.errors } : {}),
    ...(failure.details ? { details: failure.details } : {}),
  };
}

function toAppError(error: FastifyError | AppError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return payloadTooLarge(request.routeOptions.bodyLimit ?? 0);
  }
  if (request.raw.readableAborted) return badRequest('The request ended before its body did.');
  if (isUnavailable(error)) return unavailable(error);
  if (error.statusCode && error.statusCode < 500)
    return badRequest('The request is not valid HTTP.');
  return new AppError({
    status: 500,
    code: 'internal_error',
    message: 'Something went wrong here. It is safe to try again, with backoff.',
    cause: error,
  });
}
