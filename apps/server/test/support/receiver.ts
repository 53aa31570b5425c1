import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Json } from './call.ts';
import { eventually } from './eventually.ts';
import { SELF_SIGNED } from './self-signed.ts';

/** One request that arrived, with its whole body. */
export type Received = {
  /** webhook-id, webhook-timestamp and webhook-signature as sent; empty where missing. */
  id: string;
  timestamp: string;
  signature: string;
  headers: IncomingHttpHeaders;
  method: string;
  path: string;
  body: string;
  /** Of the body; throws where it is no JSON. */
  readonly json: Json;
  readonly type: string;
  /** Of Date.now(). */
  at: number;
};

/**
 * How a request is answered: a status, an answer in full, or one of the ways of an endpoint that is broken.
 * hang: no answer. slow-headers: a header now and then, without end. drip: 200 and a byte of body now and then, without end.
 * endless: 200 and a body as fast as it is read, without end. reset: the connection is cut. garbage: no HTTP.
 */
export type Reply =
  | number
  | { status: number; headers?: Record<string, string>; body?: string | Buffer }
  | 'hang'
  | 'slow-headers'
  | 'drip'
  | 'endless'
  | 'reset'
  | 'garbage';
type Replying = Reply | Reply[] | ((request: Received) => Reply | Promise<Reply>);

export type Receiver = {
  url: string;
  port: number;
  requests: Received[];
  /** Sets how requests are answered from now on; of a list one after the other, the last for ever. */
  respond(reply: Replying): void;
  /** Waits until so many requests arrived, or until those that satisfy a condition are there. @returns those. */
  waitFor(
    wanted: number | ((request: Received) => boolean),
    options?: { deadlineMs?: number },
  ): Promise<Received[]>;
  /** Connections ever made, connections now open, requests now unanswered and the most of these at one time. */
  readonly load: { connections: number; open: number; inFlight: number; maxInFlight: number };
  close(): Promise<void>;
};

const NOW_AND_THEN_MS = 200;

/** An endpoint on loopback that keeps what it gets; 204 unless told otherwise. With `tls` its certificate is signed by nobody. */
export async function startReceiver(
  options: { respond?: Replying; tls?: boolean; port?: number } = {},
): Promise<Receiver> {
  const requests: Received[] = [];
  const sockets = new Set<Socket>();
  const load = { connections: 0, open: 0, inFlight: 0, maxInFlight: 0 };
  let next = replier(options.respond ?? 204);
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    load.inFlight++;
    load.maxInFlight = Math.max(load.maxInFlight, load.inFlight);
    outgoing.once('close', () => load.inFlight--);
    const request = await readRequest(incoming).catch(() => null);
    if (!request) return;
    requests.push(request);
    reply(outgoing, await next(request));
  };
  const server = options.tls
    ? createHttpsServer({ ...SELF_SIGNED, requestTimeout: 0 }, answer)
    : createHttpServer({ requestTimeout: 0 }, answer);
  server.on('connection', (socket: Socket) => {
    load.connections++;
    load.open++;
    sockets.add(socket.unref());
    socket.on('error', () => undefined);
    socket.once('close', () => {
      load.open--;
      sockets.delete(socket);
    });
  });
  server.on('tlsClientError', () => undefined);
  server.listen({ port: options.port ?? 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  // One that a failed test left open must not keep its file from ending.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    port,
    requests,
    load,
    respond(reply) {
      next = replier(reply);
    },
    waitFor: (wanted, waiting) => eventually(() => enough(requests, wanted), waiting),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function enough(
  requests: Received[],
  wanted: number | ((request: Received) => boolean),
): Received[] {
  if (typeof wanted === 'number') {
    if (requests.length >= wanted) return [...requests];
    throw new Error(`${requests.length} of ${wanted} requests arrived`);
  }
  const found = requests.filter(wanted);
  if (found.length > 0) return found;
  const seen = requests.slice(-5).map(({ path, id }) => `${path} ${id}`);
  throw new Error(`none of ${requests.length} requests is the wanted one, last: ${seen}`);
}

function replier(replying: Replying): (request: Received) => Reply | Promise<Reply> {
  if (typeof replying === 'function') return replying;
  if (!Array.isArray(replying)) return () => replying;
  const rest = [...replying];
  return () => (rest.length > 1 ? rest.shift() : rest[0]) ?? 204;
}

async function readRequest(incoming: IncomingMessage): Promise<Received> {
  const at = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const header = (name: string) => String(incoming.headers[name] ?? '');
  return {
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signature: header('webhook-signature'),
    headers: incoming.headers,
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    body,
    get json() {
      return JSON.parse(body);
    },
    get type() {
      return JSON.parse(body).type;
    },
    at,
  };
}

function reply(outgoing: ServerResponse, how: Reply): void {
  if (typeof how === 'number') outgoing.writeHead(how).end();
  else if (typeof how === 'object') outgoing.writeHead(how.status, how.headers).end(how.body);
  else MISBEHAVIOUR[how](outgoing);
}

const MISBEHAVIOUR = {
  hang: () => undefined,
  'slow-headers'(outgoing: ServerResponse) {
    let n = 0;
    outgoing.socket?.write('HTTP/1.1 200 OK\r\n');
    nowAndThen(outgoing, () => outgoing.socket?.write(`x-${n++}: y\r\n`));
  },
  drip(outgoing: ServerResponse) {
    outgoing.writeHead(200, { 'content-type': 'text/plain' });
    nowAndThen(outgoing, () => outgoing.write('.'));
  },
  endless(outgoing: ServerResponse) {
    const block = Buffer.alloc(16_384, 'x');
    outgoing.writeHead(200, { 'content-type': 'text/plain' });
    const pour = () => {
      while (!outgoing.destroyed && outgoing.write(block));
    };
    outgoing.on('drain', pour);
    pour();
  },
  reset: (outgoing: ServerResponse) => outgoing.socket?.resetAndDestroy(),
  garbage: (outgoing: ServerResponse) => outgoing.socket?.end('SSH-2.0-OpenSSH_9.2p1\r\n\r\n'),
} satisfies Record<string, (outgoing: ServerResponse) => unknown>;

function nowAndThen(outgoing: ServerResponse, act: () => void): void {
  act();
  const timer = setInterval(act, NOW_AND_THEN_MS);
  outgoing.once('close', () => clearInterval(timer));
}
