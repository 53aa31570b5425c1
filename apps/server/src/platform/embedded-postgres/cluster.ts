import { randomBytes } from 'node:crypto';
import {
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import {
  type Credentials,
  generateCredentials,
  readCredentials,
  writeCredentials,
} from './credentials.ts';
import { EmbeddedPostgresError, hasErrno } from './errors.ts';
import { type ProgramResult, runProgram } from './run-program.ts';
import type { SystemAccount } from './system-user.ts';

export const SERVICE_ROLE = 'leadwire';
export const DATABASE = 'leadwire';

// Only the service on this machine connects, and only over TCP: no socket, no replication.
const PG_HBA = 'host all all 127.0.0.1/32 scram-sha-256\n';

export interface ClusterOptions {
  dataDir: string;
  clusterDir: string;
  binaries: PostgresBinaries;
  account: SystemAccount | null;
  /** False skips every sync to disk: for tests. */
  durable: boolean;
}

/** Major version that made the cluster; null where there is no cluster. */
export async function clusterMajor(clusterDir: string): Promise<number | null> {
  try {
    return Number.parseInt(await readFile(path.join(clusterDir, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Refuses a cluster of another major version; nothing may be touched before this is known.
 * @throws EmbeddedPostgresError `wrong_major_version`
 */
export async function requireSameMajor(clusterDir: string, major: number): Promise<void> {
  const made = await clusterMajor(clusterDir);
  if (made === null || made === major) return;
  throw new EmbeddedPostgresError(
    'wrong_major_version',
    `The database in ${clusterDir} was made by PostgreSQL ${made}, and this Leadwire brings ` +
      `PostgreSQL ${major}. Nothing was changed. Use the Leadwire that made it, ` +
      'choose another LEADWIRE_DATA_DIR, or set DATABASE_URL.',
  );
}

/**
 * Makes the cluster where there is none, and gives the passwords of its roles.
 * Needs the lock of the data directory; no server may run on the cluster.
 * @throws EmbeddedPostgresError `initialisation_failed`
 */
export async function ensureCluster(options: ClusterOptions): Promise<Credentials> {
  if ((await clusterMajor(options.clusterDir)) === null) return createCluster(options);
  return (await readCredentials(options.dataDir)) ?? resetPasswords(options);
}

async function createCluster(options: ClusterOptions): Promise<Credentials> {
  const { clusterDir, account, dataDir } = options;
  await removeUnfinished(clusterDir);
  const unfinished = `${clusterDir}.initializing-${randomBytes(6).toString('hex')}`;
  await mkdir(unfinished, { mode: 0o700 });
  if (account) await chown(unfinished, account.uid, account.gid);
  await initialise(unfinished, options);
  const credentials = generateCredentials();
  const { superuser, service } = credentials;
  await runSingleUser(unfinished, options, [
    `ALTER ROLE postgres PASSWORD '${superuser}';`,
    `CREATE ROLE ${SERVICE_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '${service}';`,
    `CREATE DATABASE ${DATABASE} OWNER ${SERVICE_ROLE};`,
  ]);
  await writeCredentials(dataDir, credentials);
  // The rename is the commit: whatever was killed before it leaves no cluster.
  await rename(unfinished, clusterDir);
  if (options.durable) await syncDirectory(path.dirname(clusterDir));
  return credentials;
}

async function removeUnfinished(clusterDir: string): Promise<void> {
  const parent = path.dirname(clusterDir);
  const prefix = `${path.basename(clusterDir)}.initializing-`;
  const leftovers = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  // An initdb that outlived its service may still write here; the next start removes the rest.
  await Promise.allSettled(
    leftovers.map((name) => rm(path.join(parent, name), { recursive: true, force: true })),
  );
}

async function initialise(dir: string, options: ClusterOptions): Promise<void> {
  let result = await runInitdb(dir, options, 'C.UTF-8');
  // Not every system has C.UTF-8; the encoding is UTF8 under C as well.
  if (result.code !== 0 && result.output.includes('locale')) {
    result = await runInitdb(dir, options, 'C');
  }
  if (result.code !== 0) throw initialisationFailed(dir, result);
  await writeFile(path.join(dir, 'pg_hba.conf'), PG_HBA);
}

function runInitdb(dir: string, { binaries, account, durable }: ClusterOptions, locale: string) {
  const args = [
    `--pgdata=${dir}`,
    '--username=postgres',
    '--encoding=UTF8',
    `--locale=${locale}`,
    '--data-checksums',
    // MiB. Whoever fills one writes the next, and all wait: some 20 ms for the default of 16 (ADR 0001).
    '--wal-segsize=2',
    // Never in force: pg_hba.conf is replaced before a server listens. It spares a password file.
    '--auth=trust',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  return runProgram(binaries.initdb, args, { account });
}

/** New passwords for a cluster whose password files are gone; the files are the only copy. */
async function resetPasswords(options: ClusterOptions): Promise<Credentials> {
  const credentials = generateCredentials();
  await runSingleUser(options.clusterDir, options, [
    `ALTER ROLE postgres PASSWORD '${credentials.superuser}';`,
    `ALTER ROLE ${SERVICE_ROLE} PASSWORD '${credentials.service}';`,
  ]);
  await writeCredentials(options.dataDir, credentials);
  return credentials;
}

/** Runs statements without a server that listens; stops at the first error. */
async function runSingleUser(dir: string, options: ClusterOptions, statements: string[]) {
  const { binaries, account, durable } = options;
  const settings = {
    exit_on_error: 'on',
    password_encryption: 'scram-sha-256',
    // The statements carry passwords and the output may be logged.
    log_min_error_statement: 'panic',
    fsync: durable ? 'on' : 'off',
  };
  const result = await runProgram(
    binaries.postgres,
    ['--single', '-D', dir, ...asArguments(settings), 'postgres'],
    { account, input: `${statements.join('\n')}\n` },
  );
  if (result.code !== 0) throw initialisationFailed(dir, result);
}

/** Server settings as `-c name=value` arguments. */
export const asArguments = (settings: Record<string, string>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

function initialisationFailed(dir: string, { output }: ProgramResult) {
  const full = output.includes('No space left on device') ? ' The disk is full.' : '';
  return new EmbeddedPostgresError(
    'initialisation_failed',
    `PostgreSQL could not prepare its files in ${path.dirname(dir)}.${full} ` +
      'Set LEADWIRE_DATA_DIR to another directory, or DATABASE_URL to another PostgreSQL.',
    output,
  );
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a directory, and does not need to.
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Owner of the cluster's files, which PostgreSQL must run as; null where there is no cluster. */
export async function clusterOwner(
  clusterDir: string,
): Promise<{ uid: number; gid: number } | null> {
  try {
    const { uid, gid } = await stat(clusterDir);
    return { uid, gid };
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return null;
    throw error;
  }
}
