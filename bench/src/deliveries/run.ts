import type { Leadwire } from '../leadwire.ts';
import { vacuum } from '../leadwire.ts';
import { decimals, quantile, table } from '../numbers.ts';
import type { DeliveryPart } from '../options.ts';
import type { Section, Target } from '../report.ts';
import type { Bench } from '../run.ts';
import { createCounter } from '../traffic.ts';
import type { Contender } from './contender.ts';
import {
  bareContender,
  bullContenders,
  graphileContender,
  leadwireContenders,
} from './contenders.ts';
import { untilDrained } from './drained.ts';
import { measureIsolation } from './isolation.ts';
import { measureLatency } from './latency.ts';
import { measurePosting } from './posting.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Split, startPostgres, startSplit } from './split.ts';
import { measureThroughput } from './throughput.ts';
import { createWebhook, removeWebhook } from './webhooks.ts';

type Result = { sections: Section[]; targets: Target[] };
type Numbers = { next: (count: number) => number };

const LATENCY_HOOK = '/hook/latency';
const WANTED_P50_MS = 15;
const WANTED_P99_MS = 60;

/** The part about webhooks: `all` is a fresh Leadwire in one process. */
export async function runDeliveries(bench: Bench, all: Leadwire): Promise<Result> {
  const wants = (part: DeliveryPart) => bench.options.parts.includes(part);
  const receiver = await startReceiver(bench.work);
  bench.stops.push(receiver.service.stop);
  const numbers = createNumbers();
  const results: Result[] = [];
  // Latencies first: tables and caches are then as those of a small service.
  if (wants('latency')) results.push(await latency(bench, all, receiver, numbers));
  if (wants('isolation')) {
    results.push(await measureIsolation(bench, all, receiver, numbers.next));
  }
  if (wants('rate') || wants('post')) {
    const postgres = await startPostgres(bench, 'split');
    const split = await startSplit(bench, postgres);
    if (wants('post')) results.push(await posting(bench, split, receiver));
    if (wants('rate')) {
      results.push(await throughput(bench, { all, split }, receiver, numbers));
    }
  }
  return {
    sections: results.flatMap((result) => result.sections),
    targets: results.flatMap((result) => result.targets),
  };
}

function createNumbers(): Numbers {
  let at = 1;
  return {
    next(count) {
      at += count;
      return at - count;
    },
  };
}

/** The two services have stores of their own, so they may use the same numbers. */
function posting(bench: Bench, split: Split, receiver: Receiver): Promise<Result> {
  return measurePosting(bench, split, receiver, createCounter(500_000_000));
}

async function throughput(
  bench: Bench,
  { all, split }: { all: Leadwire; split: Split },
  receiver: Receiver,
  numbers: Numbers,
): Promise<Result> {
  const one = { name: 'all', label: 'one process', workers: [] };
  const two = { name: 'split', label: 'API and worker', workers: [split.worker] };
  const contenders: Contender[] = [
    await bareContender(bench, receiver),
    ...(await leadwireContenders(all, receiver, one)),
    ...(await leadwireContenders(split, receiver, two)),
    ...(await bullContenders(bench, receiver)),
    await graphileContender(bench, receiver, split.databaseUrl),
  ];
  const { jobs } = bench.options;
  await vacuum(all.databaseUrl);
  await vacuum(split.databaseUrl);
  return measureThroughput(bench, receiver, contenders, jobs, numbers.next);
}

async function latency(
  bench: Bench,
  all: Leadwire,
  receiver: Receiver,
  numbers: Numbers,
): Promise<Result> {
  const perSecond = 100;
  const seconds = bench.options.quick ? 2 : 20;
  const webhook = await createWebhook(all, receiver.url(LATENCY_HOOK));
  const measure = (duration: number) => {
    const load = { perSecond, seconds: duration, from: numbers.next(perSecond * duration) };
    return measureLatency(all, receiver, LATENCY_HOOK, load);
  };
  await measure(bench.options.quick ? 1 : 5);
  await vacuum(all.databaseUrl);
  const { sinceCreated, sinceAnswered } = await measure(seconds);
  await untilDrained(all.databaseUrl);
  await removeWebhook(all, webhook.id);
  const row = (name: string, values: number[]) => [
    name,
    ...[0.5, 0.9, 0.99, 1].map((q) => decimals(quantile(values, q), 1)),
  ];
  const text = [
    table(
      ['ms', 'p50', 'p90', 'p99', 'max'],
      [
        row('created_at → receipt', sinceCreated),
        row('201 at the client → receipt', sinceAnswered),
      ],
    ),
    '',
    `One process, single posts at ${perSecond} a second for ${seconds} s whether or not answers come (open ` +
      'loop). The commit lies between created_at and the 201, so the first line is an upper bound of the time ' +
      'from commit to receipt.',
  ].join('\n');
  bench.progress(`latency: p50 ${decimals(quantile(sinceCreated, 0.5), 1)} ms`);
  return {
    sections: [{ title: `From lead to receipt at ${perSecond} leads/s`, text }],
    targets: [
      latencyTarget('p50', quantile(sinceCreated, 0.5), WANTED_P50_MS),
      latencyTarget('p99', quantile(sinceCreated, 0.99), WANTED_P99_MS),
    ],
  };
}

function latencyTarget(name: string, ms: number, wanted: number): Target {
  return {
    what: `lead to receipt at 100 leads/s, ${name}`,
    wanted: `≤ ${wanted} ms`,
    measured: `${decimals(ms, 1)} ms`,
    met: ms <= wanted,
  };
}
