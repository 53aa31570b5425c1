import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { postmasterOf, treeCpuSeconds } from '../deliveries/cpu.ts';
import { type Leadwire, startLeadwire, vacuum } from '../leadwire.ts';
import { runLoad } from '../load.ts';
import { decimals, median, quantile, table, whole } from '../numbers.ts';
import type { Section, Target } from '../report.ts';
import type { Bench } from '../run.ts';
import { bearer, type Counter, createCounter, posts } from '../traffic.ts';

type Measured = { rate: number; p99: number; cpuUs: number };
type Side = { leadwire: Leadwire; postmaster: number; counter: Counter; measured: Measured[] };
type Pair = { connections: number; counting: Side; without: Side };

const CONNECTIONS = [64, 256];
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What is taken out of a copy of the server for the comparison: every way in which something is counted. */
const TAKEN_OUT: [file: string, text: string, instead: string][] = [
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: as it stands in the source.
  ['modules/leads/repository/insert.ts', "${leadTallyCte('written', \"'inserted'\")},", ''],
  ['modules/leads/repository/update.ts', "${leadTallyCte('updated', 'kind')},", ''],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as it stands in the source.
  ['modules/statistics/index.ts', 'tally: gathering.tally,', 'tally: () => undefined,'],
  ['worker.ts', 'counting.start();', ''],
];

/** POST of new leads with everything counted, and by the same server without. */
export async function runCounts(
  bench: Bench,
  leadwire: Leadwire,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const script = await copyWithoutCounts(path.join(bench.work, 'without-counts'));
  const other = await startLeadwire(path.join(bench.work, 'leadwire-without'), script);
  bench.stops.push(other.service.stop);
  const [counting, without] = [await sideOf(leadwire), await sideOf(other)];
  const pairs = CONNECTIONS.map((connections) => ({
    connections,
    counting: { ...counting, measured: [] },
    without: { ...without, measured: [] },
  }));
  for (const one of [counting, without]) {
    await post(one, 64, bench.options.warmupMs);
    await vacuum(one.leadwire.databaseUrl);
  }
  await measure(bench, pairs);
  const section = sectionOf(pairs, bench.options);
  return { sections: [section], targets: pairs.map(targetOf) };
}

async function sideOf(leadwire: Leadwire): Promise<Side> {
  const postmaster = await postmasterOf(leadwire.databaseUrl);
  return { leadwire, postmaster, counter: createCounter(0), measured: [] };
}

async function measure({ options, progress }: Bench, pairs: Pair[]): Promise<void> {
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { connections, counting, without } of pairs) {
      const sides = round % 2 === 0 ? [counting, without] : [without, counting];
      for (const one of sides) one.measured.push(await post(one, connections, options.roundMs));
      const [a, b] = [counting, without].map(({ measured }) => whole(measured.at(-1)?.rate ?? 0));
      progress(`round ${round + 1}, ${connections} connections: ${a}/s, without counts ${b}/s`);
    }
  }
}

async function post(side: Side, connections: number, durationMs: number): Promise<Measured> {
  const { service, key } = side.leadwire;
  const cpuSeconds = () => (service.cpuSeconds() ?? Number.NaN) + treeCpuSeconds(side.postmaster);
  const posted = side.counter.value();
  const cpu = cpuSeconds();
  const result = await runLoad({
    port: service.port,
    connections,
    connection: posts(bearer(key.secret_key), side.counter.next),
    expect: { status: 201, contains: '"status":"inserted"' },
    until: { durationMs },
  });
  return {
    rate: result.requests / result.seconds,
    p99: quantile(result.latencies, 0.99),
    cpuUs: ((cpuSeconds() - cpu) / (side.counter.value() - posted)) * 1e6,
  };
}

/** @returns the script that starts it */
async function copyWithoutCounts(directory: string): Promise<string> {
  const server = path.join(directory, 'apps/server');
  await mkdir(path.join(directory, 'apps'), { recursive: true });
  for (const part of ['bin', 'src', 'migrations', 'package.json']) {
    await cp(path.join(ROOT, 'apps/server', part), path.join(server, part), { recursive: true });
  }
  for (const part of ['node_modules', 'packages', 'package.json', 'apps/dashboard']) {
    await symlink(path.join(ROOT, part), path.join(directory, part));
  }
  for (const [file, text, instead] of TAKEN_OUT) {
    const full = path.join(server, 'src', file);
    const source = await readFile(full, 'utf8');
    if (!source.includes(text)) throw new Error(`${file} does not count as it used to: ${text}`);
    await writeFile(full, source.replace(text, instead));
  }
  return path.join(server, 'bin/leadwire.js');
}

const ratiosOf = ({ counting, without }: Pair) =>
  counting.measured.map(({ rate }, round) => rate / (without.measured[round]?.rate ?? Number.NaN));

function sectionOf(pairs: Pair[], { rounds, roundMs }: Bench['options']): Section {
  const row = (pair: Pair, name: string, { measured }: Side, ratios: number[]) => [
    String(pair.connections),
    name,
    whole(median(measured.map(({ rate }) => rate))),
    decimals(median(measured.map(({ p99 }) => p99)), 1),
    decimals(median(measured.map(({ cpuUs }) => cpuUs)), 0),
    decimals(median(ratios), 3),
    `${decimals(Math.min(...ratios), 2)}–${decimals(Math.max(...ratios), 2)}`,
  ];
  const rows = pairs.flatMap((pair) => [
    row(pair, 'counted', pair.counting, ratiosOf(pair)),
    row(pair, 'not counted', pair.without, [1]),
  ]);
  const head = ['conns', '', '/s', 'p99 ms', 'CPU µs each', '÷ not counted', 'min–max'];
  const text = [
    table(head, rows),
    '',
    `POST of new leads, ${rounds} alternating rounds of ${roundMs / 1000} s each, each side on a PostgreSQL of its own. The ` +
      'side that does not count is a copy of the same server with the counting taken out of its source. CPU: of the service ' +
      'and of PostgreSQL.',
  ].join('\n');
  return { title: 'Counts: what keeping them costs POST of leads', text };
}

function targetOf(pair: Pair): Target {
  const ratio = median(ratiosOf(pair));
  const what = `POST counted ÷ not counted, ${pair.connections} connections`;
  return { what, wanted: '≥ 0.95', measured: decimals(ratio, 3), met: ratio >= 0.95 };
}
