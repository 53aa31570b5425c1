/**
 * Endpoints that misbehave, each on a port of its own: never answers, drips a byte a second, sends a
 * body without end, cuts the connection, has a certificate nobody signed.
 */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { SELF_SIGNED } from '../../../../apps/server/test/support/self-signed.ts';
import { serveControl } from '../control.ts';

const CHUNK = Buffer.alloc(16 * 1024, 'x');

let requests = 0;

const kinds: Record<string, RequestListener> = {
  hang: () => undefined,
  drip: (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 1000);
    response.on('close', () => clearInterval(timer));
  },
  endless: (_request, response) => {
    response.writeHead(500);
    pour(response);
  },
  reset: (request) => request.socket.resetAndDestroy(),
};

function pour(response: ServerResponse): void {
  if (response.destroyed) return;
  if (response.write(CHUNK)) setImmediate(pour, response);
  else response.once('drain', () => pour(response));
}

function listen(server: Server | ReturnType<typeof createTlsServer>): Promise<number> {
  server.on('error', console.error);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

const counted =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    requests += 1;
    request.resume();
    response.on('error', () => undefined);
    listener(request, response);
  };

const urls: string[] = [];
for (const [kind, listener] of Object.entries(kinds)) {
  urls.push(`http://127.0.0.1:${await listen(createServer(counted(listener)))}/${kind}`);
}
const never = createTlsServer(
  SELF_SIGNED,
  counted((_request, response) => response.end()),
);
urls.push(`https://127.0.0.1:${await listen(never)}/self-signed`);
urls.push('http://nope.invalid/unresolvable');

serveControl({ '/urls': () => urls, '/requests': () => requests });
