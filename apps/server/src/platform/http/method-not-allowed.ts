import { METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { methodNotAllowed } from '../errors/index.ts';

// Node hands CONNECT over as a bare socket: see unusual-http.ts.
const METHODS_HERE = METHODS.filter((method) => method !== 'CONNECT');

/**
 * Makes every method that an address does not have answer 405 with Allow; Fastify would say 404.
 * Call it before the first route, and `closeRoutes` after the last one.
 */
export function answerOtherMethods(app: FastifyInstance): void {
  const known = new Set(app.supportedMethods);
  for (const method of METHODS_HERE) {
    if (!known.has(method)) app.addHttpMethod(method, { hasBody: false });
  }
  const methodsByUrl = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method }) => {
    methodsByUrl.set(url, [...(methodsByUrl.get(url) ?? []), ...[method].flat()]);
  });
  app.decorate('closeRoutes', () => {
    for (const [url, allowed] of allowedMethods(methodsByUrl)) refuseOthers(app, url, allowed);
  });
}

/** For each address its own methods and those of every pattern that it matches: /leads/batch is also a /leads/:id. */
function allowedMethods(methodsByUrl: Map<string, string[]>): [url: string, allowed: string[]][] {
  const urls = [...methodsByUrl.keys()];
  return urls.map((url) => {
    const matching = urls.filter((pattern) => matches(pattern, url));
    const allowed = matching.flatMap((pattern) => methodsByUrl.get(pattern) ?? []);
    return [url, [...new Set(allowed)].sort()];
  });
}

function matches(pattern: string, url: string): boolean {
  const segments = url.split('/');
  const wanted = pattern.split('/');
  return (
    wanted.length === segments.length &&
    wanted.every((segment, index) => segment.startsWith(':') || segment === segments[index])
  );
}

function refuseOthers(app: FastifyInstance, url: string, allowed: string[]): void {
  app.route({
    method: METHODS_HERE.filter((method) => !allowed.includes(method)) as HTTPMethods[],
    url,
    schema: { hide: true },
    // Before a body is read: the answer does not depend on it.
    onRequest: async () => {
      throw methodNotAllowed(allowed);
    },
    handler: async () => undefined,
  });
}
