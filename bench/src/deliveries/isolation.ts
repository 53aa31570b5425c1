import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Leadwire } from '../leadwire.ts';
import { decimals, median, quantile, table, whole } from '../numbers.ts';
import type { Section, Target } from '../report.ts';
import type { Bench } from '../run.ts';
import { startService } from '../service.ts';
import { batchFeed } from './contenders.ts';
import { ask } from './control.ts';
import { countWaiting } from './drained.ts';
import { measureLatency } from './latency.ts';
import type { Receiver } from './receiver.ts';
import { createWebhook, removeWebhook, setActive } from './webhooks.ts';

type Round = { alone: number[]; beside: number[]; badRequests: number; waiting: number };

const SCRIPT = fileURLToPath(new URL('./baselines/hostile.ts', import.meta.url));
const HOOK = '/hook/healthy';
const WAITING = 3000;
const PER_SECOND = 100;

/** Latency of a healthy endpoint without and with six bad ones, thousands of deliveries waiting for each. */
export async function measureIsolation(
  bench: Bench,
  leadwire: Leadwire,
  receiver: Receiver,
  nextNumbers: (count: number) => number,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const { options, progress } = bench;
  const seconds = options.quick ? 2 : 15;
  const waiting = options.quick ? 1000 : WAITING;
  const bad = await startBad(bench, leadwire, waiting, nextNumbers);
  const healthy = await createWebhook(leadwire, receiver.url(HOOK));
  const latencies = async () => {
    const from = nextNumbers(PER_SECOND * seconds);
    const load = { perSecond: PER_SECOND, seconds, from };
    return (await measureLatency(leadwire, receiver, HOOK, load)).sinceCreated;
  };
  await latencies();
  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const result: Round = { alone: [], beside: [], badRequests: 0, waiting: 0 };
    const steps = [
      async () => {
        result.alone = await latencies();
      },
      async () => {
        const before = await bad.requests();
        await bad.activate(true);
        result.beside = await latencies();
        result.badRequests = (await bad.requests()) - before;
        result.waiting = await countWaiting(leadwire.databaseUrl);
        await bad.activate(false);
        // What hangs is let go at 15 s at the latest.
        await sleep(options.quick ? 0 : 15_000);
      },
    ];
    for (const step of round % 2 === 0 ? steps : steps.toReversed()) await step();
    rounds.push(result);
    const [alone, beside] = [result.alone, result.beside].map((l) =>
      decimals(quantile(l, 0.99), 1),
    );
    progress(`round ${round + 1}: p99 ${alone} ms, beside bad endpoints ${beside} ms`);
  }
  for (const id of [healthy.id, ...bad.ids]) await removeWebhook(leadwire, id);
  return result(rounds, waiting, seconds);
}

/** Starts the bad endpoints and queues deliveries for each; they are inactive at first. */
async function startBad(
  bench: Bench,
  leadwire: Leadwire,
  waiting: number,
  nextNumbers: (count: number) => number,
) {
  const logFile = path.join(bench.work, 'hostile.log');
  const service = await startService({ script: SCRIPT, env: {}, logFile });
  bench.stops.push(service.stop);
  const ids: string[] = [];
  for (const url of await ask<string[]>(service.port, '/urls')) {
    ids.push((await createWebhook(leadwire, url)).id);
  }
  await batchFeed(leadwire)(nextNumbers(waiting), waiting);
  const activate = async (active: boolean) => {
    for (const id of ids) await setActive(leadwire, id, active);
  };
  await activate(false);
  return { ids, activate, requests: () => ask<number>(service.port, '/requests') };
}

function result(rounds: Round[], waiting: number, seconds: number) {
  const p = (values: number[], q: number) => quantile(values, q);
  const ratios = rounds.map(({ alone, beside }) => p(beside, 0.99) / p(alone, 0.99));
  const head = ['healthy endpoint', 'p50 ms', 'p99 ms', 'p99 min–max'];
  const row = (name: string, sides: number[][]) => {
    const p99s = sides.map((side) => p(side, 0.99));
    return [
      name,
      decimals(median(sides.map((side) => p(side, 0.5))), 1),
      decimals(median(p99s), 1),
      `${decimals(Math.min(...p99s), 1)}–${decimals(Math.max(...p99s), 1)}`,
    ];
  };
  const alone = rounds.map((round) => round.alone);
  const beside = rounds.map((round) => round.beside);
  const ratio = median(ratios);
  const each = (of: (round: Round) => number) => rounds.map(of).map(whole).join(', ');
  const text = [
    table(head, [row('alone', alone), row('beside six bad ones', beside)]),
    '',
    `p99 beside ÷ alone, by round: ${ratios.map((one) => decimals(one, 2)).join(', ')}.`,
    '',
    `${PER_SECOND} leads a second for ${seconds} s each time, from created_at to receipt. The bad ones (hangs, ` +
      'drips, endless body, reset, bad certificate, no such name) are webhooks of the same account, with ' +
      `${whole(waiting)} deliveries waiting for each at first and a new one with every lead; they are activated ` +
      'at the start of the measurement, so that nothing is known about them. Meanwhile the four that ' +
      `a request can reach got ${each((round) => round.badRequests)} requests; in all ${each((round) => round.waiting)} ` +
      'deliveries waited at the end of it.',
  ].join('\n');
  const target: Target = {
    what: 'isolation: healthy p99 beside six bad endpoints ÷ alone',
    wanted: '≤ 1.5',
    measured: decimals(ratio, 2),
    met: ratio <= 1.5,
  };
  return { sections: [{ title: 'Isolation', text }], targets: [target] };
}
