import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Call, call, createCall, type Json } from './call.ts';
import { childEnvironment, type Env, entry } from './cli.ts';
import type { TestDatabase } from './database.ts';

export type TestServer = {
  url: string;
  port: number;
  pid: number;
  call: Call;
  /** All of stdout and stderr so far. */
  logs(): string;
  /** The lines of stdout that are JSON. */
  logLines(): Json[];
  /** SIGTERM, then waits for the end. @returns the exit code. @throws where it does not end in time. */
  stop(): Promise<number | null>;
  /** SIGKILL unless told otherwise, then waits for the end. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Whether the process runs. */
  alive(): boolean;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

type StartOptions = {
  database?: TestDatabase;
  /** Over DATABASE_URL and LEADWIRE_ENCRYPTION_KEY of the database; an undefined value removes a variable. */
  env?: Env;
  port?: number;
  /** What to wait for; default /readyz. */
  readyPath?: string;
};

const START_DEADLINE_MS = 30_000;
const STOP_DEADLINE_MS = 20_000;
const PORT_TRIES = 3;

const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

// The last word of the file: its own after() hooks have run by now, so what still runs was forgotten.
process.once('exit', (code) => {
  if (running.size === 0) return;
  const pids = [...running].map((child) => child.pid).join(', ');
  killAll();
  if (code !== 0) return;
  process.stderr.write(`This test file left servers running: ${pids}. Stop them in after().\n`);
  process.exitCode = 1;
});
// A test file that is ended from outside (Ctrl-C, a timeout) leaves no server behind either.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));

/** Starts the service as a process of its own and waits until it is ready. */
export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOn(options.port ?? (await freePort()), options);
    } catch (error) {
      // Another test file was given the port between our look and the server's.
      const isTaken = /The port is in use/.test((error as Error).message);
      if (!isTaken || options.port !== undefined || tries === PORT_TRIES) throw error;
    }
  }
}

async function startOn(port: number, options: StartOptions): Promise<TestServer> {
  const env = childEnvironment({ ...options.database?.env, PORT: String(port), ...options.env });
  const child = spawn(process.execPath, [entry()], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { text: '', json: '' };
  const server = handle(child, port, output);
  try {
    // Whoever answers may be of another test file that was given the same port: only the server itself says that it is its own.
    const isOurs = () => !saysWhere(env) || server.logs().includes('listening at');
    await untilReady(server, options.readyPath ?? '/readyz', isOurs);
    return server;
  } catch (error) {
    await server.kill();
    throw error;
  }
}

function handle(
  child: ChildProcess,
  port: number,
  output: { text: string; json: string },
): TestServer {
  running.add(child);
  const exited = once(child, 'exit').then(([code, signal]) => {
    running.delete(child);
    client.close();
    return { code, signal };
  });
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    output.text += chunk;
    output.json += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    output.text += chunk;
  });
  // A leaked server must not keep the test process from ending; the hook above reports it.
  for (const handle of [child, child.stdout as Socket, child.stderr as Socket]) handle.unref();
  const url = `http://127.0.0.1:${port}`;
  const client = createCall(url);
  const end = async (signal: NodeJS.Signals) => {
    child.ref();
    if (running.has(child)) child.kill(signal);
    const result = await Promise.race([exited, wait(STOP_DEADLINE_MS, undefined, { ref: false })]);
    if (result) return result.code as number | null;
    child.kill('SIGKILL');
    await exited;
    throw new Error(`The server did not end within ${STOP_DEADLINE_MS} ms of ${signal}.`);
  };
  return {
    ...{ url, port, pid: child.pid as number, call: client, exited },
    logs: () => output.text,
    logLines: () => jsonLines(output.json),
    stop: () => end('SIGTERM'),
    kill: async (signal = 'SIGKILL') => void (await end(signal)),
    alive: () => running.has(child),
  };
}

const jsonLines = (text: string): Json[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));

const saysWhere = ({ LEADWIRE_LOG_LEVEL: level = 'info' }: Env): boolean =>
  ['trace', 'debug', 'info'].includes(level);

async function untilReady(server: TestServer, path: string, isOurs: () => boolean): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    if (!server.alive()) throw new Error(`The server ended before it was ready:\n${server.logs()}`);
    const status = await call(server.url, 'GET', path).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200 && isOurs()) return;
    if (Date.now() > deadline) throw new Error(`The server is not ready:\n${server.logs()}`);
    await wait(25);
  }
}

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
