/** A graphile-worker with the settings of its page on performance, and 64 jobs at a time. */
import { Logger, run } from 'graphile-worker';
import { serveControl } from '../control.ts';
import type { BenchEvent } from '../event.ts';
import { createPost } from '../post.ts';

const { BENCH_DATABASE_URL, BENCH_TARGET, BENCH_SECRET } = process.env;
const post = createPost(BENCH_TARGET as string, BENCH_SECRET);
const CONCURRENCY = 64;

await run({
  taskList: { deliver: (payload) => post(payload as BenchEvent) },
  preset: {
    worker: {
      connectionString: BENCH_DATABASE_URL as string,
      concurrentJobs: CONCURRENCY,
      maxPoolSize: CONCURRENCY + 1,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
      // It writes a line for each job otherwise.
      logger: new Logger(() => (level, message) => {
        if (level === 'error') console.error(message);
      }),
    },
  },
});
serveControl({});
