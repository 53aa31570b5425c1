import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createAccounts } from './modules/accounts/index.ts';
import { createApiKeys, findSealedWith } from './modules/api-keys/index.ts';
import { createCampaigns } from './modules/campaigns/index.ts';
import { moveFormsOfKey } from './modules/intake/index.ts';
import { deriveSecrets } from './modules/people/index.ts';
import { createClock, formatMicros } from './platform/clock/index.ts';
import { ConfigError } from './platform/config/index.ts';
import { createSecretBox, keyIdOf } from './platform/crypto/index.ts';
import { createDatabase, type Database } from './platform/database/index.ts';
import { AppError } from './platform/errors/index.ts';
import { createIds } from './platform/ids/index.ts';
import type { Logger } from './platform/log/index.ts';
import type { Config } from './settings.ts';

const MIGRATIONS = new URL('../migrations/', import.meta.url);
const STORE_RETRY_MS = 3_000;

/** The store, for the service and for the command line. */
export function openDatabase(
  url: string,
  options: {
    log: Logger;
    poolSize: number;
    commitsMayBeLost?: boolean;
    observe?: (seconds: number) => void;
  },
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
    /** What sign-in cookies are signed and second factors are sealed with. */
    signInSecrets: deriveSecrets(encryptionKeys, 'sign-in'),
    clock,
    newId,
    secrets,
    accounts: createAccounts(deps),
    campaigns: createCampaigns(deps),
    apiKeys: createApiKeys({ ...deps, secrets, onRotate: moveFormsOfKey }),
  };
}

export type Management = ReturnType<typeof createManagement>;

/** To be called before the store is opened. @throws ConfigError with DATABASE_URL and no key: nodes must share it. */
export function requireEncryptionKey(config: Config): void {
  if (config.encryptionKeys || !config.databaseUrl) return;
  throw new ConfigError(
    'LEADWIRE_ENCRYPTION_KEY is required with DATABASE_URL: make one with `openssl rand -base64 32` and give it to every node.',
  );
}

/**
 * The keys that encrypt stored secrets: the setting, or in embedded mode a file in the data directory. It is made
 * where it is missing, unless a service has started on `database` before; its schema must be up to date.
 * @throws ConfigError where the file is damaged, or gone while stored secrets need it
 */
export async function encryptionKeysOf(config: Config, database: Database): Promise<Buffer[]> {
  if (config.encryptionKeys) return config.encryptionKeys;
  requireEncryptionKey(config);
  const file = keyFileOf(config);
  // Asked first: a service that starts meanwhile makes the file and then the account.
  const isNeeded = await holdsSecrets(database);
  const present = await readKeyFile(file);
  if (present) return [present];
  if (isNeeded) throw keyFileGone(file);
  await makeKeyFile(file);
  const made = await readKeyFile(file);
  if (!made) throw keyFileGone(file);
  return [made];
}

/**
 * To be called once the schema is up to date, before anything is sealed. It looks at the ids of keys alone and opens nothing.
 * @returns how many stored secrets none of `keys` opens, as on a node that a rotation has not reached yet
 * @throws ConfigError where they open none of those that there are, unless the setting says that their key is lost
 */
export async function requireRightKeys(
  config: Config,
  database: Database,
  keys: Buffer[],
): Promise<number> {
  const stored = await findSealedWith(database, formatMicros(createClock().nowMicros()));
  const ours = new Set(keys.map(keyIdOf));
  const others = stored.filter(({ keyId }) => !ours.has(keyId));
  const count = others.reduce((sum, { secrets }) => sum + secrets, 0);
  if (count === 0 || others.length < stored.length || config.encryptionKeyIsLost) return count;
  const given = config.encryptionKeys
    ? 'LEADWIRE_ENCRYPTION_KEY'
    : `The key in the file ${keyFileOf(config)}`;
  throw new ConfigError(
    `${given} is not the key that this store's secrets were encrypted with: it opens none of them (${count}). ${OTHER_KEY}`,
  );
}

const OTHER_KEY =
  'Give it the key that the other nodes have, or that was kept for the backup of this store. Only if that key is lost for good, ' +
  'set LEADWIRE_ENCRYPTION_KEY_LOST=on: existing keys then cannot sign and existing webhooks wait, until you rotate their secrets.';

const keyFileOf = ({ dataDir }: Config): string => join(resolve(dataDir), 'encryption.key');

async function readKeyFile(file: string): Promise<Buffer | null> {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigError(
      `The encryption key file ${file} cannot be read (${error.code}). Let the user that runs Leadwire read it.`,
    );
  });
  if (text === null) return null;
  // 32 bytes in base64, and nothing else: Buffer.from() passes over what is none.
  if (/^[A-Za-z0-9+/]{43}=$/.test(text.trim())) return Buffer.from(text.trim(), 'base64');
  throw new ConfigError(
    `The encryption key file ${file} is damaged: it must hold 32 bytes in base64. ${RESTORE}`,
  );
}

const RESTORE =
  'Restore it from a backup, or set LEADWIRE_ENCRYPTION_KEY. Only if the stored signing secrets may be lost, ' +
  'make a new one in its place with `openssl rand -base64 32`, and set LEADWIRE_ENCRYPTION_KEY_LOST=on: what the old one encrypted ' +
  'can then not be opened.';

const keyFileGone = (file: string) =>
  new ConfigError(
    `The encryption key file ${file} is gone, and stored secrets need it. ${RESTORE}`,
  );

/** The first start of a service makes the account `default` after the file, with a key whose secret it encrypts. */
async function holdsSecrets(database: Database): Promise<boolean> {
  const accounts = createAccounts({ database, clock: createClock(), newId: createIds() });
  return accounts.resolve('default').then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.status === 404) return false;
      throw error;
    },
  );
}

/** A file that is whole or not there, even after a power cut; of several that start at once the first one's stays. */
async function makeKeyFile(file: string): Promise<void> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}.new`;
  const text = `${randomBytes(32).toString('base64')}\n`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
    await link(unfinished, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') {
      throw new ConfigError(
        `The encryption key file ${file} cannot be made (${code}). Set LEADWIRE_DATA_DIR to a directory this user can write.`,
      );
    }
  } finally {
    await rm(unfinished, { force: true });
  }
  await syncDirectory(dirname(file));
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a directory, and does not need to.
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}
