import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Leadwire, startLeadwire, vacuum } from '../leadwire.ts';
import { type LoadResult, runLoad } from '../load.ts';
import { decimals, quantile, whole } from '../numbers.ts';
import type { Bench } from '../run.ts';
import { seed } from '../seed.ts';
import {
  bearer,
  type Counter,
  createCounter,
  createCycle,
  LEADS_PATH,
  posts,
  reads,
} from '../traffic.ts';

/** One round, side by side: a new data directory, and the full one. */
export type Side = { postRate: number; listP50: number };
export type Round = { few: Side; full: Side };

const FEW = 1000;
const FIRST = 1;

/**
 * Compares the full account with one of 1,000 leads in a data directory of its own. That one is made
 * anew for each round, since posting at full speed soon makes it anything but empty.
 */
export async function compareWithEmpty(
  bench: Bench,
  full: Leadwire,
  counter: Counter,
  times: { rounds: number; listMs: number; postMs: number; warmupMs: number },
): Promise<Round[]> {
  const rounds: Round[] = [];
  await warmUp(full, counter, times.warmupMs);
  for (let round = 0; round < times.rounds; round += 1) {
    const dataDir = path.join(bench.work, `few-${round}`);
    const few = await startLeadwire(dataDir);
    bench.stops.push(few.service.stop);
    await seed(few, FIRST, FEW);
    await vacuum(few.databaseUrl);
    await listFirstPage(few, times.warmupMs);
    const list = await alternate((side) => listFirstPage(side, times.listMs / 2), few, full);
    const counters = new Map([
      [few, createCounter(FIRST + FEW)],
      [full, counter],
    ]);
    await warmUp(few, counters.get(few) as Counter, times.warmupMs);
    const post = (side: Leadwire) => postNew(side, counters.get(side) as Counter, times.postMs / 2);
    const posted = await alternate(post, few, full);
    rounds.push({
      few: { postRate: posted.few, listP50: list.few },
      full: { postRate: posted.full, listP50: list.full },
    });
    const rates = `${whole(posted.few)} new, ${whole(posted.full)} full`;
    const p50s = `${decimals(list.few, 2)} few, ${decimals(list.full, 2)} full`;
    bench.progress(`round ${round + 1}: posts/s ${rates}; list p50 ms ${p50s}`);
    await few.service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  return rounds;
}

/** Measures few, full, full, few: what drifts in that time then counts for both alike. */
async function alternate(
  measure: (side: Leadwire) => Promise<number>,
  few: Leadwire,
  full: Leadwire,
): Promise<{ few: number; full: number }> {
  const first = await measure(few);
  const second = await measure(full);
  const third = await measure(full);
  const fourth = await measure(few);
  return { few: (first + fourth) / 2, full: (second + third) / 2 };
}

/** Deduped posts run through nearly all of the path of a new lead and leave the table small. */
async function warmUp(leadwire: Leadwire, counter: Counter, durationMs: number): Promise<void> {
  const known = createCycle(FIRST, FIRST + FEW);
  await load(leadwire, posts(bearer(leadwire.key.secret_key), known), 200, 256, durationMs);
  await postNew(leadwire, counter, durationMs / 3);
}

async function postNew(leadwire: Leadwire, counter: Counter, durationMs: number): Promise<number> {
  const traffic = posts(bearer(leadwire.key.secret_key), counter.next);
  const result = await load(leadwire, traffic, 201, 256, durationMs);
  return result.requests / result.seconds;
}

async function listFirstPage(leadwire: Leadwire, durationMs: number): Promise<number> {
  const traffic = reads(leadwire.key.secret_key, LEADS_PATH, () => 0);
  return quantile((await load(leadwire, traffic, 200, 1, durationMs)).latencies, 0.5);
}

function load(
  leadwire: Leadwire,
  connection: ReturnType<typeof posts>,
  status: number,
  connections: number,
  durationMs: number,
): Promise<LoadResult> {
  const { port } = leadwire.service;
  return runLoad({ port, connections, connection, expect: { status }, until: { durationMs } });
}
