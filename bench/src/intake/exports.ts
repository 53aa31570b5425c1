import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { fill } from '../dashboard/leads.ts';
import { type Owner, signUp } from '../dashboard/sign-up.ts';
import { postmasterOf, treeCpuSeconds } from '../deliveries/cpu.ts';
import { type Leadwire, vacuum } from '../leadwire.ts';
import { decimals, mebibytes, median, table, whole } from '../numbers.ts';
import type { Section, Target } from '../report.ts';
import type { Bench } from '../run.ts';

type Reader = { what: string; format: 'csv' | 'ndjson'; bytesPerSecond?: number };
type Measured = {
  leads: number;
  bytes: number;
  seconds: number;
  /** CPU seconds of service and PostgreSQL. */
  cpu: number;
  /** Resident memory of the service in MiB, in the order of the samples. */
  memory: number[];
};

const READERS: Reader[] = [
  { what: 'CSV', format: 'csv' },
  { what: 'NDJSON', format: 'ndjson' },
  { what: 'CSV, a slow reader', format: 'csv', bytesPerSecond: 4_000_000 },
];
const FILLED_BY = 4_000;
const SAMPLE_MS = 50;
const [WANTED_RATE, WANTED_GROWTH] = [20_000, 64];

/** All leads of an account as a file: how fast, and what it takes of the memory. */
export async function runExports(
  bench: Bench,
  leadwire: Leadwire,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const { options, progress } = bench;
  const size = Math.ceil(options.size / FILLED_BY) * FILLED_BY;
  const owner = await signUp(leadwire, path.join(bench.work, 'leadwire.log'));
  await fill(leadwire, size, progress);
  await vacuum(leadwire.databaseUrl);
  const postmaster = await postmasterOf(leadwire.databaseUrl);
  const measured = READERS.map((reader) => ({ reader, runs: [] as Measured[] }));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { reader, runs } of measured) {
      const run = await download(leadwire, owner, postmaster, reader);
      if (run.leads !== size) throw new Error(`${reader.what}: ${run.leads} of ${size} leads`);
      runs.push(run);
      progress(
        `round ${round + 1}, ${reader.what}: ${whole(run.leads / run.seconds)}/s, ${decimals(Math.max(...run.memory), 0)} MiB at most`,
      );
    }
  }
  const text = [
    resultTable(measured),
    '',
    `${whole(size)} leads of about ${whole((measured[1]?.runs[0]?.bytes ?? 0) / size)} bytes of NDJSON, ${options.rounds} rounds, over loopback; rates are medians, each with the ` +
      `slowest and the fastest round. Memory is the resident memory of the service, each ${SAMPLE_MS} ms: its median in the first and the last ` +
      `fifth of an export, medians of the rounds, and the most of all. The slow reader takes ${whole((READERS[2]?.bytesPerSecond ?? 0) / 1e6)} MB a second.`,
  ].join('\n');
  return { sections: [{ title: 'Exports', text }], targets: measured.flatMap(targetsOf) };
}

async function download(
  leadwire: Leadwire,
  owner: Owner,
  postmaster: number,
  { format, bytesPerSecond }: Reader,
): Promise<Measured> {
  const { service } = leadwire;
  const cpuSeconds = () => (service.cpuSeconds() ?? Number.NaN) + treeCpuSeconds(postmaster);
  const memory: number[] = [];
  const sample = () => memory.push(mebibytes(service.rss()));
  const cpu = cpuSeconds();
  const started = performance.now();
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  let [leads, bytes] = [format === 'csv' ? -1 : 0, 0];
  try {
    const { statusCode, body } = await request(`${owner.base}/leads/export?format=${format}`, {
      headers: { cookie: owner.cookie },
    });
    if (statusCode !== 200) throw new Error(`export: ${statusCode} ${await body.text()}`);
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      leads += lines(chunk);
      if (bytesPerSecond === undefined) continue;
      const wait = (bytes * 1000) / bytesPerSecond - (performance.now() - started);
      if (wait > 1) await sleep(wait);
    }
  } finally {
    clearInterval(timer);
  }
  sample();
  const seconds = (performance.now() - started) / 1000;
  return { leads, bytes, seconds, cpu: cpuSeconds() - cpu, memory };
}

/** No value of these leads has a line break in it. */
function lines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}

type OfReader = { reader: Reader; runs: Measured[] };

const fifth = (memory: number[], which: 'first' | 'last'): number => {
  const size = Math.max(1, Math.floor(memory.length / 5));
  return median(which === 'first' ? memory.slice(0, size) : memory.slice(-size));
};
const ratesOf = ({ runs }: OfReader) => runs.map(({ leads, seconds }) => leads / seconds);
const growthOf = ({ runs }: OfReader) =>
  median(runs.map(({ memory }) => fifth(memory, 'last') - fifth(memory, 'first')));

function resultTable(measured: OfReader[]): string {
  const rows = measured.map((one) => {
    const rates = ratesOf(one);
    const memory = (which: 'first' | 'last') =>
      decimals(median(one.runs.map((run) => fifth(run.memory, which))), 0);
    return [
      one.reader.what,
      whole(median(rates)),
      `${whole(Math.min(...rates))}–${whole(Math.max(...rates))}`,
      decimals(median(one.runs.map((run) => run.bytes / run.seconds / 1e6)), 1),
      decimals(median(one.runs.map((run) => (run.cpu / run.leads) * 1e6)), 0),
      memory('first'),
      memory('last'),
      decimals(Math.max(...one.runs.flatMap((run) => run.memory)), 0),
    ];
  });
  const head = ['export', 'leads/s', 'min–max', 'MB/s', 'CPU µs each'];
  return table([...head, 'MiB at first', 'MiB at last', 'MiB at most'], rows);
}

function targetsOf(one: OfReader): Target[] {
  const { what, bytesPerSecond } = one.reader;
  const [rate, growth] = [median(ratesOf(one)), growthOf(one)];
  const flat = {
    what: `${what}: memory from the first to the last fifth`,
    wanted: `≤ +${WANTED_GROWTH} MiB`,
    measured: `${growth < 0 ? '' : '+'}${decimals(growth, 0)} MiB`,
    met: growth <= WANTED_GROWTH,
  };
  if (bytesPerSecond !== undefined) return [flat];
  const fast = {
    what: `${what}, leads/s`,
    wanted: `≥ ${whole(WANTED_RATE)}`,
    measured: whole(rate),
    met: rate >= WANTED_RATE,
  };
  return [fast, flat];
}
