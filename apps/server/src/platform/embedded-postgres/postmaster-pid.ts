import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasErrno } from './errors.ts';

/** The lock file of a running server, written by the postmaster (miscinit.c, CreateDataDirLockFile). */
export interface PostmasterPid {
  pid: number;
  port: number;
  /** Accepts connections. */
  ready: boolean;
}

const pidFile = (clusterDir: string) => path.join(clusterDir, 'postmaster.pid');

/** The lock file's content; null when there is none, or not yet a whole one. */
export async function readPostmasterPid(clusterDir: string): Promise<PostmasterPid | null> {
  try {
    const lines = (await readFile(pidFile(clusterDir), 'utf8')).split('\n');
    const pid = Number.parseInt(lines[0] ?? '', 10);
    if (!Number.isInteger(pid) || pid <= 1) return null;
    return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

/** True while a process with this id exists, whoever owns it. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrno(error, 'EPERM');
  }
}

/**
 * True when the process is the postmaster of this cluster. Process ids are used again, so this is
 * asked before every signal. On Windows it is always false (untested there).
 */
export async function isPostmasterOf(pid: number, clusterDir: string): Promise<boolean> {
  if (!processExists(pid)) return false;
  const cluster = await realpath(clusterDir);
  const command = await commandLine(pid);
  if (!/(^|[/\\])postgres$/.test(command[0] ?? '')) return false;
  if (command.includes(cluster)) return true;
  // A data directory that was moved meanwhile: a postmaster works inside its cluster.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return cwd === cluster;
}

async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux') {
    // Readable for all, unlike /proc/<pid>/exe: root in a container may lack CAP_SYS_PTRACE.
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return raw.split('\0');
  }
  if (process.platform === 'win32') return [];
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  const { stdout } = await ps.catch(() => ({ stdout: '' }));
  // ps joins the arguments by spaces; paths may contain some.
  const [program = '', ...rest] = stdout.trim().split(/ -(?=[A-Za-z] )/);
  return [program, ...rest.map((argument) => argument.slice(2).trim())];
}

/**
 * Makes a lock file harmless whose process id now belongs to a stranger: PostgreSQL would refuse to
 * start for ever. The file itself must stay: it names the shared memory by which PostgreSQL notices
 * processes that outlived their postmaster. A postmaster accepts its parent's id as stale.
 */
export async function disownPostmasterPid(clusterDir: string): Promise<void> {
  const [, ...rest] = (await readFile(pidFile(clusterDir), 'utf8')).split('\n');
  await writeFile(pidFile(clusterDir), [process.pid, ...rest].join('\n'));
}
