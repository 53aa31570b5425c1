import { BATCH_SIZE, createCases, FIRST_NUMBER, SEEDED } from './cases.ts';
import { type Leadwire, vacuum } from './leadwire.ts';
import { decimals, median, quantile, table, whole } from './numbers.ts';
import type { Options } from './options.ts';
import type { Section, Target } from './report.ts';
import { type Measured, runRounds } from './rounds.ts';
import { seed } from './seed.ts';
import type { Service } from './service.ts';

export type Servers = {
  bare: Service;
  leadwire: Leadwire;
  reference: Service;
  referenceKey: string;
};

/** Measures the chosen cases on running servers: the table with ratios, and the targets. */
export async function compare(
  servers: Servers,
  options: Options,
  progress: (line: string) => void,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const ids = await seed(servers.leadwire, FIRST_NUMBER, SEEDED);
  const cases = createCases(options.groups, servers.leadwire.key, servers.referenceKey, ids);
  const services = { ...servers, leadwire: servers.leadwire.service };
  // Both services live in this database, so both get their statistics at the same moment.
  const warmedUp = () => vacuum(servers.leadwire.databaseUrl);
  const results = await runRounds(cases, services, options, warmedUp, progress);
  const text = [
    resultTable(results),
    '',
    `${options.rounds} rounds of ${options.roundMs / 1000} s a case, cases interleaved. Rates are ` +
      'medians of the rounds, with the slowest and the fastest round; latencies are of all ' +
      'rounds together; ratios are medians of the ratios within each round, at equal connections. ' +
      'Every answer was checked: none had another status than expected.',
  ].join('\n');
  return { sections: [{ title: 'Rates', text }], targets: targetsOf(results) };
}

/** Median of the ratios within each round, so that a slow minute of the machine hits both sides. */
function ratio(results: Measured[], name: string, baseline: string): number {
  const rounds = (wanted: string) => results.find((r) => r.case.name === wanted)?.rounds ?? [];
  const below = rounds(baseline);
  if (below.length === 0) return Number.NaN;
  return median(rounds(name).map((round, i) => round.rate / (below[i]?.rate ?? Number.NaN)));
}

function resultTable(results: Measured[]): string {
  const head = ['case', 'conns', '/s', 'min–max', 'p50 ms', 'p97.5', 'p99', '× (a)', '× (d)'];
  const rows = results.map(({ case: entry, rounds, latencies }) => {
    const rates = rounds.map((round) => round.rate);
    const all = concat(latencies);
    const { name, connections } = entry;
    const isPost = name.startsWith('post');
    return [
      entry.label,
      String(connections),
      whole(median(rates)),
      `${whole(Math.min(...rates))}–${whole(Math.max(...rates))}`,
      ...[0.5, 0.975, 0.99].map((q) => decimals(quantile(all, q), 1)),
      decimals(entry.leads === 1 ? ratio(results, name, `bare-${connections}`) : Number.NaN, 2),
      decimals(isPost ? ratio(results, name, `reference-${connections}`) : Number.NaN, 2),
      decimals(median(rounds.map((round) => round.serverCpuUs)), 1),
      decimals(median(rounds.map((round) => round.generatorCpu)), 2),
    ];
  });
  return table([...head, 'server CPU µs each', 'generator cores'], rows);
}

function concat(parts: Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function targetsOf(results: Measured[]): Target[] {
  const targets: Target[] = [];
  const find = (name: string) => results.find((result) => result.case.name === name);
  const atLeast = (what: string, wanted: number, measured: number) =>
    targets.push({
      what,
      wanted: `≥ ${wanted}`,
      measured: decimals(measured, 2),
      met: measured >= wanted,
    });
  const post = find('post-256');
  if (post) {
    atLeast(
      'POST of new leads, 256 connections, × (d)',
      2,
      ratio(results, 'post-256', 'reference-256'),
    );
    atLeast('the same, × (a)', 0.25, ratio(results, 'post-256', 'bare-256'));
    const p99 = quantile(concat(post.latencies), 0.99);
    const measured = `${decimals(p99, 1)} ms`;
    targets.push({ what: 'the same, p99', wanted: '≤ 40 ms', measured, met: p99 <= 40 });
  }
  const batch = find('batch');
  if (batch) {
    const rate = median(batch.rounds.map((round) => round.rate));
    const what = `batch endpoint, ${BATCH_SIZE} leads a request, leads/s`;
    targets.push({ what, wanted: '≥ 30,000', measured: whole(rate), met: rate >= 30_000 });
  }
  for (const [name, by] of [
    ['get-id', 'id'],
    ['get-external', 'external id'],
  ] as const) {
    if (find(name)) atLeast(`GET one by ${by}, × (a)`, 0.3, ratio(results, name, 'bare-64'));
  }
  return targets;
}
