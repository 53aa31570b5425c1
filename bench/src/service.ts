import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server under test: one process of ours. */
export type Service = {
  port: number;
  pid: number;
  /** Bytes of memory now, or undefined where there is no /proc. */
  rss: () => number | undefined;
  /** CPU seconds used so far by the process and its threads, or undefined. */
  cpuSeconds: () => number | undefined;
  /** SIGTERM, and SIGKILL after 20 s. */
  stop: () => Promise<void>;
};

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 20_000;
const CLOCK_TICKS_PER_SECOND = 100;

/**
 * Starts a Node process with PORT set and waits for GET /readyz to answer 200. Its output goes to
 * a file, as in production; a pipe would put the cost of reading it on the load generator.
 */
export async function startService(service: {
  script: string;
  /** Options of Node itself. */
  nodeOptions?: string[];
  env: Record<string, string>;
  logFile: string;
}): Promise<Service> {
  const port = await freePort();
  const log = await open(service.logFile, 'a');
  const child = spawn(process.execPath, [...(service.nodeOptions ?? []), service.script], {
    env: { ...cleanEnvironment(), HOST: '127.0.0.1', PORT: String(port), ...service.env },
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  // For an interruption while it still starts, when nobody knows it yet.
  const onExit = () => child.kill('SIGTERM');
  process.on('exit', onExit);
  child.once('exit', () => process.off('exit', onExit));
  try {
    await untilReady(child, port);
  } catch (cause) {
    await stop(child);
    const output = await readFile(service.logFile, 'utf8');
    const end = output.slice(-3000);
    throw new Error(`${service.script} did not start. The end of its output:\n${end}`, { cause });
  }
  const pid = child.pid as number;
  return {
    port,
    pid,
    rss: () => readProc(`/proc/${pid}/status`, (text) => kilobytes(text, 'VmRSS') * 1024),
    cpuSeconds: () => readProc(`/proc/${pid}/stat`, cpuSecondsOf),
    stop: () => stop(child),
  };
}

/** The environment without settings that would change what is measured. */
export function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(LEADWIRE_|DATABASE_URL$|REDIS_URL$|NODE_OPTIONS$|PG)/.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), NODE_ENV: 'production' };
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended');
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await ready?.body?.cancel();
    if (ready?.status === 200) return;
    await sleep(50);
  }
  throw new Error(`not ready within ${READY_WITHIN_MS} ms`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function readProc(path: string, read: (text: string) => number): number | undefined {
  try {
    return read(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
}

function cpuSecondsOf(stat: string): number {
  // After the command's name in parentheses: utime and stime are fields 14 and 15 of proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}
