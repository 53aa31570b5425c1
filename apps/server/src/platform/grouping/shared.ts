export type Shared = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Runs work of one key once at a time. Whoever asks while it runs shares the one run after it with all others who wait: however
 * many ask, two runs serve them, and what they are answered began after they asked. `work` of one key must mean the same.
 */
export function createShared(): Shared {
  const running = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<unknown>>();

  function begin<T>(key: string, work: () => Promise<T>): Promise<T> {
    next.delete(key);
    const run = work().finally(() => running.delete(key));
    running.set(key, run);
    return run;
  }

  return <T>(key: string, work: () => Promise<T>) => {
    const waiting = next.get(key) as Promise<T> | undefined;
    if (waiting) return waiting;
    const before = running.get(key);
    if (!before) return begin(key, work);
    const ended = before.then(
      () => undefined,
      () => undefined,
    );
    const later = ended.then(() => begin(key, work));
    next.set(key, later);
    return later;
  };
}
