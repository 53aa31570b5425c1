import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from './call.ts';
import type { SeededKey } from './seed.ts';

const SOURCE_ENTRY = fileURLToPath(new URL('../../bin/leadwire.js', import.meta.url));
const VARIABLE = 'LEADWIRE_TEST_ENTRY';

/** What is started as the service and as the command line: the bundle that the global setup built, else the sources. */
export const entry = (): string => process.env[VARIABLE] ?? SOURCE_ENTRY;

export function publishEntry(path: string): void {
  process.env[VARIABLE] = path;
}

/** Where compiled code is kept from one process to the next: where the command line keeps it by itself. */
export const COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');

export type Env = Record<string, string | undefined>;

type CliResult = { code: number; stdout: string; stderr: string };

/** What a child sees of our environment: enough to run, and no setting by accident. */
export function childEnvironment(env: Env = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  return { PATH, HOME, TMPDIR, LANG, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env };
}

/** Runs one command of the command line with only `env` as its settings. */
export function cli(args: string[], env: Env = {}, cwd?: string): Promise<CliResult> {
  return new Promise((resolve) => {
    const options = { env: childEnvironment(env), timeout: 60_000, ...(cwd ? { cwd } : {}) };
    execFile(process.execPath, [entry(), ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}

/** The same with --json. @throws where the command fails. */
export async function cliJson(args: string[], env: Env = {}): Promise<Json> {
  const { code, stdout, stderr } = await cli([...args, '--json'], env);
  if (code !== 0) throw new Error(`leadwire ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export const createAccount = (env: Env, name: string): Promise<{ id: string }> =>
  cliJson(['accounts', 'create', '--name', name], env);

export const createCampaign = (env: Env, account: string, name: string): Promise<{ id: number }> =>
  cliJson(['campaigns', 'create', '--account', account, '--name', name], env);

/** `rateLimit` as the command line takes it; default: unlimited. */
export function createKey(
  env: Env,
  account: string,
  options: { scopes?: string; rateLimit?: string | null; expires?: string; name?: string } = {},
): Promise<SeededKey> {
  const { scopes = 'leads:read,leads:write', rateLimit = '0', expires, name = 'test' } = options;
  const args = ['keys', 'create', '--account', account, '--name', name, '--scopes', scopes];
  if (rateLimit !== null) args.push('--rate-limit', rateLimit);
  if (expires !== undefined) args.push('--expires', expires);
  return cliJson(args, env);
}
