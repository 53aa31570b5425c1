/** Adds jobs to BullMQ: in chunks of 1,000, or one by one from 64 loops as requests would. */
import { Queue } from 'bullmq';
import { nowMs } from '../clock.ts';
import { serveControl } from '../control.ts';
import { benchEvent } from '../event.ts';
import { chunks, inLoops } from '../loops.ts';

const connection = { host: '127.0.0.1', port: Number(process.env.BENCH_REDIS_PORT) };
const queue = new Queue('deliveries', { connection });
await queue.waitUntilReady();

const opts = {
  attempts: 10,
  backoff: { type: 'exponential', delay: 5000 },
  removeOnComplete: true,
};
const jobOf = (number: number) => ({ name: 'deliver', data: benchEvent(number), opts });

serveControl({
  '/feed': async (query) => {
    const startedAt = nowMs();
    const [from, count] = [Number(query.get('from')), Number(query.get('count'))];
    if (query.get('how') === 'bulk') {
      for (const chunk of chunks(from, count, 1000)) await queue.addBulk(chunk.map(jobOf));
    } else {
      const add = (number: number) => queue.add('deliver', benchEvent(number), opts);
      await inLoops(64, from, count, add);
    }
    return { startedAt };
  },
});
