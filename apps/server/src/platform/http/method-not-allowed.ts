import { METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { methodNotAllowed } from '../errors/index.ts';

const TUNNEL = 'CONNECT';

/**
 * Makes every method that an address does not have answer 405 with Allow; Fastify would say 404.
 * Call it before the first route.
 */
export function answerOtherMethods(app: FastifyInstance): void {
  const methods = METHODS.filter((method) => method !== TUNNEL);
  for (const method of methods) app.addHttpMethod(method, { hasBody: false });
  // addHttpMethod has reset those that do have a body.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    app.addHttpMethod(method, { hasBody: true });

  const allowedByUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const allowed = allowedByUrl.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) allowed.add(method);
    allowedByUrl.set(route.url, allowed);
  });
  app.decorate('closeRoutes', () => {
    for (const [url, allowed] of [...allowedByUrl]) {
      const others = methods.filter((method) => !allowed.has(method));
      const allow = [...allowed].sort();
      app.route({
        method: others as HTTPMethods[],
        url,
        config: { otherMethods: true },
        // Before a body is read: the answer does not depend on it.
        onRequest: async () => {
          throw methodNotAllowed(allow);
        },
        handler: async () => undefined,
      });
    }
  });
}
