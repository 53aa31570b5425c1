import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { type Credentials, sign } from './sign.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is known by asserting on it.
export type Json = any;

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body; throws where it is no JSON. */
  readonly json: Json;
};

export type CallOptions = {
  /** Sends the secret key as Bearer. */
  key?: Credentials | undefined;
  /** Signs the request; `timestamp` in Unix seconds. */
  hmac?: (Credentials & { timestamp?: number | string }) | undefined;
  /** A string or Buffer is sent as it is, anything else as JSON. */
  body?: unknown;
  /** Over the others; an undefined value removes a header. */
  headers?: Record<string, string | string[] | undefined>;
  /** Sends the body in chunks without Content-Length. */
  chunked?: boolean;
};

export type Call = (method: string, target: string, options?: CallOptions) => Promise<Answer>;

const TIMEOUT_MS = 30_000;

/** A client of one server with connections of its own; idle ones do not keep the process alive. */
export function createCall(url: string): Call & { close(): void } {
  const agent = new Agent({ keepAlive: true });
  const send: Call = (method, target, options) => exchange(agent, url, method, target, options);
  return Object.assign(send, { close: () => agent.destroy() });
}

const sharedAgent = new Agent({ keepAlive: false });

/** One request; `target` is path and query exactly as sent. */
export const call = (
  url: string,
  method: string,
  target: string,
  options?: CallOptions,
): Promise<Answer> => exchange(sharedAgent, url, method, target, options);

function exchange(
  agent: Agent,
  url: string,
  method: string,
  target: string,
  options: CallOptions = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const body = bodyOf(options.body);
  const headers = headersOf(method, target, body, options);
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, host: hostname, port, method, path: target, headers });
    outgoing.setTimeout(TIMEOUT_MS, () =>
      outgoing.destroy(new Error(`${method} ${target}: no answer within ${TIMEOUT_MS} ms`)),
    );
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve(answer(incoming.statusCode ?? 0, incoming.headers, text));
      });
    });
    if (body && options.chunked) {
      const middle = body.length >> 1;
      outgoing.write(body.subarray(0, middle));
      outgoing.end(body.subarray(middle));
    } else outgoing.end(body);
  });
}

const answer = (status: number, headers: IncomingHttpHeaders, text: string): Answer => ({
  status,
  headers,
  text,
  get json() {
    return JSON.parse(text);
  },
});

function bodyOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function headersOf(
  method: string,
  target: string,
  body: Buffer | undefined,
  { key, hmac, headers, chunked }: CallOptions,
): Record<string, string | string[]> {
  const all: Record<string, string | string[] | undefined> = {};
  if (body) all['content-type'] = 'application/json';
  if (body && !chunked) all['content-length'] = String(body.length);
  if (key) all.authorization = `Bearer ${key.secret_key}`;
  if (hmac) Object.assign(all, sign(hmac, { method, target, body, timestamp: hmac.timestamp }));
  for (const [name, value] of Object.entries(headers ?? {})) all[name.toLowerCase()] = value;
  const sent = Object.entries(all).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(sent) as Record<string, string | string[]>;
}

/** Sends bytes over a socket and returns all that came back until the server closed or `deadlineMs` passed. */
export async function rawRequest(
  url: string,
  bytes: string | Buffer,
  deadlineMs = 5000,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.setTimeout(deadlineMs, () => socket.destroy());
  const closed = once(socket, 'close');
  socket.write(bytes);
  await closed;
  return received;
}
