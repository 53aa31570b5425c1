/** undici.request in a loop, 64 in flight, not signed: the ceiling of a sender in one process. */
import { nowMs } from '../clock.ts';
import { serveControl } from '../control.ts';
import { benchEvent } from '../event.ts';
import { inLoops } from '../loops.ts';
import { createPost } from '../post.ts';

const post = createPost(process.env.BENCH_TARGET as string);

serveControl({
  '/feed': async (query) => {
    const startedAt = nowMs();
    const [from, count] = [Number(query.get('from')), Number(query.get('count'))];
    await inLoops(64, from, count, (number) => post(benchEvent(number)));
    return { startedAt };
  },
});
