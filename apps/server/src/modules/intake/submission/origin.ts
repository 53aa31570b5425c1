import type { FastifyReply, FastifyRequest } from 'fastify';
import { originNotAllowed } from './errors.ts';

const EXPOSED = 'retry-after, ratelimit, ratelimit-policy, x-request-id';
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of the form's origins read the answer, whatever it is (Fetch standard, CORS protocol). A form without a list takes every
 * origin; one with a list takes those, and our own pages. Never with credentials: nothing here depends on who somebody is.
 * @throws AppError 403 for another origin, and for none at all where there is a list
 */
export function admitOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  { allowed, publicUrl }: { allowed: readonly string[]; publicUrl: string },
): void {
  const { origin } = request.headers;
  reply.header('vary', 'Origin, Accept');
  const isAllowed =
    allowed.length === 0 ||
    (origin !== undefined && allowed.includes(origin)) ||
    isOwnOrigin(request, publicUrl);
  if (!isAllowed) throw originNotAllowed();
  if (origin === undefined) return;
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-expose-headers', EXPOSED);
}

/** Whether a page of ours sent it. */
export const isOwnOrigin = ({ headers }: FastifyRequest, publicUrl: string): boolean =>
  headers.origin !== undefined &&
  (headers.origin === publicUrl || isAt(headers.origin, headers.host));

const isAt = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host;

/** The answer to a preflight: what a page may send. */
export function answerPreflight(reply: FastifyReply) {
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, accept',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    })
    .send();
}
