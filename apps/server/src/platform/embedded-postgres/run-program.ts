import { spawn } from 'node:child_process';
import type { SystemAccount } from './system-user.ts';

export interface ProgramResult {
  /** Exit status; null when a signal ended the program. */
  code: number | null;
  /** Standard output and standard error, in the order of arrival. */
  output: string;
}

export interface ProgramOptions {
  /** Run as this account; only root may. */
  account?: SystemAccount | null;
  /** Text for standard input; without it standard input is empty. */
  input?: string;
}

/** uid and gid for `spawn`, nothing for a plain user. */
export const asAccount = (account: SystemAccount | null | undefined) =>
  account ? { uid: account.uid, gid: account.gid } : {};

/**
 * The environment of PostgreSQL's programs: only what a program needs to run. PG* variables would
 * change what they do, and the service's own variables hold secrets.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR', 'SystemRoot', 'TEMP'];
  const entries = kept.map((name) => [name, process.env[name]] as const);
  return { ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)), LC_ALL: 'C' };
}

/** Runs a program to its end. Rejects only when it cannot be started (ENOENT, EACCES, EPERM …). */
export function runProgram(
  file: string,
  args: readonly string[],
  { account, input }: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      // A working directory that every account can enter.
      cwd: '/',
      env: programEnvironment(),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...asAccount(account),
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    // A program that ends before it has read its input: the exit status tells, not EPIPE.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
