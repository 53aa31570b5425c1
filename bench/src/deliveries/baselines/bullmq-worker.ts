import { Worker } from 'bullmq';
import { serveControl } from '../control.ts';
import type { BenchEvent } from '../event.ts';
import { createPost } from '../post.ts';

const { BENCH_REDIS_PORT, BENCH_TARGET, BENCH_SECRET } = process.env;
const post = createPost(BENCH_TARGET as string, BENCH_SECRET);
const worker = new Worker<BenchEvent>('deliveries', (job) => post(job.data), {
  connection: { host: '127.0.0.1', port: Number(BENCH_REDIS_PORT), maxRetriesPerRequest: null },
  concurrency: 64,
});
worker.on('failed', (_job, error) => console.error(error));
await worker.waitUntilReady();
serveControl({});
