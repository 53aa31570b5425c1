import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export type TestRedis = {
  /** redis:// address, with the password if one was asked for. */
  url: string;
  port: number;
  /** Ends the server as a crash would, and removes its directory. */
  stop(): Promise<void>;
  /** Keeps its connections open and answers nothing, until resume(). */
  pause(): void;
  resume(): void;
};

export type StartRedisOptions = {
  /** To come back where an earlier one was; default: a free port. */
  port?: number;
  password?: string;
};

export const REDIS_MISSING =
  'redis-server is not on PATH (Debian: apt-get install redis-server); tests against Redis are skipped';

const START_DEADLINE_MS = 10_000;

/**
 * A real Redis of its own on 127.0.0.1, without persistence. Null where redis-server is not
 * installed; in CI that is an error, so that the tests cannot go missing unseen.
 */
export async function startRedis(options: StartRedisOptions = {}): Promise<TestRedis | null> {
  const program = await findProgram('redis-server');
  if (program === null) {
    if (process.env.CI) throw new Error(REDIS_MISSING.replace('are skipped', 'must run in CI'));
    return null;
  }
  const directory = await mkdtemp(join(tmpdir(), 'leadwire-redis-'));
  const port = options.port ?? (await freePort());
  const child = spawn(program, redisArguments(port, directory, options), { stdio: 'ignore' });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const stop = async () => {
    process.off('exit', killWithUs);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await waitUntilAnswering(child, port, options.password);
  } catch (error) {
    await stop();
    throw error;
  }
  const login = options.password ? `:${encodeURIComponent(options.password)}@` : '';
  return {
    url: `redis://${login}127.0.0.1:${port}`,
    port,
    stop,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}

function redisArguments(port: number, directory: string, options: StartRedisOptions): string[] {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
  settings.push('--save', '', '--appendonly', 'no');
  if (options.password) settings.push('--requirepass', options.password);
  return settings;
}

async function findProgram(name: string): Promise<string | null> {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(directory, name);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // Not in this directory.
    }
  }
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitUntilAnswering(child: ChildProcess, port: number, password = ''): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!(await answersPing(port, password))) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error('redis-server did not answer in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function answersPing(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const done = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    let received = '';
    socket.on('error', () => done(false));
    socket.on('close', () => resolve(false));
    socket.on('data', (bytes) => {
      received += bytes;
      if (received.includes('PONG')) done(true);
    });
    socket.write(password ? `AUTH ${password}\r\nPING\r\n` : 'PING\r\n');
  });
}
