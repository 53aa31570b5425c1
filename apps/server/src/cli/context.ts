import {
  createManagement,
  encryptionKeysOf,
  type Management,
  openDatabase,
} from '../management.ts';
import { openForCommand } from '../platform/embedded-postgres/index.ts';
import { createDestination, createLog, type Logger } from '../platform/log/index.ts';
import { type Config, readConfig } from '../settings.ts';
import { type Store, startStore } from '../store.ts';

export type CommandContext = Management & { appliedMigrations: string[] };

const POOL_SIZE = 2;

/**
 * Gives `work` the store: the one of a running service on the same data directory, or DATABASE_URL, or the
 * embedded one started for the time of the command. The schema is brought up to date first.
 */
export async function withStore<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const log = createLog({ level: 'silent', destination: createDestination() });
  const keys = await encryptionKeysOf(config);
  const store = await openStore(config, log);
  const database = openDatabase(store.url, { log, poolSize: POOL_SIZE });
  try {
    const appliedMigrations = await database.migrate();
    return await work({ ...createManagement(database, keys), appliedMigrations });
  } finally {
    await database.close();
    await store.stop();
  }
}

async function openStore(config: Config, log: Logger): Promise<Store> {
  if (config.databaseUrl) return startStore(config, log);
  const { url, close } = await openForCommand({ dataDir: config.dataDir, log });
  return { url, stop: close };
}
