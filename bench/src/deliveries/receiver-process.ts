/**
 * The receiver of every case, in a process of its own: answers 204 and remembers when each
 * webhook-id came first to each path. What it costs is the same for all.
 */
import type { IncomingMessage } from 'node:http';
import { nowMs } from './clock.ts';
import { serveControl } from './control.ts';

type Hook = {
  received: number;
  /** When each id came first. */
  first: Map<string, number>;
  lastNewAt: number;
  sample: { headers: IncomingMessage['headers']; body: string } | undefined;
};

const hooks = new Map<string, Hook>();

function hookOf(path: string): Hook {
  const known = hooks.get(path);
  if (known) return known;
  const made: Hook = { received: 0, first: new Map(), lastNewAt: Number.NaN, sample: undefined };
  hooks.set(path, made);
  return made;
}

function count(hook: Hook, id: string): void {
  hook.received += 1;
  if (hook.first.has(id)) return;
  hook.lastNewAt = nowMs();
  hook.first.set(id, hook.lastNewAt);
}

const hookOfQuery = (query: URLSearchParams) => hookOf(query.get('path') as string);

serveControl(
  {
    '/control/reset': () => hooks.clear(),
    '/control/state': (query) => {
      const { received, first, lastNewAt, sample } = hookOfQuery(query);
      return { received, unique: first.size, lastNewAt, sample };
    },
    '/control/receipts': (query) => [...hookOfQuery(query).first],
  },
  (request, response) => {
    const hook = hookOf(request.url as string);
    const id = request.headers['webhook-id'] as string;
    const answer = () => {
      count(hook, id);
      response.writeHead(204).end();
    };
    if (hook.sample) request.resume().on('end', answer);
    else keepSample(hook, request, answer);
  },
);

function keepSample(hook: Hook, request: IncomingMessage, done: () => void): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    hook.sample = { headers: request.headers, body: Buffer.concat(parts).toString() };
    done();
  });
}
