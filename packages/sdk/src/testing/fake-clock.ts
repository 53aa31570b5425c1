import type { Clock } from '../clock.ts';

export type FakeClock = Clock & {
  /** How long was waited between tries, in order, in milliseconds. */
  waits: number[];
  /** Called when such a wait begins. */
  onWait: () => void;
  /** The signal that the test gives to its call, if any: what sleeps with another one is the timer of a try. */
  signal: AbortSignal | undefined;
  /** Lets the timers of tries ring now. */
  ring(): void;
  /** How many of these run. */
  readonly running: number;
};

/** A clock whose waits pass at once and move its time on, and whose timers of tries ring only when they are told to. */
export function createFakeClock(startMs = Date.UTC(2026, 0, 15)): FakeClock {
  let now = startMs;
  const timers = new Map<() => void, number>();
  const timer = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      timers.set(resolve, now + ms);
      signal.addEventListener('abort', () => {
        timers.delete(resolve);
        reject(signal.reason);
      });
    });
  const clock: FakeClock = {
    waits: [],
    onWait: () => undefined,
    signal: undefined,
    nowMs: () => now,
    async sleep(ms, signal) {
      if (signal && signal !== clock.signal) return timer(ms, signal);
      clock.waits.push(ms);
      clock.onWait();
      signal?.throwIfAborted();
      now += ms;
    },
    ring() {
      for (const [resolve, at] of timers) {
        now = Math.max(now, at);
        resolve();
      }
      timers.clear();
    },
    get running() {
      return timers.size;
    },
  };
  return clock;
}
