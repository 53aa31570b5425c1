import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How one request is answered; `cut` closes the connection without an answer. */
export type Step = 'cut' | { status: number; headers?: Record<string, string>; body: string };
export type Seen = { target: string; headers: Record<string, string>; body: string };

/** A service that answers by a list, the last entry for ever, and keeps what it was asked. */
export async function startFailingService(steps: Step[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const step = steps[Math.min(seen.length, steps.length - 1)] ?? 'cut';
    seen.push({
      target: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    if (step === 'cut') return request.socket.destroy();
    response.writeHead(step.status, { connection: 'close', ...step.headers }).end(step.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
