import { resolve } from 'node:path';
import { ConfigError } from './platform/config/index.ts';
import { openForCommand, startEmbeddedPostgres } from './platform/embedded-postgres/index.ts';
import type { Logger } from './platform/log/index.ts';
import type { Config } from './settings.ts';

/** Where the store is, and how to stop it where it is ours. */
export type Store = { url: string; stop(): Promise<void> };

/** DATABASE_URL, or the embedded PostgreSQL of the data directory, started. */
export async function startStore(config: Config, log: Logger): Promise<Store> {
  if (config.databaseUrl) return external(config.databaseUrl);
  const { dataDir } = config;
  return startEmbeddedPostgres({ dataDir, log }).catch((error) => unusable(dataDir, error));
}

/** For a command: DATABASE_URL, or the PostgreSQL of a service that runs, or one for as long as the command runs. */
export async function openStoreForCommand(config: Config, log: Logger): Promise<Store> {
  if (config.databaseUrl) return external(config.databaseUrl);
  const { dataDir } = config;
  const { url, close } = await openForCommand({ dataDir, log }).catch((error) =>
    unusable(dataDir, error),
  );
  return { url, stop: close };
}

const external = (url: string): Store => ({ url, stop: async () => undefined });

const OF_THE_DIRECTORY = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'ENOSPC']);

/** @throws ConfigError that names the file, where a file system error is the reason, else the error itself. */
function unusable(dataDir: string, error: NodeJS.ErrnoException): never {
  const { code = '', path, syscall = '' } = error;
  if (!path || !OF_THE_DIRECTORY.has(code) || syscall.startsWith('spawn')) throw error;
  throw new ConfigError(
    `The data directory ${resolve(dataDir)} cannot be used: ${syscall} of ${path} failed with ${code}. ` +
      'Let this user read and write all of it, or set LEADWIRE_DATA_DIR to another directory.',
    { cause: error },
  );
}
