import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type BinariesPackage,
  copyBinaries,
  linkLibraries,
  type PostgresBinaries,
  probeBinaries,
  unusableBinaries,
} from './binaries.ts';
import { clusterOwner } from './cluster.ts';
import { EmbeddedPostgresError, hasErrno } from './errors.ts';
import type { Log } from './log.ts';
import { canReach, mayEnter, type SystemAccount } from './system-user.ts';

/** Where things go that the account of PostgreSQL cannot reach elsewhere (root only). */
export const SHARED_DIR = '/var/lib/leadwire';

export interface PlacementOptions {
  /** Absolute, without links. */
  dataDir: string;
  /** Gives the account PostgreSQL runs as: null where it runs as this user. */
  systemAccount: () => Promise<SystemAccount | null>;
  sharedDir: string;
  log: Log;
}

export interface Placement {
  clusterDir: string;
  account: SystemAccount | null;
}

const locationFile = (dataDir: string) => path.join(dataDir, 'postgres-location');

/** The directory of the cluster, as an earlier start recorded or else chose it. */
export async function recordedClusterDir(dataDir: string): Promise<string | null> {
  try {
    const recorded = (await readFile(locationFile(dataDir), 'utf8')).trim();
    return path.join(recorded, 'cluster');
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Decides where the cluster is and who runs it. A cluster that exists is never replaced by an
 * empty one: when it is out of reach, that is an error.
 * @throws EmbeddedPostgresError `cluster_missing`, `wrong_owner`, `directory_unusable`
 */
export async function placeCluster(options: PlacementOptions): Promise<Placement> {
  const { dataDir } = options;
  const recorded = await recordedClusterDir(dataDir);
  if (recorded) await requireDirectory(path.dirname(recorded), dataDir);
  const clusterDir = recorded ?? path.join(dataDir, 'postgres');
  const owner = await clusterOwner(clusterDir);
  if (owner) return { clusterDir, account: await accountOfOwner(owner, clusterDir, options) };
  const account = await options.systemAccount();
  if (recorded || !account || (await makeReachable(account, options))) {
    return { clusterDir, account };
  }
  return { clusterDir: await relocate(account, options), account };
}

async function requireDirectory(directory: string, dataDir: string): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (found?.isDirectory()) return;
  throw new EmbeddedPostgresError(
    'cluster_missing',
    `The data directory ${dataDir} keeps its database in ${directory}, which is gone. Bring that directory back; ` +
      `only if its data may be lost, remove ${locationFile(dataDir)} to begin with an empty database.`,
  );
}

/** Files decide who runs PostgreSQL: the id of `postgres` differs between machines and images. */
async function accountOfOwner(
  owner: { uid: number; gid: number },
  clusterDir: string,
  { systemAccount }: PlacementOptions,
): Promise<SystemAccount | null> {
  const me = process.getuid?.();
  if (me === undefined || me === owner.uid) {
    if (me !== 0) return null;
    return systemAccount();
  }
  if (me !== 0) {
    throw new EmbeddedPostgresError(
      'wrong_owner',
      `The database in ${clusterDir} belongs to user id ${owner.uid}, and Leadwire runs as user id ${me}. ` +
        'Run it as that user or as root, or choose another LEADWIRE_DATA_DIR.',
    );
  }
  const account = { name: `#${owner.uid}`, ...owner };
  if (await canReach(account, path.dirname(clusterDir))) return account;
  throw new EmbeddedPostgresError(
    'directory_unusable',
    `The database in ${clusterDir} cannot be reached by user id ${owner.uid}, its owner: ` +
      'a directory above it lets nobody pass. Allow that with chmod o+x.',
  );
}

/** Whether the account reaches the data directory, after opening the directory itself if need be. */
async function makeReachable(
  account: SystemAccount,
  { dataDir, log }: PlacementOptions,
): Promise<boolean> {
  if (!(await canReach(account, path.dirname(dataDir)))) return false;
  if (await mayEnter(account, dataDir)) return true;
  const { mode, uid } = await stat(dataDir);
  if (uid !== 0) return false;
  // Passing is not listing or reading: what is secret in the directory has mode 0600.
  await chmod(dataDir, (mode & 0o7777) | 0o011);
  log.info({ dataDir }, `Let user ${account.name} pass through ${dataDir} (chmod a+x).`);
  return true;
}

async function relocate(
  account: SystemAccount,
  { dataDir, sharedDir, log }: PlacementOptions,
): Promise<string> {
  await ensureSharedDir(sharedDir);
  const directory = path.join(sharedDir, randomBytes(8).toString('hex'));
  await mkdir(directory);
  await chmod(directory, 0o755);
  await writeFile(`${locationFile(dataDir)}.new`, `${directory}\n`);
  await rename(`${locationFile(dataDir)}.new`, locationFile(dataDir));
  log.warn(
    { dataDir, directory },
    `User ${account.name}, which runs PostgreSQL, cannot reach ${dataDir}: the database is kept in ${directory}. ` +
      'Back up both.',
  );
  return path.join(directory, 'cluster');
}

async function ensureSharedDir(sharedDir: string): Promise<void> {
  try {
    if (await mkdir(sharedDir, { recursive: true })) await chmod(sharedDir, 0o755);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'directory_unusable',
      `The user that runs PostgreSQL cannot reach Leadwire's files, and ${sharedDir} cannot be written either. ` +
        'Set LEADWIRE_DATA_DIR to a directory all may pass through, or DATABASE_URL.',
      undefined,
      cause,
    );
  }
}

/**
 * Binaries that the account can run: those of the package, or a copy where it cannot reach them.
 * @throws EmbeddedPostgresError `binaries_unusable`, `directory_unusable`
 */
export async function placeBinaries(
  source: BinariesPackage,
  account: SystemAccount | null,
  { sharedDir, log }: Pick<PlacementOptions, 'sharedDir' | 'log'>,
): Promise<PostgresBinaries> {
  await linkLibraries(source.packageDir);
  const inPlace = await probeBinaries(source, account);
  if (typeof inPlace !== 'string') return inPlace;
  if (!account) throw unusableBinaries(source, inPlace);
  // As root the package itself may run and only be out of reach of the account.
  const asRoot = await probeBinaries(source, null);
  if (typeof asRoot === 'string' && !asRoot.includes('cannot be run as root')) {
    throw unusableBinaries(source, inPlace);
  }
  await ensureSharedDir(sharedDir);
  const copy = await copyBinaries(source, sharedDir);
  const copied = await probeBinaries(copy, account);
  if (typeof copied === 'string') throw unusableBinaries(copy, copied);
  log.info(
    { packageDir: source.packageDir, copy: copy.packageDir },
    `User ${account.name} cannot run ${source.packageDir}: using the copy in ${copy.packageDir}.`,
  );
  return copied;
}
