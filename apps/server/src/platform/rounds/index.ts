type Log = { warn(details: object, message: string): void };

/**
 * Runs `work` at once and then again and again, `everyMs` after its end. What it throws is logged under `name`; it never runs
 * twice at a time.
 */
export function createRound(
  { name, everyMs, log }: { name: string; everyMs: number; log: Log },
  work: (isStopped: () => boolean) => Promise<void>,
) {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function next() {
    running = work(() => isStopped)
      .catch((error) => log.warn({ err: error, name }, 'a regular task failed; it is tried again'))
      .then(() => {
        if (!isStopped) timer = setTimeout(next, everyMs).unref();
      });
  }

  return {
    start: next,
    /** Resolves when what runs has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
