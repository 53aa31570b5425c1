import { parseArgs } from 'node:util';

export const GROUPS = ['post', 'dedupe', 'patch', 'get', 'list', 'batch'] as const;
export type Group = (typeof GROUPS)[number];

/** Parts of the bench about deliveries. */
export const DELIVERY_PARTS = ['rate', 'latency', 'post', 'isolation'] as const;
export type DeliveryPart = (typeof DELIVERY_PARTS)[number];

/** What is measured: the cases, or another part of the bench. */
export const KINDS = [
  'cases',
  'million',
  'deliveries',
  'growth',
  'counts',
  'leads',
  'imports',
  'exports',
  'forms',
] as const;
export type Kind = (typeof KINDS)[number];

export type Options = {
  quick: boolean;
  kind: Kind;
  groups: Group[];
  parts: DeliveryPart[];
  rounds: number;
  roundMs: number;
  warmupMs: number;
  /** Leads of the account in the million part, of an export, rows of an import; deliveries of each of the parts of growth. */
  size: number;
  /** Of each case in each round of the deliveries; a multiple of 1,000. */
  jobs: number;
  /** Part of the result's file name; undefined: the result is printed but not kept. */
  name: string | undefined;
  /** Data directories are made below it; must be on a disk for durable writes to mean anything. */
  workDir: string | undefined;
};

export const USAGE = `npm run bench -- [options]
  --only ${GROUPS.join(',')}   some of the cases
  --million            the part with one million leads, instead of the cases
  --deliveries         webhooks, instead of the cases; needs redis-server for BullMQ
  --only ${DELIVERY_PARTS.join(',')}   some parts of it
  --growth             three times a million deliveries, instead of the cases
  --counts             what keeping the dashboard's counts costs POST of leads, instead of the cases
  --leads              the dashboard's list and search of a million leads, instead of the cases
  --imports            a file of leads while leads are posted, instead of the cases
  --exports            an account's leads as a file, by a fast and a slow reader, instead of the cases
  --forms              posts of a form beside posts of the API, instead of the cases
  --quick              a few seconds in all: shows that it works, the numbers mean nothing
  --rounds N           default 5; of --deliveries 3
  --seconds N          of each case in each round, default 3
  --size N             leads of --million and --leads, deliveries of each part of --growth; default 1000000;
                       rows of each import of --imports, leads of --exports; default 100000
  --jobs N             of each case in each round of --deliveries, default 30000
  --name NAME          keeps the result as bench/results/<date>-NAME.md; default: one that tells what was
                       measured, and none with --quick
  --dir DIR            where the data directories are made; default: the system's temporary directory`;

/** Of results that are not named after what was asked for. */
const NAMES: { [Name in Kind]?: string } = {
  leads: 'dashboard-leads',
  imports: 'intake-imports',
  exports: 'intake-exports',
  forms: 'intake-forms',
};

/** Throws an Error with the usage on anything it does not know. */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  const { quick } = values;
  const kind = KINDS.find((name) => name !== 'cases' && values[name]) ?? 'cases';
  const only = values.only?.split(',');
  const isDeliveries = kind === 'deliveries';
  const isIntake = kind === 'imports' || kind === 'exports';
  return {
    quick,
    kind,
    groups: isDeliveries ? [...GROUPS] : choose(only, GROUPS),
    parts: isDeliveries ? choose(only, DELIVERY_PARTS) : [...DELIVERY_PARTS],
    rounds: asNumber('--rounds', values.rounds, quick ? 1 : isDeliveries ? 3 : 5),
    roundMs: 1000 * asNumber('--seconds', values.seconds, quick ? 0.4 : 3),
    warmupMs: quick ? 300 : 3000,
    size: asNumber('--size', values.size, quick ? 20_000 : isIntake ? 100_000 : 1_000_000),
    jobs: Math.ceil(asNumber('--jobs', values.jobs, quick ? 2000 : 30_000) / 1000) * 1000,
    name: values.name ?? (quick ? undefined : (NAMES[kind] ?? kind)),
    workDir: values.dir,
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    quick: flag,
    million: flag,
    deliveries: flag,
    growth: flag,
    counts: flag,
    leads: flag,
    imports: flag,
    exports: flag,
    forms: flag,
    only: text,
    rounds: text,
    seconds: text,
    size: text,
    jobs: text,
    name: text,
    dir: text,
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n${USAGE}`, { cause });
  }
}

function choose<T extends string>(only: string[] | undefined, all: readonly T[]): T[] {
  return (only ?? all).map((value) => {
    const known = all.find((name) => name === value);
    if (known === undefined) throw new Error(`--only ${value}: unknown\n${USAGE}`);
    return known;
  });
}

function asNumber(flag: string, value: string | undefined, fallback: number): number {
  const number = value === undefined ? fallback : Number(value);
  if (!(number > 0)) throw new Error(`${flag} ${value}: not a positive number\n${USAGE}`);
  return number;
}
