import type { IncomingMessage } from 'node:http';

const SAFE = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The client's X-Request-Id where it has at most 128 safe characters, else a new one. */
export function requestIdOf(request: IncomingMessage, newId: () => string): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && SAFE.test(sent) ? sent : newId();
}
