import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Lets busy clients go before the server closes. From the call on every answer says `Connection: close`, so that a client
 * that sends request after request leaves by itself; closing its socket at once would cut a request that is on its way.
 * @param graceMs how long to wait at most.
 */
export function createDrain(app: FastifyInstance): (graceMs: number) => Promise<void> {
  let isDraining = false;
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
  return async (graceMs) => {
    isDraining = true;
    const deadline = performance.now() + graceMs;
    while ((await countConnections(app)) > 0 && performance.now() < deadline) await wait(20);
  };
}

function countConnections(app: FastifyInstance): Promise<number> {
  return new Promise((resolve) => {
    app.server.getConnections((error, count) => resolve(error ? 0 : count));
  });
}
