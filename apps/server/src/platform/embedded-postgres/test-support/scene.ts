import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { stopOrphan } from '../postmaster.ts';
import { runsAsRoot } from '../system-user.ts';

export const silentLog = { info: () => {}, warn: () => {} };

/** For tests that need root to take on another account, or to be refused nothing. */
export const rootOnly = runsAsRoot() ? {} : { skip: 'needs root' };

const cleanups = new WeakMap<TestContext, (() => unknown)[]>();

/** Runs `undo` after the test, the last one first: a server ends before its directory goes. */
export function cleanUp(t: TestContext, undo: () => unknown): void {
  const present = cleanups.get(t);
  if (present) {
    present.push(undo);
    return;
  }
  const list = [undo];
  cleanups.set(t, list);
  t.after(async () => {
    for (const step of list.reverse()) await step();
  });
}

/** An empty directory, gone after the test. */
export async function makeDirectory(t: TestContext, mode = 0o755): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'leadwire-test-')));
  await chmod(directory, mode);
  cleanUp(t, () => rm(directory, { recursive: true, force: true, maxRetries: 20 }));
  return directory;
}

/** Waits until `condition` gives something other than a falsy value or an error. */
export async function until<T>(
  condition: () => T | Promise<T>,
  timeoutMs = 15_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value;
      if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${condition}`);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await sleep(20);
  }
}

/** Rows of one statement, over a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export interface SpawnedProgram {
  child: ChildProcess;
  /** First line of its standard output. */
  firstLine: Promise<string>;
  stderr(): string;
  /** Sends SIGKILL, to the whole process group when asked, and waits for the end. */
  kill(whole?: 'process' | 'group'): Promise<void>;
}

/** Runs `serve.ts`; what it leaves behind when it is killed is stopped after the test. */
export function spawnService(
  t: TestContext,
  options: { dataDir: string; durable?: boolean },
  ids: { uid?: number; gid?: number } = {},
): SpawnedProgram {
  cleanUp(t, () => stopOrphan(path.join(options.dataDir, 'postgres'), silentLog));
  return spawnProgram(t, 'serve.ts', JSON.stringify(options), ids);
}

/** Runs a file of this directory as a process group of its own. */
export function spawnProgram(
  t: TestContext,
  file: 'serve.ts' | 'hold-lock.ts',
  argument: string,
  ids: { uid?: number; gid?: number } = {},
): SpawnedProgram {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file), argument], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...ids,
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'exit');
  const kill = async (whole: 'process' | 'group' = 'process') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(whole === 'group' ? -(child.pid as number) : (child.pid as number), 'SIGKILL');
    await ended;
  };
  cleanUp(t, () => kill('group'));
  const firstLine = once(createInterface({ input: child.stdout }), 'line').then(([line]) => line);
  // A program killed before its first line.
  firstLine.catch(() => {});
  return { child, firstLine, stderr: () => stderr, kill };
}
