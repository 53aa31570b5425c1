import { startEmbeddedPostgres } from './platform/embedded-postgres/index.ts';
import type { Logger } from './platform/log/index.ts';
import type { Config } from './settings.ts';

/** Where the store is, and how to stop it where it is ours. */
export type Store = { url: string; stop(): Promise<void> };

/** DATABASE_URL, or the embedded PostgreSQL of the data directory, started. */
export async function startStore(config: Config, log: Logger): Promise<Store> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => undefined };
  return startEmbeddedPostgres({ dataDir: config.dataDir, log });
}
