import { setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IMPORT_PART_BYTES, type Import } from '@leadwire/contract/dashboard';
import { type Owner, signUp } from '../dashboard/sign-up.ts';
import { postmasterOf, treeCpuSeconds } from '../deliveries/cpu.ts';
import { type Leadwire, vacuum } from '../leadwire.ts';
import { decimals, mebibytes, median, quantile, table, whole } from '../numbers.ts';
import type { Section, Target } from '../report.ts';
import type { Bench } from '../run.ts';
import { type Counter, createCounter } from '../traffic.ts';
import { postAtRate } from './post-at-rate.ts';

type Round = {
  rows: number;
  /** From its start to its end, as the service has them. */
  seconds: number;
  /** CPU seconds of service and PostgreSQL, the posts included. */
  cpu: number;
  mib: number;
  /** Milliseconds of posts while nothing is imported, and while this is. */
  alone: number[];
  beside: number[];
};

const POSTS_A_SECOND = 200;
/** A p99 needs some thousands of posts. */
const ALONE_ROUNDS = 4;
const POLL_MS = 100;
const SENDER_PRIORITY = -10;
const [WANTED_RATE, WANTED_RATIO] = [5_000, 2];

/** Files of new leads, imported one after the other while leads are posted at a fixed rate, in turn with posts alone. */
export async function runImports(
  bench: Bench,
  leadwire: Leadwire,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const { options, progress } = bench;
  const generator = standAside();
  const owner = await signUp(leadwire, path.join(bench.work, 'leadwire.log'));
  const postmaster = await postmasterOf(leadwire.databaseUrl);
  const counter = createCounter(1);
  const aloneMs = options.roundMs * ALONE_ROUNDS;
  await postFor(leadwire, counter, options.warmupMs);
  await measureImport({ leadwire, owner, postmaster, counter }, 'warm-up', options.size / 10);
  await vacuum(leadwire.databaseUrl);
  const rounds: Round[] = [];
  for (let n = 1; n <= options.rounds; n += 1) {
    const alone = await postFor(leadwire, counter, aloneMs);
    const deps = { leadwire, owner, postmaster, counter };
    const round = { alone, ...(await measureImport(deps, `round-${n}`, options.size)) };
    rounds.push(round);
    const [before, beside] = [alone, round.beside].map((all) => decimals(quantile(all, 0.99), 1));
    progress(
      `round ${n}: ${whole(round.rows / round.seconds)} rows/s, POST p99 ${before} ms alone, ${beside} ms beside it`,
    );
  }
  return { sections: [sectionOf(rounds, aloneMs, generator)], targets: targetsOf(rounds) };
}

/** Posts come from other machines: here their sender must not wait for a processor behind the service. @returns what the report says of it */
function standAside(): string {
  try {
    setPriority(SENDER_PRIORITY);
    return `The sender of the posts had priority ${SENDER_PRIORITY}, so that it did not wait for the processors that the service used.`;
  } catch {
    return 'The sender of the posts waited for the processors like all else: as another user than root it may not have a priority.';
  }
}

function postFor(leadwire: Leadwire, counter: Counter, durationMs: number): Promise<number[]> {
  const end = performance.now() + durationMs;
  const isOver = () => performance.now() >= end;
  return postAtRate(leadwire, { perSecond: POSTS_A_SECOND, counter, isOver });
}

type Deps = { leadwire: Leadwire; owner: Owner; postmaster: number; counter: Counter };

async function measureImport(
  { leadwire, owner, postmaster, counter }: Deps,
  name: string,
  rows: number,
): Promise<Omit<Round, 'alone'>> {
  const { service } = leadwire;
  const id = await upload(owner, `${name}.csv`, fileOf(name, rows));
  const cpuSeconds = () => (service.cpuSeconds() ?? Number.NaN) + treeCpuSeconds(postmaster);
  const cpu = cpuSeconds();
  let [isDone, mib] = [false, 0];
  await owner.ask(`imports/${id}/start`, { method: 'POST' });
  const posting = postAtRate(leadwire, {
    ...{ perSecond: POSTS_A_SECOND, counter },
    isOver: () => isDone,
  });
  const done = await untilState(owner, id, ['done', 'failed', 'stopped'], () => {
    mib = Math.max(mib, mebibytes(service.rss()));
  }).finally(() => {
    isDone = true;
  });
  const beside = await posting;
  if (done.state !== 'done' || done.counts.inserted !== rows) {
    throw new Error(`import: ${JSON.stringify(done)}`);
  }
  const ms = Date.parse(done.finished_at ?? '') - Date.parse(done.started_at ?? '');
  return { rows, seconds: ms / 1000, cpu: cpuSeconds() - cpu, mib, beside };
}

/** @returns the id of an import that may be started */
async function upload(owner: Owner, fileName: string, bytes: Buffer): Promise<string> {
  const made = { file_name: fileName, bytes: bytes.length };
  const { id } = (await owner.ask('imports', { body: made })) as Import;
  for (let part = 0; part * IMPORT_PART_BYTES < bytes.length; part += 1) {
    const from = part * IMPORT_PART_BYTES;
    const body = bytes.subarray(from, from + IMPORT_PART_BYTES);
    await owner.ask(`imports/${id}/parts/${part}`, { body });
  }
  await untilState(owner, id, ['ready']);
  const settings = { campaign_id: 1, source: fileName };
  await owner.ask(`imports/${id}`, { method: 'PATCH', body: settings });
  return id;
}

async function untilState(
  owner: Owner,
  id: string,
  states: Import['state'][],
  look: () => void = () => undefined,
): Promise<Import> {
  for (;;) {
    const one = (await owner.ask(`imports/${id}`)) as Import;
    if (states.includes(one.state)) return one;
    if (one.state === 'failed') throw new Error(`import: ${JSON.stringify(one.failure)}`);
    look();
    await sleep(POLL_MS);
  }
}

/** The lead of the other cases, one a row. */
function fileOf(name: string, rows: number): Buffer {
  const lines = [
    'external_lead_id,phone,email,first_name,last_name,source_form_url,tcpa_consent,tcpa_consent_text,' +
      'tcpa_consent_timestamp,roof_type,monthly_bill,utility,address.street,address.city,address.state,address.zip',
  ];
  for (let n = 0; n < rows; n += 1) {
    const number = String(n).padStart(9, '0');
    lines.push(
      `${name}-${number},+12${number},maria.lindqvist.${number}@example.com,Maria,Lindqvist,https://offers.example.com/solar/quote?step=4,` +
        'true,"By clicking Submit I agree to be called about solar offers, at the number given.",2026-01-15T10:30:00Z,' +
        'tile,184.5,Pacific Gas & Electric,1200 Harbour Street,Fresno,CA,93650',
    );
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n`);
}

const ratioOf = ({ alone, beside }: Round) => quantile(beside, 0.99) / quantile(alone, 0.99);
const ratesOf = (rounds: Round[]) => rounds.map(({ rows, seconds }) => rows / seconds);

function sectionOf(rounds: Round[], aloneMs: number, generator: string): Section {
  const rates = ratesOf(rounds);
  const posts = (of: 'alone' | 'beside') =>
    [0.5, 0.99].map((q) => decimals(median(rounds.map((round) => quantile(round[of], q))), 1));
  const ratios = rounds.map(ratioOf);
  const text = [
    table(
      ['', 'rows/s', 'min–max', 'CPU µs a row', 'MiB at most', 'POST p50 ms', 'p99 ms'],
      [
        ['posts alone', '', '', '', '', ...posts('alone')],
        [
          'while a file is imported',
          whole(median(rates)),
          `${whole(Math.min(...rates))}–${whole(Math.max(...rates))}`,
          decimals(median(rounds.map(({ cpu, rows }) => (cpu / rows) * 1e6)), 0),
          decimals(Math.max(...rounds.map(({ mib }) => mib)), 0),
          ...posts('beside'),
        ],
      ],
    ),
    '',
    `${rounds.length} alternating rounds: ${aloneMs / 1000} s of posts, then a file of ${whole(rounds[0]?.rows ?? 0)} rows with the posts going on. Posts of new leads come at ` +
      `${POSTS_A_SECOND} a second in an open loop, timed from when each was due. Medians of the rounds; p99 beside ÷ alone ` +
      `was ${decimals(Math.min(...ratios), 2)} to ${decimals(Math.max(...ratios), 2)}. ${generator} CPU: of service and PostgreSQL, the posts included.`,
  ].join('\n');
  return { title: 'Imports', text };
}

function targetsOf(rounds: Round[]): Target[] {
  const [rate, ratio] = [median(ratesOf(rounds)), median(rounds.map(ratioOf))];
  return [
    {
      what: 'import, rows/s, while leads are posted',
      wanted: `≥ ${whole(WANTED_RATE)}`,
      measured: whole(rate),
      met: rate >= WANTED_RATE,
    },
    {
      what: 'POST p99 beside an import ÷ alone',
      wanted: `≤ ${WANTED_RATIO}`,
      measured: decimals(ratio, 2),
      met: ratio <= WANTED_RATIO,
    },
  ];
}
