import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Leadwire, startLeadwire, vacuum } from '../leadwire.ts';
import { runLoad } from '../load.ts';
import { decimals, mebibytes, median, quantile, table, whole } from '../numbers.ts';
import type { Section, Target } from '../report.ts';
import type { Bench } from '../run.ts';
import { batches, createCounter, reads } from '../traffic.ts';
import { compareWithEmpty, type Round } from './against-empty.ts';
import { type Memory, watchMemory } from './memory.ts';
import { type Walk, walk } from './walk.ts';

const FIRST = 1;
const BATCH = 1000;
const LEGACY = '/api/v1/leads';

/** The part with one million leads in one account: `full` is a fresh Leadwire. */
export async function runMillion(
  bench: Bench,
  full: Leadwire,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const { progress, options } = bench;
  const size = Math.ceil(options.size / BATCH / 10) * BATCH * 10;
  const counter = createCounter(FIRST);
  const tenths = await fill(full, size, counter.next, progress);
  const rssAfterFill = mebibytes(full.service.rss());
  await vacuum(full.databaseUrl);
  const settledAfter = await settle(options.quick ? 2 : 90);
  progress(`quiet after ${settledAfter} s`);
  const walked = await walk(full, FIRST, size);
  progress(`walked ${walked.leads} leads in ${decimals(walked.seconds, 1)} s`);
  const legacy = await legacyTotals(full, options.quick ? 3 : 30);
  const rounds = await compareWithEmpty(bench, full, counter, {
    rounds: options.quick ? 1 : options.rounds,
    listMs: options.quick ? 300 : 2000,
    postMs: options.quick ? 400 : 4000,
    warmupMs: options.warmupMs,
  });
  await full.service.stop();
  const fresh = await startLeadwire(path.join(bench.work, 'memory'));
  bench.stops.push(fresh.service.stop);
  const memory = await watchMemory(fresh, size);
  const text = millionText({
    size,
    tenths,
    rssAfterFill,
    settledAfter,
    walked,
    legacy,
    rounds,
    memory,
  });
  return {
    sections: [{ title: `${whole(size)} leads in one account`, text }],
    targets: targetsOf(size, median(tenths), walked, rounds, memory),
  };
}

/** Leads a second, of each tenth of the fill. */
async function fill(
  leadwire: Leadwire,
  size: number,
  number: () => number,
  progress: (line: string) => void,
): Promise<number[]> {
  const tenths: number[] = [];
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    const result = await runLoad({
      port: leadwire.service.port,
      connections: Math.min(4, size / 10 / BATCH),
      connection: batches(leadwire.key.secret_key, BATCH, number),
      expect: { status: 200, contains: `"inserted":${BATCH}` },
      until: { amount: size / 10 / BATCH },
    });
    tenths.push((result.requests * BATCH) / result.seconds);
    progress(`filled ${tenth}0 %: ${whole(tenths.at(-1) ?? 0)} leads/s`);
  }
  return tenths;
}

/**
 * Waits until the machine is at least 85 % idle for two seconds (PostgreSQL vacuums and writes out
 * after a fill), at most `withinSeconds`; returns how many seconds it took, or NaN if it never was.
 */
async function settle(withinSeconds: number): Promise<number> {
  const cpu = () => {
    const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
    const [, ...times] = line.trim().split(/\s+/).map(Number);
    return { idle: (times[3] ?? 0) + (times[4] ?? 0), all: times.reduce((a, b) => a + b, 0) };
  };
  let before = cpu();
  let quiet = 0;
  for (let second = 1; second <= withinSeconds; second += 1) {
    await sleep(1000);
    const now = cpu();
    quiet = (now.idle - before.idle) / (now.all - before.all) >= 0.85 ? quiet + 1 : 0;
    before = now;
    if (quiet === 2) return second;
  }
  return Number.NaN;
}

type Legacy = { query: string; p50: number; max: number };

async function legacyTotals(leadwire: Leadwire, amount: number): Promise<Legacy[]> {
  const results: Legacy[] = [];
  for (const query of ['', '?status=new', '?campaign_id=1', '?status=converted']) {
    const result = await runLoad({
      port: leadwire.service.port,
      connections: 1,
      connection: reads(leadwire.key.secret_key, `${LEGACY}${query}`, () => 0),
      expect: { status: 200, contains: '"total":' },
      until: { amount },
    });
    const p50 = quantile(result.latencies, 0.5);
    results.push({ query, p50, max: quantile(result.latencies, 1) });
  }
  return results;
}

type Findings = {
  size: number;
  tenths: number[];
  rssAfterFill: number;
  settledAfter: number;
  walked: Walk;
  legacy: Legacy[];
  rounds: Round[];
  memory: Memory;
};

function millionText(found: Findings): string {
  const { size, tenths, walked, rounds, memory } = found;
  const side = (pick: (round: Round) => number, places: number) => {
    const values = rounds.map(pick);
    const show = (value: number) => (places ? decimals(value, places) : whole(value));
    return `${show(median(values))} (${show(Math.min(...values))}–${show(Math.max(...values))})`;
  };
  const rows = [
    [
      'POST of new leads, 256 connections, /s',
      side((r) => r.few.postRate, 0),
      side((r) => r.full.postRate, 0),
    ],
    [
      'first list page, 1 connection, p50 ms',
      side((r) => r.few.listP50, 2),
      side((r) => r.full.listP50, 2),
    ],
  ];
  const mib = (value: number) => `${decimals(value, 0)} MiB`;
  return [
    `- filled through the batch endpoint, ${BATCH} leads a request, 4 connections: median ${whole(median(tenths))} leads/s; first tenth ${whole(tenths[0] ?? 0)}, last tenth ${whole(tenths.at(-1) ?? 0)}; memory of the service then ${mib(found.rssAfterFill)}`,
    `- the machine was quiet ${decimals(found.settledAfter, 0)} s later (–: not within the time allowed)`,
    `- walk by cursor, limit 100: ${whole(walked.leads)} leads on ${whole(walked.pages)} pages in ${decimals(walked.seconds, 1)} s; met twice ${walked.repeated}, missing ${walked.missing}`,
    ...found.legacy.map(
      ({ query, p50, max }) =>
        `- GET ${LEGACY}${query}: p50 ${decimals(p50, 1)} ms, max ${decimals(max, 1)} ms, 1 connection`,
    ),
    `- memory over ${whole(memory.posts)} single posts, 64 connections, ${whole(memory.perSecond)}/s: start ${mib(memory.start)}, half ${mib(memory.half)}, end ${mib(memory.end)}, peak ${mib(memory.peak)}`,
    '',
    `Medians of ${rounds.length} rounds, with the lowest and the highest; the targets below take the median of the ratios within each round:`,
    '',
    table(['', '1,000 leads, new data directory', `${whole(size)} leads`], rows),
  ].join('\n');
}

function targetsOf(
  size: number,
  fillRate: number,
  walked: Walk,
  rounds: Round[],
  memory: Memory,
): Target[] {
  const posts = median(rounds.map((round) => round.full.postRate / round.few.postRate));
  const list = median(rounds.map((round) => round.full.listP50 / round.few.listP50));
  const growth = memory.end / memory.half - 1;
  const once = walked.leads === size && walked.repeated === 0 && walked.missing === 0;
  const percent = (share: number) => `${decimals(100 * share, 1)} %`;
  return [
    {
      what: 'fill through the batch endpoint, leads/s',
      wanted: '≥ 30,000',
      measured: whole(fillRate),
      met: fillRate >= 30_000,
    },
    {
      what: 'POST rate against an empty table',
      wanted: '≥ 85 %',
      measured: percent(posts),
      met: posts >= 0.85,
    },
    {
      what: 'first list page p50, × with 1,000 leads',
      wanted: '≤ 1.5',
      measured: decimals(list, 2),
      met: list <= 1.5,
    },
    {
      what: 'cursor walk meets every lead exactly once',
      wanted: whole(size),
      measured: `${whole(walked.leads)}, ${walked.repeated} twice, ${walked.missing} missing`,
      met: once,
    },
    {
      what: 'memory of the service, most',
      wanted: '≤ 200 MiB',
      measured: `${decimals(memory.peak, 0)} MiB`,
      met: memory.peak <= 200,
    },
    {
      what: 'memory growth over the last half',
      wanted: '≤ 5 %',
      measured: percent(growth),
      met: growth <= 0.05,
    },
  ];
}
