import { existsSync } from 'node:fs';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './errors.ts';

/** What holds a data directory: the running service, or one command for its short time. */
export type LockPurpose = 'service' | 'command';

/** Content of `leadwire.pid`: information for people and for commands, never the lock itself. */
export interface LockHolder {
  pid: number;
  host: string;
  purpose: LockPurpose;
  /** Port of PostgreSQL on 127.0.0.1, once it accepts connections. */
  port?: number;
}

export interface DataDirectoryLock {
  /** Records the port in the information file, for commands that work beside the service. */
  publishPort(port: number): Promise<void>;
  /** Removes the information file and frees the lock. Idempotent. */
  release(): Promise<void>;
}

const POLL_MS = 50;

const holderFile = (dataDir: string) => path.join(dataDir, 'leadwire.pid');

/**
 * Takes the exclusive lock of a data directory, waiting up to `waitMs` for the present holder.
 *
 * Node has no flock. An exclusive SQLite transaction is a kernel lock (fcntl, LockFileEx) on every
 * platform without an addon: it holds between containers on one volume, and the kernel frees it
 * the moment the process dies, so no stale lock can exist. `lock.db` stays empty.
 * Nothing else in this process may open `lock.db`: closing any descriptor of it drops the lock.
 * @throws EmbeddedPostgresError `directory_locked`, `directory_unusable`
 */
export async function lockDataDirectory(
  dataDir: string,
  { purpose = 'service', waitMs = 3000 }: { purpose?: LockPurpose; waitMs?: number } = {},
): Promise<DataDirectoryLock> {
  const deadline = Date.now() + waitMs;
  let database = tryLock(dataDir);
  while (!database) {
    if (Date.now() >= deadline) throw lockedError(dataDir, await readHolder(dataDir));
    await sleep(POLL_MS);
    database = tryLock(dataDir);
  }
  const held = database;
  await chmod(path.join(dataDir, 'lock.db'), 0o600).catch(() => {});
  const holder: LockHolder = { pid: process.pid, host: hostname(), purpose };
  try {
    await writeHolder(dataDir, holder);
  } catch (error) {
    held.close();
    throw error;
  }
  let released: Promise<void> | undefined;
  return {
    publishPort: (port) => writeHolder(dataDir, { ...holder, port }),
    release: () => {
      released ??= rm(holderFile(dataDir), { force: true }).finally(() => held.close());
      return released;
    },
  };
}

/** True while some process holds the lock. Creates nothing where there is no lock file. */
export function isDataDirectoryLocked(dataDir: string): boolean {
  if (!existsSync(path.join(dataDir, 'lock.db'))) return false;
  const database = tryLock(dataDir);
  database?.close();
  return database === null;
}

/** Who holds the directory. Only meaningful while the lock is held. */
export async function readHolder(dataDir: string): Promise<LockHolder | null> {
  try {
    return JSON.parse(await readFile(holderFile(dataDir), 'utf8')) as LockHolder;
  } catch {
    return null;
  }
}

async function writeHolder(dataDir: string, holder: LockHolder): Promise<void> {
  const unfinished = `${holderFile(dataDir)}.new`;
  await writeFile(unfinished, `${JSON.stringify(holder)}\n`);
  await rename(unfinished, holderFile(dataDir));
}

/** An open transaction that holds the lock; null while another holds it. */
function tryLock(dataDir: string): DatabaseSync | null {
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path.join(dataDir, 'lock.db'), { timeout: 0 });
    // Without a journal file a killed holder leaves nothing to roll back.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    const SQLITE_BUSY = 5;
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw new EmbeddedPostgresError(
      'directory_unusable',
      `The data directory ${dataDir} cannot be used: its lock file could not be opened ` +
        '(is it writable by this user?). Set LEADWIRE_DATA_DIR to a directory that is.',
      undefined,
      error,
    );
  }
}

/** node:sqlite without its ExperimentalWarning: early releases of Node 24 print one on loading. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).startsWith('SQLite is an experimental feature')) return;
    (emitWarning as (...args: unknown[]) => void).call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

function lockedError(dataDir: string, holder: LockHolder | null): EmbeddedPostgresError {
  const kind = holder?.purpose === 'command' ? 'a Leadwire command' : 'another Leadwire';
  const who = holder ? ` (process ${holder.pid} on ${holder.host})` : '';
  return new EmbeddedPostgresError(
    'directory_locked',
    `The data directory ${dataDir} is in use by ${kind}${who}. ` +
      'A second copy needs its own LEADWIRE_DATA_DIR, or a shared DATABASE_URL.',
  );
}
