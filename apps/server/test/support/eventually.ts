import { setTimeout as wait } from 'node:timers/promises';

/** Repeats `check` until it does not throw, and returns its result; after `deadlineMs` its last error is thrown. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { deadlineMs = 10_000, everyMs = 20 }: { deadlineMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await wait(everyMs);
  }
}
