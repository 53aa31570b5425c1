import { vacuum } from '../leadwire.ts';
import { runLoad } from '../load.ts';
import { decimals, median, quantile, table, whole } from '../numbers.ts';
import type { Section, Target } from '../report.ts';
import type { Bench } from '../run.ts';
import { bearer, type Counter, posts } from '../traffic.ts';
import { postmasterOf, treeCpuSeconds } from './cpu.ts';
import { untilDrained } from './drained.ts';
import type { Receiver } from './receiver.ts';
import type { Split } from './split.ts';
import { createWebhook, removeWebhook } from './webhooks.ts';

type Measured = { rate: number; p99: number; cpuUs: number };
type Side = { rates: number[]; p99s: number[]; cpus: number[] };
type Pair = { connections: number; none: Side; three: Side; unsent: Side };

const WEBHOOKS = 3;
const CONNECTIONS = [64, 256];

/** POST of new leads with three webhooks and with none, while another process sends. */
export async function measurePosting(
  bench: Bench,
  split: Split,
  receiver: Receiver,
  counter: Counter,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const { options, progress } = bench;
  const pairs = CONNECTIONS.map((connections) => ({
    connections,
    none: side(),
    three: side(),
    unsent: side(),
  }));
  const postmaster = await postmasterOf(split.databaseUrl);
  const post = (connections: number, durationMs: number) =>
    load(split, postmaster, { counter, connections, durationMs });
  const withWebhooks = async (work: () => Promise<void>) => {
    const hooks = Array.from({ length: WEBHOOKS }, (_, i) => receiver.url(`/hook/posting-${i}`));
    const webhooks = await Promise.all(hooks.map((url) => createWebhook(split, url)));
    await work();
    await untilDrained(split.databaseUrl);
    for (const { id } of webhooks) await removeWebhook(split, id);
    await receiver.reset();
  };
  await post(256, options.warmupMs);
  await withWebhooks(async () => void (await post(256, options.warmupMs)));
  await vacuum(split.databaseUrl);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { connections, none, three, unsent } of pairs) {
      const steps = [
        async () => add(none, await post(connections, options.roundMs)),
        () => withWebhooks(async () => add(three, await post(connections, options.roundMs))),
        () =>
          withWebhooks(async () => {
            const measuring = () => post(connections, options.roundMs);
            add(unsent, await whileStopped(split.worker.pid, measuring));
          }),
      ];
      for (const step of round % 2 === 0 ? steps : steps.toReversed()) await step();
      const rates = [none, three, unsent].map((one) => whole(one.rates.at(-1) ?? 0));
      const sides = `${rates[0]}/s, with webhooks ${rates[1]}, sent later ${rates[2]}`;
      progress(`round ${round + 1}, ${connections} connections: ${sides}`);
    }
  }
  return { sections: [section(pairs, options.rounds, options.roundMs)], targets: targetsOf(pairs) };
}

/** Tells the cost of queueing apart from what the sending takes of the same cores. */
async function whileStopped<T>(pid: number, work: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

const side = (): Side => ({ rates: [], p99s: [], cpus: [] });

function add(one: Side, measured: Measured): void {
  one.rates.push(measured.rate);
  one.p99s.push(measured.p99);
  one.cpus.push(measured.cpuUs);
}

async function load(
  split: Split,
  postmaster: number,
  load: { counter: Counter; connections: number; durationMs: number },
): Promise<Measured> {
  const cpuSeconds = () => (split.service.cpuSeconds() ?? NaN) + treeCpuSeconds(postmaster);
  const posted = load.counter.value();
  const cpu = cpuSeconds();
  const result = await runLoad({
    port: split.service.port,
    connections: load.connections,
    connection: posts(bearer(split.key.secret_key), load.counter.next),
    expect: { status: 201, contains: '"status":"inserted"' },
    until: { durationMs: load.durationMs },
  });
  return {
    rate: result.requests / result.seconds,
    p99: quantile(result.latencies, 0.99),
    cpuUs: ((cpuSeconds() - cpu) / (load.counter.value() - posted)) * 1e6,
  };
}

const ratiosOf = (pair: Pair, of: Side) =>
  of.rates.map((rate, round) => rate / (pair.none.rates[round] ?? Number.NaN));

function section(pairs: Pair[], rounds: number, roundMs: number): Section {
  const head = ['conns', 'webhooks', '/s', 'p99 ms', '÷ none', 'min–max', 'CPU µs each'];
  const row = (pair: Pair, webhooks: string, of: Side) => {
    const ratios = ratiosOf(pair, of);
    return [
      String(pair.connections),
      webhooks,
      whole(median(of.rates)),
      decimals(median(of.p99s), 1),
      decimals(median(ratios), 2),
      `${decimals(Math.min(...ratios), 2)}–${decimals(Math.max(...ratios), 2)}`,
      decimals(median(of.cpus), 0),
    ];
  };
  const rows = pairs.flatMap((pair) => [
    row(pair, 'none', pair.none),
    row(pair, 'three', pair.three),
    row(pair, 'three, sent later', pair.unsent),
  ]);
  const text = [
    table(head, rows),
    '',
    `API and worker as two processes, ${rounds} alternating rounds of ${roundMs / 1000} s each. The worker ` +
      'sends meanwhile, on the same cores, but is stopped in the third line, which tells the cost of ' +
      'queueing apart; what still waited was sent before the next measurement. CPU: of the API and of PostgreSQL.',
  ].join('\n');
  return { title: 'POST of leads without webhooks and with three', text };
}

function targetsOf(pairs: Pair[]): Target[] {
  return pairs.map((pair) => {
    const what = `POST with three webhooks ÷ without, ${pair.connections} connections`;
    const ratio = median(ratiosOf(pair, pair.three));
    return { what, wanted: '≥ 0.6', measured: decimals(ratio, 2), met: ratio >= 0.6 };
  });
}
