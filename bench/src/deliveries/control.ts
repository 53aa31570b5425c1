import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Answers a control request: its JSON is the answer. */
export type Action = (query: URLSearchParams) => unknown;
type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const KEEP_ALIVE_MS = 120_000;

/**
 * Serves PORT of the environment: /readyz once it listens, the actions by path, and everything else
 * to `other`. What a process of the bench has beside its work.
 */
export function serveControl(actions: Record<string, Action>, other?: Listener): void {
  const routes = new Map<string, Action>([['/readyz', () => ({ ready: true })]]);
  for (const [path, action] of Object.entries(actions)) routes.set(path, action);
  const server = createServer((request, response) => {
    const url = request.url as string;
    const end = url.indexOf('?');
    const action = routes.get(end === -1 ? url : url.slice(0, end));
    if (action) return void act(action, url, response);
    if (other) return other(request, response);
    response.writeHead(404).end();
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(Number(process.env.PORT), '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
}

async function act(action: Action, url: string, response: ServerResponse): Promise<void> {
  try {
    const query = new URL(url, 'http://control').searchParams;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify((await action(query)) ?? {}));
  } catch (error) {
    console.error(error);
    response.destroy();
  }
}

/** Asks a process of the bench; rejects unless it answers 200. */
export async function ask<T>(port: number, path: string): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}
