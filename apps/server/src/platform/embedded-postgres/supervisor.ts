import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';
import type { Postmaster, PostmasterExit } from './postmaster.ts';

export interface SupervisorOptions {
  first: Postmaster;
  /** Starts a server on the port of the first one. */
  start: (signal: AbortSignal) => Promise<Postmaster>;
  log: Log;
}

export type UnexpectedExitListener = (exit: PostmasterExit) => void;

export interface Supervisor {
  /** Process id of the present server, or of the last one while it is being started again. */
  pid(): number;
  /** Sends the signal of a fast shutdown and does not wait: for a process that is ending. */
  interrupt(): void;
  /** Calls the listener each time the server ends by itself. Returns a function that removes it. */
  onUnexpectedExit(listener: UnexpectedExitListener): () => void;
  /** Ends the supervision and the server. Idempotent. */
  stop(): Promise<void>;
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
const STABLE_MS = 60_000;

/** Starts the server again whenever it ends by itself, later each time while it does not last. */
export function supervise({ first, start, log }: SupervisorOptions): Supervisor {
  const listeners = new Set<UnexpectedExitListener>();
  const stopping = new AbortController();
  let current = first;
  let delayMs = FIRST_DELAY_MS;

  async function startAgain(): Promise<Postmaster | null> {
    for (;;) {
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return null;
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
      try {
        return await start(stopping.signal);
      } catch (err) {
        if (stopping.signal.aborted) return null;
        log.warn({ err, retryInMs: delayMs }, 'PostgreSQL did not start again; trying once more.');
      }
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      const startedAt = Date.now();
      const exit = await current.exited;
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > STABLE_MS) delayMs = FIRST_DELAY_MS;
      log.warn({ ...exit, pid: current.pid }, 'PostgreSQL ended by itself; starting it again.');
      for (const listener of listeners) listener(exit);
      const next = await startAgain();
      if (!next) return;
      current = next;
      // It came through before it saw the signal; stop() ends it.
      if (stopping.signal.aborted) return;
      log.info({ postgresPid: current.pid }, 'PostgreSQL runs again.');
    }
  }

  const watching = watch();
  let stopped: Promise<void> | undefined;
  return {
    pid: () => current.pid,
    interrupt: () => current.interrupt(),
    onUnexpectedExit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      stopped ??= (async () => {
        stopping.abort();
        await current.stop();
        await watching;
        await current.stop();
      })();
      return stopped;
    },
  };
}
