/** Where the client takes time from. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason as soon as that aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** The longest that timers take, 2^31 - 1 ms; they would ring at once beyond. */
const LONGEST_MS = 2_147_483_647;

/** The time of the platform. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
        Math.min(ms, LONGEST_MS),
      );
      signal?.addEventListener('abort', abort, { once: true });
    });
  },
};
