import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createAccounts } from './modules/accounts/index.ts';
import { createApiKeys } from './modules/api-keys/index.ts';
import { createCampaigns } from './modules/campaigns/index.ts';
import { createClock } from './platform/clock/index.ts';
import { ConfigError } from './platform/config/index.ts';
import { createSecretBox } from './platform/crypto/index.ts';
import { createDatabase, type Database } from './platform/database/index.ts';
import { createIds } from './platform/ids/index.ts';
import type { Logger } from './platform/log/index.ts';
import type { Config } from './settings.ts';

const MIGRATIONS = new URL('../migrations/', import.meta.url);
const STORE_RETRY_MS = 3_000;

/** The store, for the service and for the command line. */
export function openDatabase(
  url: string,
  options: { log: Logger; poolSize: number; observe?: (seconds: number) => void },
): Database {
  return createDatabase({
    ...options,
    url,
    retryForMs: STORE_RETRY_MS,
    migrations: MIGRATIONS,
  });
}

/** What both the service and the command line do with accounts, campaigns and keys. */
export function createManagement(database: Database, encryptionKeys: Buffer[]) {
  const clock = createClock();
  const secrets = createSecretBox(encryptionKeys);
  const newId = createIds();
  const deps = { database, clock, newId };
  return {
    clock,
    newId,
    secrets,
    accounts: createAccounts(deps),
    campaigns: createCampaigns(deps),
    apiKeys: createApiKeys({ ...deps, secrets }),
  };
}

export type Management = ReturnType<typeof createManagement>;

/**
 * The keys that encrypt stored secrets: the setting, or in embedded mode a file in the data directory, made
 * when missing. @throws ConfigError with DATABASE_URL and no setting: nodes must share the key.
 */
export async function encryptionKeysOf(config: Config): Promise<Buffer[]> {
  if (config.encryptionKeys) return config.encryptionKeys;
  if (config.databaseUrl) {
    throw new ConfigError(
      'LEADWIRE_ENCRYPTION_KEY is required with DATABASE_URL: make one with `openssl rand -base64 32` and give it to every node.',
    );
  }
  const file = join(resolve(config.dataDir), 'encryption.key');
  await mkdir(config.dataDir, { recursive: true });
  const made = randomBytes(32).toString('base64');
  // wx: of several that start at once the first one's key stays.
  await writeFile(file, `${made}\n`, { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return [Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')];
}
