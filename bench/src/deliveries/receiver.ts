import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Service, startService } from '../service.ts';
import { ask } from './control.ts';
import { isSigned } from './post.ts';

export type State = {
  received: number;
  /** Different webhook-ids. */
  unique: number;
  /** When the last new one came, as of nowMs(). */
  lastNewAt: number;
  sample: { headers: Record<string, string>; body: string } | undefined;
};

export type Receiver = {
  service: Service;
  url: (path: string) => string;
  reset: () => Promise<void>;
  state: (path: string) => Promise<State>;
  /** Waits until so many different webhook-ids came to a path; rejects after a minute without one more. */
  until: (path: string, unique: number) => Promise<State>;
  /** When each webhook-id came first to a path, as of nowMs(). */
  receipts: (path: string) => Promise<Map<string, number>>;
};

const SCRIPT = fileURLToPath(new URL('./receiver-process.ts', import.meta.url));
const POLL_MS = 50;
const STUCK_AFTER_MS = 60_000;

export async function startReceiver(work: string): Promise<Receiver> {
  const logFile = path.join(work, 'receiver.log');
  const service = await startService({ script: SCRIPT, env: {}, logFile });
  const about = (path: string) => `path=${encodeURIComponent(path)}`;
  const state = (path: string) => ask<State>(service.port, `/control/state?${about(path)}`);
  return {
    service,
    state,
    url: (path) => `http://127.0.0.1:${service.port}${path}`,
    reset: () => ask(service.port, '/control/reset'),
    until: (path, unique) => waitFor(() => state(path), path, unique),
    receipts: async (path) => new Map(await ask(service.port, `/control/receipts?${about(path)}`)),
  };
}

async function waitFor(state: () => Promise<State>, path: string, unique: number): Promise<State> {
  let seen = await state();
  let changedAt = performance.now();
  while (seen.unique < unique) {
    await sleep(POLL_MS);
    const next = await state();
    if (next.unique > seen.unique) changedAt = performance.now();
    seen = next;
    if (performance.now() - changedAt > STUCK_AFTER_MS) {
      throw new Error(`${path}: ${seen.unique} of ${unique} came, and no more for a minute`);
    }
  }
  return seen;
}

/** Throws unless the first request that came to a path was signed with the secret. */
export function requireSigned(state: State, secret: string): void {
  const { headers = {}, body = '' } = state.sample ?? {};
  if (!isSigned(secret, headers, body)) {
    throw new Error(`not signed as wanted: ${JSON.stringify(headers)} ${body.slice(0, 500)}`);
  }
}
