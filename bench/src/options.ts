import { parseArgs } from 'node:util';

export const GROUPS = ['post', 'dedupe', 'patch', 'get', 'list', 'batch'] as const;
export type Group = (typeof GROUPS)[number];

export type Options = {
  quick: boolean;
  million: boolean;
  groups: Group[];
  rounds: number;
  roundMs: number;
  warmupMs: number;
  /** Leads of the account in the million part. */
  size: number;
  /** Part of the result's file name; undefined: the result is printed but not kept. */
  name: string | undefined;
  /** Data directories are made below it; must be on a disk for durable writes to mean anything. */
  workDir: string | undefined;
};

export const USAGE = `npm run bench -- [options]
  --only ${GROUPS.join(',')}   some of the cases
  --million            the part with one million leads, instead of the cases
  --quick              a few seconds in all: shows that it works, the numbers mean nothing
  --rounds N           default 5
  --seconds N          of each case in each round, default 3
  --size N             leads of the million part, default 1000000
  --name NAME          keeps the result as bench/results/<date>-NAME.md; default: cases or million,
                       and none with --quick
  --dir DIR            where the data directories are made; default: the system's temporary directory`;

/** Throws an Error with the usage on anything it does not know. */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  const { quick, million } = values;
  const groups = values.only === undefined ? [...GROUPS] : values.only.split(',').map(asGroup);
  const usual = million ? 'million' : 'cases';
  return {
    quick,
    million,
    groups,
    rounds: asNumber('--rounds', values.rounds, quick ? 1 : 5),
    roundMs: 1000 * asNumber('--seconds', values.seconds, quick ? 0.4 : 3),
    warmupMs: quick ? 300 : 3000,
    size: asNumber('--size', values.size, quick ? 20_000 : 1_000_000),
    name: values.name ?? (quick ? undefined : usual),
    workDir: values.dir,
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    quick: flag,
    million: flag,
    only: text,
    rounds: text,
    seconds: text,
    size: text,
    name: text,
    dir: text,
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n${USAGE}`, { cause });
  }
}

function asGroup(value: string): Group {
  const group = GROUPS.find((name) => name === value);
  if (group === undefined) throw new Error(`--only ${value}: unknown\n${USAGE}`);
  return group;
}

function asNumber(flag: string, value: string | undefined, fallback: number): number {
  const number = value === undefined ? fallback : Number(value);
  if (!(number > 0)) throw new Error(`${flag} ${value}: not a positive number\n${USAGE}`);
  return number;
}
