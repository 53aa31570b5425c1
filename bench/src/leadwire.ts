import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { locateRunningPostgres } from '../../apps/server/src/platform/embedded-postgres/index.ts';
import { cleanEnvironment, type Service, startService } from './service.ts';

export type Key = { public_key: string; secret_key: string; account_id: string };
export type Leadwire = {
  service: Service;
  /** postgres:// URL of the service's own role. */
  databaseUrl: string;
  key: Key;
};

const PACKAGE = new URL('../../package.json', import.meta.url);
const SCRIPT = fileURLToPath(new URL('../../apps/server/bin/leadwire.js', import.meta.url));

/** The options that `npm start` gives to Node. */
async function nodeOptionsOfStart(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(PACKAGE, 'utf8'));
  return (scripts.start as string).split(' ').filter((word) => word.startsWith('--'));
}

/** Starts Leadwire on a new data directory, as `npm start` does, with a key without a rate limit. `script`: that of another checkout. */
export async function startLeadwire(dataDir: string, script = SCRIPT): Promise<Leadwire> {
  await mkdir(dataDir, { recursive: true });
  const env = { LEADWIRE_DATA_DIR: dataDir };
  const service = await startProcess(env, `${dataDir}.log`, script);
  try {
    const key = await createKey(env);
    const running = await locateRunningPostgres(dataDir);
    if (running === null) throw new Error(`no PostgreSQL runs in ${dataDir}`);
    return { service, databaseUrl: running.url, key };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Starts one process of Leadwire with the options of `npm start`. */
export async function startProcess(
  env: Record<string, string>,
  logFile: string,
  script = SCRIPT,
): Promise<Service> {
  return startService({ script, nodeOptions: await nodeOptionsOfStart(), env, logFile });
}

/** A key of account `default` without a rate limit; `env` says where the store is. */
export async function createKey(env: Record<string, string>): Promise<Key> {
  const args = ['keys', 'create', '--account', 'default', '--name', 'bench'];
  args.push('--scopes', 'leads:read,leads:write', '--rate-limit', '0', '--json');
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, ...args], {
    env: { ...cleanEnvironment(), ...env },
  });
  return JSON.parse(stdout) as Key;
}

/**
 * Does what autovacuum does within the first minutes, at a known moment. Without it a new database
 * is planned without statistics: measured, the first list page of 1,000 leads took 1.45 ms before
 * and 0.7 ms after, which would flatter any comparison with it.
 */
export async function vacuum(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
