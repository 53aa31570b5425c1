import { randomBytes } from 'node:crypto';
import path from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../apps/server/src/platform/embedded-postgres/index.ts';
import { createKey, type Leadwire, startProcess } from '../leadwire.ts';
import type { Bench } from '../run.ts';
import type { Service } from '../service.ts';

/** The API in one process and the worker in another. */
export type Split = Leadwire & { worker: Service };

const quiet = { info() {}, warn: console.error, error: console.error, debug() {} };

/** A PostgreSQL of its own, with the settings of the embedded one. */
export async function startPostgres(bench: Bench, name: string): Promise<EmbeddedPostgres> {
  const dataDir = path.join(bench.work, name);
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  bench.stops.push(postgres.stop);
  return postgres;
}

/** Starts Leadwire as two processes on a PostgreSQL. */
export async function startSplit(bench: Bench, postgres: EmbeddedPostgres): Promise<Split> {
  const env = {
    DATABASE_URL: postgres.url,
    LEADWIRE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'on',
  };
  const start = async (role: string) => {
    const logFile = path.join(bench.work, `leadwire-${role}.log`);
    const service = await startProcess({ ...env, LEADWIRE_ROLE: role }, logFile);
    bench.stops.push(service.stop);
    return service;
  };
  const service = await start('api');
  const worker = await start('worker');
  return { service, worker, databaseUrl: postgres.url, key: await createKey(env) };
}
