import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How a server lets its clients go. */
export type Drain = (times: { graceMs: number; atMostMs: number }) => Promise<void>;

/**
 * Closes the application without cutting a request. For `graceMs` every answer says `Connection: close`, so that a client that
 * sends request after request leaves by itself: closing its socket at once would cut a request that is on its way. Then
 * connections that carry no request are closed; what is left after `atMostMs` is a client that does not finish its request, and is cut.
 */
export function createDrain(app: FastifyInstance): Drain {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let isDraining = false;
  app.addHook('onRequest', (_request, reply, done) => {
    if (isDraining) reply.header('connection', 'close');
    done();
  });
  return async ({ graceMs, atMostMs }) => {
    isDraining = true;
    for (const socket of sockets) endAfterAnswer(socket);
    const graceEnds = performance.now() + graceMs;
    while (sockets.size > 0 && performance.now() < graceEnds) await wait(20);
    const cut = setTimeout(() => app.server.closeAllConnections(), atMostMs - graceMs);
    const closed = app.close();
    // To Node a connection that never sent a byte is not idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    await closed;
    clearTimeout(cut);
  };
}

/**
 * The answer that is being made says `Connection: close` too. What takes longer than the grace, such as checking a password, would
 * else leave a connection that nobody closes. Node has no other way from a connection to its answer.
 */
function endAfterAnswer(socket: Socket): void {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (answer && !answer.headersSent) answer.setHeader('connection', 'close');
}
