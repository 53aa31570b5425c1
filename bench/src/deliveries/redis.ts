import { spawn } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../service.ts';

export type Redis = { port: number; pid: number; stop: () => Promise<void> };

const READY_WITHIN_MS = 10_000;
const POLL_MS = 50;

/** Starts a Redis that keeps what it says it has: every write is on the disk before its answer. */
export async function startRedis(work: string): Promise<Redis> {
  const dir = path.join(work, 'redis');
  await mkdir(dir, { recursive: true });
  const log = await open(path.join(work, 'redis.log'), 'a');
  const port = await freePort();
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, ...durable];
  const child = spawn('redis-server', args, { stdio: ['ignore', log.fd, log.fd] });
  await log.close();
  const failed = new Promise<never>((_, reject) => {
    const hint = 'redis-server is needed beside BullMQ (Debian: apt install redis-server)';
    child.once('error', (cause) => reject(new Error(hint, { cause })));
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
  });
  failed.catch(() => undefined);
  const onExit = () => child.kill('SIGKILL');
  process.on('exit', onExit);
  const ended = new Promise((resolve) => child.once('close', resolve));
  await Promise.race([untilOpen(port), failed]);
  return {
    port,
    pid: child.pid as number,
    stop: async () => {
      process.off('exit', onExit);
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilOpen(port: number): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await isOpen(port))) {
    if (performance.now() > deadline) throw new Error('redis-server did not start');
    await sleep(POLL_MS);
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
