/**
 * Runs `work` now and again, `pauseMs` after each end.
 * @returns a function that ends this; it resolves when the last run is done
 */
export function repeat(work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const next = () => {
    running = work().then(() => {
      if (!isStopped) timer = setTimeout(next, pauseMs);
    });
  };
  next();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return running;
  };
}
