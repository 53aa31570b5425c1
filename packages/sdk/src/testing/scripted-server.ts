import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Seen = {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
};

type Reply = { status: number; headers?: Record<string, string>; body?: unknown };

/**
 * How one request is answered. cut: the connection ends before an answer; half: in the middle of a body whose length is known;
 * short: the answer ends early, and nothing says so; hang: no answer; hang-in-body: half of one, then nothing.
 */
export type Step =
  | Reply
  | 'cut'
  | 'half'
  | 'short'
  | 'hang'
  | 'hang-in-body'
  | ((seen: Seen) => Reply);

export type ScriptedServer = {
  url: string;
  /** What came, oldest first. */
  seen: Seen[];
  /** Sets how requests are answered from now on, one after the other, and forgets what came. */
  play(...steps: Step[]): void;
  close(): void;
};

const REQUEST_ID = 'req-from-script';

/** A server on loopback that answers, or fails, by a script. A request beyond its end gets a 418. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  let steps: Step[] = [];
  const seen: Seen[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    seen.push(request);
    answer(outgoing, steps.shift() ?? { status: 418 }, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    play(...next) {
      steps = next;
      seen.length = 0;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(outgoing: ServerResponse, step: Step, request: Seen): void {
  const headers = { 'content-type': 'application/json', 'x-request-id': REQUEST_ID };
  if (step === 'hang') return;
  if (step === 'cut') return void outgoing.socket?.destroy();
  if (step === 'half' || step === 'hang-in-body') {
    outgoing.writeHead(200, { ...headers, 'content-length': '1000' });
    outgoing.write('{"ok":true,"lead":{', () => step === 'half' && outgoing.socket?.destroy());
    return;
  }
  if (step === 'short') return void outgoing.writeHead(200, headers).end('{"ok":true,"lead":{');
  const reply = typeof step === 'function' ? step(request) : step;
  const { body = {} } = reply;
  outgoing.writeHead(reply.status, { ...headers, ...reply.headers });
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** An error as the service answers it. */
export const failure = (
  status: number,
  error: string,
  more: { headers?: Record<string, string>; body?: object } = {},
): Reply => ({
  status,
  headers: more.headers ?? {},
  body: { ok: false, error, message: `m: ${error}`, request_id: REQUEST_ID, ...more.body },
});
