import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { type ProgramResult, runProgram } from './run-program.ts';

/** The account PostgreSQL runs as where the service runs as root, which PostgreSQL refuses. */
export interface SystemAccount {
  name: string;
  uid: number;
  gid: number;
}

export interface AccountSources {
  /** Text of the system's account table, in the form of passwd(5). */
  readAccounts: () => Promise<string>;
  run: (file: string, args: readonly string[]) => Promise<ProgramResult>;
}

const readSystemAccounts = () => readFile('/etc/passwd', 'utf8').catch(() => '');

/** True where the service runs as root. Windows has no uid and is treated as a plain user (untested). */
export const runsAsRoot = (): boolean => process.getuid?.() === 0;

/** The account PostgreSQL must run as on this machine; null where the service is no root itself. */
export const accountForPostgres = async (): Promise<SystemAccount | null> =>
  runsAsRoot() ? ensureSystemAccount({ readAccounts: readSystemAccounts, run: runProgram }) : null;

/**
 * The system account `postgres`, created when it is missing. Call it as root only.
 * @throws EmbeddedPostgresError `no_system_user`
 */
export async function ensureSystemAccount(
  sources: AccountSources,
  name = 'postgres',
): Promise<SystemAccount> {
  const present = await findAccount(sources, name);
  if (present) return present;
  const output = await createAccount(sources, name);
  const created = await findAccount(sources, name);
  if (created) return created;
  throw new EmbeddedPostgresError(
    'no_system_user',
    `PostgreSQL must not run as root and the system user "${name}" could not be created. ` +
      'Start Leadwire as a plain user, create that user ' +
      `(useradd --system ${name}), or set DATABASE_URL.`,
    output,
  );
}

async function findAccount(sources: AccountSources, name: string): Promise<SystemAccount | null> {
  const listed = parseAccount(await sources.readAccounts(), name);
  if (listed) return listed;
  // Accounts of a directory service are not in the file.
  const ids = await Promise.all([
    attempt(sources, 'id', ['-u', name]),
    attempt(sources, 'id', ['-g', name]),
  ]);
  const [uid, gid] = ids.map(({ code, output }) => (code === 0 ? Number(output) : Number.NaN));
  return uid && gid && Number.isInteger(uid) && Number.isInteger(gid) ? { name, uid, gid } : null;
}

function parseAccount(accounts: string, name: string): SystemAccount | null {
  const line = accounts.split('\n').find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':').map(Number) ?? [];
  return uid && gid !== undefined && Number.isInteger(gid) ? { name, uid, gid } : null;
}

async function createAccount(sources: AccountSources, name: string): Promise<string> {
  // The group may be there without the user; useradd then takes it.
  const group = await attempt(sources, 'groupadd', ['--system', name]);
  const noHome = ['--no-create-home', '--home-dir', '/nonexistent'];
  const noLogin = ['--shell', '/usr/sbin/nologin'];
  const user = await attempt(sources, 'useradd', [
    ...['--system', '--gid', name],
    ...noHome,
    ...noLogin,
    name,
  ]);
  return `${group.output}${user.output}`;
}

const attempt = (sources: AccountSources, file: string, args: string[]): Promise<ProgramResult> =>
  sources
    .run(file, args)
    .catch((error: Error) => ({ code: null, output: `${file}: ${error.message}\n` }));

/** True when every directory from the root down to `directory` lets the account pass. */
export async function canReach(account: SystemAccount, directory: string): Promise<boolean> {
  const { root } = path.parse(directory);
  const steps = path.relative(root, directory).split(path.sep).filter(Boolean);
  const chain = [root, ...steps.map((_, index) => path.join(root, ...steps.slice(0, index + 1)))];
  const passable = await Promise.all(chain.map((step) => mayEnter(account, step)));
  return passable.every(Boolean);
}

/** Whether the mode bits let the account pass through this one directory (path_resolution(7)). */
export async function mayEnter(account: SystemAccount, directory: string): Promise<boolean> {
  const { mode, uid, gid } = await stat(directory);
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
