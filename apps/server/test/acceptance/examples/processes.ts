import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { childEnvironment, type Env } from '../../support/cli.ts';
import { eventually } from '../../support/index.ts';

export type Command = [string, ...string[]];
export type Ended = { code: number | null; stdout: string; stderr: string };
export type Running = {
  /** All of stdout and stderr so far. */
  output(): string;
  stop(): Promise<void>;
};

/** The bare locale shows who takes bytes for text of the locale. No byte code is written beside the examples. */
const environment = (env: Env) =>
  childEnvironment({ LC_ALL: 'C', PYTHONDONTWRITEBYTECODE: '1', ...env });

/** Whether a program is on the PATH. */
export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Runs a program to its end. */
export async function run(
  [program, ...args]: Command,
  { env = {}, input = '', cwd }: { env?: Env; input?: string; cwd?: string } = {},
): Promise<Ended> {
  const child = spawn(program, args, { env: environment(env), ...(cwd ? { cwd } : {}) });
  const ended = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    ended.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    ended.stderr += chunk;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, ...ended };
}

/** Starts a program that listens on a port, and waits until it does. */
export async function start([program, ...args]: Command, port: number, env: Env): Promise<Running> {
  const child = spawn(program, args, {
    env: environment({ PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const keep = (chunk: string) => {
    text += chunk;
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const running = { output: () => text, stop: () => stop(child) };
  try {
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${text}`);
      await fetch(`http://127.0.0.1:${port}/`);
    });
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
