import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, type Servers } from './compare.ts';
import { runCounts } from './dashboard/counts.ts';
import { runLeads } from './dashboard/leads.ts';
import { runGrowth } from './deliveries/growth.ts';
import { runDeliveries } from './deliveries/run.ts';
import { runExports } from './intake/exports.ts';
import { runForms } from './intake/forms.ts';
import { runImports } from './intake/imports.ts';
import { type Leadwire, startLeadwire } from './leadwire.ts';
import { runMillion } from './million/run.ts';
import { type Kind, type Options, readOptions } from './options.ts';
import {
  describeMachine,
  keep,
  render,
  type Section,
  type Target,
  targetsSection,
} from './report.ts';
import { type Service, startService } from './service.ts';

export type Bench = {
  options: Options;
  /** Below it: data directories and logs, removed at the end. */
  work: string;
  /** What must be stopped at the end, whatever happens; last in, first out. */
  stops: (() => Promise<void>)[];
  progress: (line: string) => void;
};

const baseline = (name: string) => fileURLToPath(new URL(`./baselines/${name}`, import.meta.url));

async function startServers(bench: Bench, leadwire: Leadwire): Promise<Servers> {
  const start = async (script: string, env: Record<string, string>): Promise<Service> => {
    const logFile = path.join(bench.work, `${script}.log`);
    const service = await startService({ script: baseline(script), env, logFile });
    bench.stops.push(service.stop);
    return service;
  };
  const referenceKey = randomBytes(32).toString('base64url');
  return {
    leadwire,
    referenceKey,
    bare: await start('bare-fastify.ts', {}),
    reference: await start('express-reference.ts', {
      // The same cluster, so the same settings and the same disk, in a schema of its own.
      REFERENCE_DATABASE_URL: leadwire.databaseUrl,
      REFERENCE_KEY: referenceKey,
    }),
  };
}

type Result = { sections: Section[]; targets: Target[] };

const KINDS: Record<Kind, (bench: Bench, leadwire: Leadwire) => Promise<Result>> = {
  cases: async (bench, leadwire) =>
    compare(await startServers(bench, leadwire), bench.options, bench.progress),
  million: runMillion,
  deliveries: runDeliveries,
  growth: runGrowth,
  counts: runCounts,
  leads: runLeads,
  imports: runImports,
  exports: runExports,
  forms: runForms,
};

async function measure(bench: Bench): Promise<void> {
  const { options, work } = bench;
  const leadwire = await startLeadwire(path.join(work, 'leadwire'));
  bench.stops.push(leadwire.service.stop);
  const machine = await describeMachine(leadwire.databaseUrl, work);
  const { sections, targets } = await KINDS[options.kind](bench, leadwire);
  const all: Section[] = [machine, ...sections, targetsSection(targets)];
  console.log(`\n${render(all)}`);
  if (options.quick) console.log('A quick run: it shows that the bench works, and nothing else.');
  if (options.name !== undefined) console.log(`kept in ${await keep(options.name, all)}`);
}

async function removeAllButLogs(work: string): Promise<void> {
  for (const entry of await readdir(work, { withFileTypes: true })) {
    if (entry.isDirectory())
      await rm(path.join(work, entry.name), { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  // Each process that is started listens for the end of this one.
  process.setMaxListeners(0);
  const options = readOptions(process.argv.slice(2));
  const work = await mkdtemp(path.join(options.workDir ?? os.tmpdir(), 'leadwire-bench-'));
  // PostgreSQL runs as another user when the bench is run as root.
  await chmod(work, 0o755);
  const progress = (line: string) => console.error(line);
  const bench: Bench = { options, work, stops: [], progress };
  let keepLogs = false;
  try {
    await Promise.race([measure(bench), interruption()]);
  } catch (error) {
    keepLogs = error !== INTERRUPTED;
    throw error;
  } finally {
    for (const stop of bench.stops.reverse()) await stop();
    if (keepLogs) await removeAllButLogs(work);
    else await rm(work, { recursive: true, force: true });
    if (keepLogs) progress(`the logs of the servers are in ${work}`);
  }
}

const INTERRUPTED = new Error('interrupted');

function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(INTERRUPTED));
    }
  });
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // After an interruption a measurement may still be under way.
  process.exit(1);
}
