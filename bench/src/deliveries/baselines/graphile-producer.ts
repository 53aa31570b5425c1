/** Adds jobs to graphile-worker with one add_jobs a chunk of 1,000. */
import { Logger, makeWorkerUtils } from 'graphile-worker';
import { nowMs } from '../clock.ts';
import { serveControl } from '../control.ts';
import { benchEvent } from '../event.ts';
import { chunks } from '../loops.ts';

const utils = await makeWorkerUtils({
  connectionString: process.env.BENCH_DATABASE_URL as string,
  logger: new Logger(() => () => undefined),
});
await utils.migrate();

const jobOf = (number: number) => ({
  identifier: 'deliver',
  payload: benchEvent(number),
  maxAttempts: 10,
});

serveControl({
  '/feed': async (query) => {
    const startedAt = nowMs();
    const [from, count] = [Number(query.get('from')), Number(query.get('count'))];
    for (const chunk of chunks(from, count, 1000)) await utils.addJobs(chunk.map(jobOf));
    return { startedAt };
  },
});
