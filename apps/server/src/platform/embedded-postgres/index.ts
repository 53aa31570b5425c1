import { mkdir, realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BinariesPackage, locateBinariesPackage } from './binaries.ts';
import { DATABASE, ensureCluster, requireSameMajor, SERVICE_ROLE } from './cluster.ts';
import { type Credentials, readCredentials } from './credentials.ts';
import {
  type DataDirectoryLock,
  isDataDirectoryLocked,
  type LockPurpose,
  lockDataDirectory,
  readHolder,
} from './data-directory-lock.ts';
import { EmbeddedPostgresError, isEmbeddedPostgresError } from './errors.ts';
import type { Log } from './log.ts';
import { placeBinaries, placeCluster, SHARED_DIR } from './placement.ts';
import {
  isTransientStartFailure,
  type Postmaster,
  type PostmasterOptions,
  rotateLog,
  serverSettings,
  startPostmaster,
  stopOrphan,
} from './postmaster.ts';
import { type Supervisor, supervise, type UnexpectedExitListener } from './supervisor.ts';
import { accountForPostgres, runsAsRoot } from './system-user.ts';

export { lockDataDirectory } from './data-directory-lock.ts';
export {
  EmbeddedPostgresError,
  type EmbeddedPostgresErrorCode,
  isEmbeddedPostgresError,
} from './errors.ts';
export type { Log } from './log.ts';

export interface EmbeddedPostgresOptions {
  /** Made when missing. Holds the cluster, the lock, the passwords and `postgres.log`. */
  dataDir: string;
  log: Log;
  /** False trades safety against power cuts for speed: for tests. */
  durable?: boolean;
  /** Server settings by name, over the defaults. */
  settings?: Record<string, string>;
  /** What the lock is held for; commands look for the PostgreSQL of a `service` only. */
  purpose?: LockPurpose;
  /** How long to wait for another holder of the data directory. */
  lockWaitMs?: number;
  /** Place for what the system user cannot reach elsewhere; used as root only. */
  sharedDir?: string;
  /** The package of binaries; default: the one installed for this platform. */
  binariesPackage?: BinariesPackage;
  /** How long each signal of a stop may take (SIGINT, SIGQUIT, SIGKILL); default 10 s. */
  stopGraceMs?: number;
}

export interface EmbeddedPostgres {
  /** postgres:// URL of the service's own role on database `leadwire`. */
  url: string;
  /** postgres:// URL of the superuser on database `postgres`. */
  adminUrl: string;
  /** Process id of the present server, or of the last one while it is being started again. */
  pid(): number;
  /**
   * Calls the listener each time PostgreSQL ends by itself; it is started again on the same port.
   * Returns a function that removes the listener.
   */
  onUnexpectedExit(listener: UnexpectedExitListener): () => void;
  /** Stops PostgreSQL and frees the data directory. Idempotent. */
  stop(): Promise<void>;
}

const START_RETRY_MS = 5000;
const POLL_MS = 50;

/**
 * Starts PostgreSQL in a data directory: locks it, makes the cluster on the first start, stops what
 * a killed run left behind, and keeps the server running until `stop()`.
 * @throws EmbeddedPostgresError whose message says what a person can do
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = await makeDataDir(options.dataDir);
  const { purpose = 'service', lockWaitMs = 3000 } = options;
  const lock = await lockDataDirectory(dataDir, { purpose, waitMs: lockWaitMs });
  try {
    return await startLocked(dataDir, lock, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function makeDataDir(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: runsAsRoot() ? 0o711 : 0o700 });
    // Processes are recognised by this path, so it must always be the same one.
    return await realpath(dataDir);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'directory_unusable',
      `The data directory ${path.resolve(dataDir)} cannot be made or read. ` +
        'Set LEADWIRE_DATA_DIR to a directory this user can write.',
      undefined,
      cause,
    );
  }
}

async function startLocked(
  dataDir: string,
  lock: DataDirectoryLock,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log, durable = true, settings, sharedDir = SHARED_DIR, stopGraceMs } = options;
  const source = options.binariesPackage ?? (await locateBinariesPackage());
  const place = { dataDir, sharedDir, log };
  const { clusterDir, account } = await placeCluster({
    ...place,
    systemAccount: accountForPostgres,
  });
  const binaries = await placeBinaries(source, account, place);
  await requireSameMajor(clusterDir, binaries.major);
  await stopOrphan(clusterDir, log, stopGraceMs);
  const credentials = await ensureCluster({ dataDir, clusterDir, binaries, account, durable });
  const logFile = path.join(dataDir, 'postgres.log');
  await rotateLog(logFile);
  const onPort = (port: number): PostmasterOptions => ({
    ...{ program: binaries.postgres, clusterDir, logFile, account, log },
    ...(stopGraceMs === undefined ? {} : { stopGraceMs }),
    settings: serverSettings(port, durable, settings),
  });
  const { first, port } = await startOnFreePort(onPort);
  const start = async (signal: AbortSignal) => {
    // The postmaster's own lock file is left when it was killed, and its id may be another's now.
    await stopOrphan(clusterDir, log, stopGraceMs);
    return startPostmaster(onPort(port), signal);
  };
  try {
    await lock.publishPort(port);
  } catch (error) {
    await first.stop();
    throw error;
  }
  log.info({ postgresPid: first.pid, port, clusterDir }, 'PostgreSQL is ready.');
  return handle(supervise({ first, start, log }), lock, credentials, port);
}

/** Tries again for a while what passes by itself: a port taken meanwhile, an old server ending. */
async function startOnFreePort(
  onPort: (port: number) => PostmasterOptions,
): Promise<{ first: Postmaster; port: number }> {
  const deadline = Date.now() + START_RETRY_MS;
  for (;;) {
    const port = await freePort();
    try {
      return { first: await startPostmaster(onPort(port)), port };
    } catch (error) {
      if (Date.now() > deadline || !isTransientStartFailure(error)) throw error;
      await sleep(POLL_MS);
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function handle(
  supervisor: Supervisor,
  lock: DataDirectoryLock,
  { service, superuser }: Credentials,
  port: number,
): EmbeddedPostgres {
  // A process that ends without stop(), by process.exit or an uncaught error, leaves no orphan.
  process.once('exit', supervisor.interrupt);
  let stopped: Promise<void> | undefined;
  return {
    url: connectionUrl(SERVICE_ROLE, service, port, DATABASE),
    adminUrl: connectionUrl('postgres', superuser, port, 'postgres'),
    pid: supervisor.pid,
    onUnexpectedExit: supervisor.onUnexpectedExit,
    stop() {
      stopped ??= supervisor.stop().finally(() => {
        process.removeListener('exit', supervisor.interrupt);
        return lock.release();
      });
      return stopped;
    },
  };
}

const connectionUrl = (role: string, password: string, port: number, database: string) =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;

/**
 * The PostgreSQL of a running service on the data directory, for a command that works beside it.
 * Waits up to `waitMs` for one that is starting. Null when no service holds the directory: a
 * PostgreSQL left by a killed service does not count, as the next start stops it.
 */
export async function locateRunningPostgres(
  dataDir: string,
  { waitMs = 10_000 }: { waitMs?: number } = {},
): Promise<{ url: string } | null> {
  const deadline = Date.now() + waitMs;
  while (isDataDirectoryLocked(dataDir)) {
    const holder = await readHolder(dataDir);
    if (holder?.purpose === 'command') return null;
    const credentials = holder?.port ? await readCredentials(dataDir) : null;
    if (holder?.port && credentials) {
      return { url: connectionUrl(SERVICE_ROLE, credentials.service, holder.port, DATABASE) };
    }
    if (Date.now() > deadline) return null;
    await sleep(POLL_MS);
  }
  return null;
}

/**
 * For a command: the PostgreSQL of the running service, or one of its own for as long as the
 * command runs. `close()` stops only what was started here. Commands wait for each other.
 * @throws EmbeddedPostgresError as `startEmbeddedPostgres` does
 */
export async function openForCommand(
  options: EmbeddedPostgresOptions & { waitMs?: number },
): Promise<{ url: string; close(): Promise<void> }> {
  const { waitMs = 30_000, ...start } = options;
  const deadline = Date.now() + waitMs;
  for (;;) {
    const running = await locateRunningPostgres(options.dataDir);
    if (running) return { url: running.url, close: async () => {} };
    try {
      const own = await startEmbeddedPostgres({ ...start, purpose: 'command' });
      return { url: own.url, close: own.stop };
    } catch (error) {
      // A service or another command was faster.
      if (!isEmbeddedPostgresError(error, 'directory_locked') || Date.now() > deadline) throw error;
    }
  }
}
