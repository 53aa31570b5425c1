import {
  createManagement,
  encryptionKeysOf,
  type Management,
  openDatabase,
  requireEncryptionKey,
  requireRightKeys,
} from '../management.ts';
import type { Database } from '../platform/database/index.ts';
import { createDestination, createLog } from '../platform/log/index.ts';
import { type Config, readConfig } from '../settings.ts';
import { openStoreForCommand } from '../store.ts';

export type CommandContext = Management & {
  database: Database;
  config: Config;
  appliedMigrations: string[];
};

const POOL_SIZE = 2;

/**
 * Gives `work` the store: the one of a running service on the same data directory, or DATABASE_URL, or the
 * embedded one started for the time of the command. The schema is brought up to date first.
 */
export async function withStore<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const log = createLog({ level: 'silent', destination: createDestination() });
  requireEncryptionKey(config);
  const store = await openStoreForCommand(config, log);
  const database = openDatabase(store.url, { log, poolSize: POOL_SIZE });
  try {
    const appliedMigrations = await database.migrate();
    const keys = await encryptionKeysOf(config, database);
    await requireRightKeys(config, database, keys);
    return await work({ ...createManagement(database, keys), database, config, appliedMigrations });
  } finally {
    await database.close();
    await store.stop();
  }
}
