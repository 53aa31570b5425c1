import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { asArguments } from './cluster.ts';
import { EmbeddedPostgresError, hasErrno } from './errors.ts';
import type { Log } from './log.ts';
import { disownPostmasterPid, isPostmasterOf, readPostmasterPid } from './postmaster-pid.ts';
import { asAccount, programEnvironment } from './run-program.ts';
import type { SystemAccount } from './system-user.ts';

export interface PostmasterOptions {
  /** Path of the `postgres` program. */
  program: string;
  clusterDir: string;
  logFile: string;
  account: SystemAccount | null;
  settings: Record<string, string>;
  log: Log;
  /** How long each signal of a stop may take; SIGINT, then SIGQUIT, then SIGKILL. */
  stopGraceMs?: number;
}

export interface PostmasterExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A server that accepts connections. */
export interface Postmaster {
  pid: number;
  exited: Promise<PostmasterExit>;
  /** Sends the signal of a fast shutdown and does not wait; nothing where it has ended. */
  interrupt(): void;
  /** Fast shutdown: rolls back what is open, writes a checkpoint, ends. Idempotent. */
  stop(): Promise<void>;
}

const POLL_MS = 20;
const STOP_GRACE_MS = 10_000;
// Replaying the log after a crash can take minutes on a slow disk.
const READY_TIMEOUT_MS = 10 * 60_000;
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** Server settings that hold for every start; the caller's come last. */
export function serverSettings(
  port: number,
  durable: boolean,
  overrides: Record<string, string> = {},
): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // The path of a socket may have 107 bytes at most, and a data directory more.
    unix_socket_directories: '',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    password_encryption: 'scram-sha-256',
    max_connections: '50',
    shared_buffers: '128MB',
    max_wal_size: '2GB',
    // Errors reach the client anyway; their text can hold values of a lead, the log must not.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...overrides,
  };
}

/**
 * Starts a server and waits until it accepts connections.
 * @throws EmbeddedPostgresError `start_failed` when it ends before, or `signal` aborts
 */
export async function startPostmaster(
  options: PostmasterOptions,
  signal?: AbortSignal,
): Promise<Postmaster> {
  const logStart = await fileSize(options.logFile);
  const { child, exited } = await spawnDetached(options);
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  const stop = async () => {
    const endedWithin = (ms: number) =>
      Promise.race([exited.then(() => true), sleep(ms, false, { ref: false })]);
    await terminate((name) => child.kill(name), endedWithin, options.stopGraceMs);
  };
  const started = Date.now();
  let reported = started;
  for (;;) {
    const lock = await readPostmasterPid(options.clusterDir);
    if (lock?.pid === child.pid && lock?.ready) break;
    if (ended) throw await startFailed(options, logStart);
    if (signal?.aborted || Date.now() - started > READY_TIMEOUT_MS) {
      await stop();
      throw await startFailed(options, logStart);
    }
    if (Date.now() - reported > 10_000) {
      reported = Date.now();
      options.log.info(
        { pid: child.pid },
        'PostgreSQL is still starting (recovering after a crash).',
      );
    }
    await sleep(POLL_MS);
  }
  let stopped: Promise<void> | undefined;
  return {
    pid: child.pid as number,
    exited,
    interrupt: () => {
      child.kill('SIGINT');
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function spawnDetached(options: PostmasterOptions) {
  const { program, clusterDir, account, settings } = options;
  const logFd = openSync(options.logFile, 'a', 0o600);
  try {
    const child = spawn(program, ['-D', clusterDir, ...asArguments(settings)], {
      // A session of its own: Ctrl-C signals the terminal's process group, and requests in flight
      // need the database until the service has finished them.
      detached: true,
      // A file and no pipe: the server must be able to write when this process is gone.
      stdio: ['ignore', logFd, logFd],
      cwd: clusterDir,
      env: programEnvironment(),
      windowsHide: true,
      ...asAccount(account),
    });
    const exited = new Promise<PostmasterExit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return { child, exited };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'start_failed',
      `PostgreSQL could not be started (${program}). Set DATABASE_URL to another PostgreSQL.`,
      undefined,
      cause,
    );
  } finally {
    closeSync(logFd);
  }
}

/**
 * Stops a server that an earlier service left behind, and clears the way for a new one where its
 * process id has become a stranger's. Needs the lock of the data directory.
 */
export async function stopOrphan(clusterDir: string, log: Log, stopGraceMs?: number) {
  const lock = await readPostmasterPid(clusterDir);
  if (!lock) return;
  const { pid } = lock;
  const isOurs = () => isPostmasterOf(pid, clusterDir);
  if (!(await isOurs())) return disownPostmasterPid(clusterDir);
  log.warn(
    { postgresPid: pid },
    `Stopping PostgreSQL (process ${pid}) that an earlier run left behind.`,
  );
  const endedWithin = async (ms: number) => {
    const deadline = Date.now() + ms;
    while (await isOurs()) {
      if (Date.now() > deadline) return false;
      await sleep(POLL_MS);
    }
    return true;
  };
  await terminate((name) => process.kill(pid, name), endedWithin, stopGraceMs);
}

async function terminate(
  send: (name: NodeJS.Signals) => unknown,
  endedWithin: (ms: number) => Promise<boolean>,
  graceMs = STOP_GRACE_MS,
): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (await endedWithin(0)) return;
    try {
      send(name);
    } catch (error) {
      if (!hasErrno(error, 'ESRCH')) throw error;
    }
    if (await endedWithin(graceMs)) return;
  }
}

/** Moves a log of more than 10 MB aside, replacing the one before. No server may be writing it. */
export async function rotateLog(logFile: string): Promise<void> {
  if ((await fileSize(logFile)) > MAX_LOG_BYTES) await rename(logFile, `${logFile}.1`);
}

const fileSize = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

async function startFailed({ logFile }: PostmasterOptions, logStart: number) {
  const MAX_TAIL_BYTES = 4096;
  const size = await fileSize(logFile);
  const from = Math.max(logStart, size - MAX_TAIL_BYTES);
  const handle = await open(logFile, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(size - from),
      0,
      size - from,
      from,
    );
    return new EmbeddedPostgresError(
      'start_failed',
      `PostgreSQL did not start; ${logFile} says why.`,
      buffer.toString('utf8', 0, bytesRead),
    );
  } finally {
    await handle.close();
  }
}

/** Failures that pass: a port taken meanwhile, processes of a killed server still ending. */
export const isTransientStartFailure = (error: unknown): boolean =>
  error instanceof EmbeddedPostgresError &&
  error.code === 'start_failed' &&
  /still in use|could not bind|could not create any TCP|already exists/.test(error.details ?? '');
