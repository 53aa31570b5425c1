import { decimals, median, table, whole } from '../numbers.ts';
import type { Section, Target } from '../report.ts';
import type { Bench } from '../run.ts';
import { type Contender, type Run, runContender } from './contender.ts';
import { type Receiver, requireSigned } from './receiver.ts';

type Measured = { contender: Contender; runs: Run[] };

const WARM_UP_SHARE = 5;

/** Lets every contender deliver the same number of jobs, in turn, in rounds. */
export async function measureThroughput(
  bench: Bench,
  receiver: Receiver,
  contenders: Contender[],
  jobs: number,
  nextNumbers: (count: number) => number,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const { progress, options } = bench;
  const warmUp = Math.ceil(jobs / WARM_UP_SHARE / 1000) * 1000;
  const bytes = new Set<number>();
  for (const contender of contenders) {
    const { state } = await runContender(contender, receiver, nextNumbers(warmUp), warmUp);
    if (contender.secret !== undefined) requireSigned(state, contender.secret);
    bytes.add(Buffer.byteLength(state.sample?.body ?? ''));
    progress(`warm: ${contender.name}`);
  }
  if (bytes.size !== 1) throw new Error(`bodies of different sizes: ${[...bytes].join(', ')}`);
  const measured: Measured[] = contenders.map((contender) => ({ contender, runs: [] }));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { contender, runs } of round % 2 === 0 ? measured : measured.toReversed()) {
      const run = await runContender(contender, receiver, nextNumbers(jobs), jobs);
      runs.push(run);
      progress(`round ${round + 1} ${contender.name}: ${whole(run.rate)}/s`);
    }
  }
  return { sections: [section(measured, jobs, options.rounds)], targets: targetsOf(measured) };
}

/** Median of the ratios within each round. */
function ratio(measured: Measured[], name: string, base: string): number {
  const rates = (wanted: string) =>
    measured.find(({ contender }) => contender.name === wanted)?.runs.map((run) => run.rate) ?? [];
  const below = rates(base);
  return median(rates(name).map((rate, round) => rate / (below[round] ?? Number.NaN)));
}

function section(measured: Measured[], jobs: number, rounds: number): Section {
  const head = ['case', '/s', 'min–max', '× (a)', '× BullMQ bulk', '× graphile'];
  const rows = measured.map(({ contender, runs }) => {
    const rates = runs.map((run) => run.rate);
    return [
      contender.label,
      whole(median(rates)),
      `${whole(Math.min(...rates))}–${whole(Math.max(...rates))}`,
      decimals(ratio(measured, contender.name, 'bare'), 2),
      decimals(ratio(measured, contender.name, 'bullmq-bulk'), 2),
      decimals(ratio(measured, contender.name, 'graphile'), 2),
      decimals(median(runs.map((run) => run.cpuUs)), 0),
      whole(runs.reduce((sum, run) => sum + run.repeated, 0)),
    ];
  });
  const text = [
    table([...head, 'CPU µs each', 'sent twice'], rows),
    '',
    `${rounds} rounds of ${whole(jobs)} jobs a case, cases interleaved: from the first job handed over ` +
      'to the last receipt. Rates are medians of the rounds; ratios are medians of the ratios within ' +
      'each round. All send bodies of the same shape and size to the same receiver, and all but (a) sign them. (b) is ' +
      'fed with leads through its HTTP API and stores them; (c) and (d) get finished events, and forget ' +
      'a job when it is done. CPU: of the processes under test with their store, without the load ' +
      'generator and the receiver.',
  ].join('\n');
  return { title: 'Sustained deliveries, lead to receipt', text };
}

function targetsOf(measured: Measured[]): Target[] {
  const names = measured.map(({ contender }) => contender.name);
  const bases = [
    ['bullmq-bulk', 'BullMQ, appendfsync always, fed in bulk'],
    ['graphile', 'graphile-worker fed in bulk'],
  ] as const;
  const kinds = [
    ['all-batch', 'one process'],
    ['split-batch', 'API and worker'],
  ] as const;
  return bases
    .filter(([base]) => names.includes(base))
    .flatMap(([base, label]) =>
      kinds
        .filter(([name]) => names.includes(name))
        .map(([name, kind]) => {
          const times = ratio(measured, name, base);
          const what = `deliveries, ${kind}, × ${label}`;
          return { what, wanted: '≥ 1', measured: decimals(times, 2), met: times >= 1 };
        }),
    );
}
