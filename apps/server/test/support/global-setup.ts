import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts';
import { buildBundle, buildPage } from './builds.ts';
import { COMPILE_CACHE, cliJson } from './cli.ts';
import { asAdmin, roleOf, TEMPLATES, withDatabase } from './database.ts';
import { publishGround } from './ground.ts';
import { makeSeed } from './seed.ts';

const log = { info() {}, warn: console.warn };

let stop: (() => Promise<void>) | undefined;

/** Starts one PostgreSQL for the run, makes the templates that test files clone, and builds what they start. */
export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  const dataDir = await mkdtemp(join(tmpdir(), 'leadwire-tests-'));
  const settings = { max_connections: '300' };
  const [postgres, removeBundle] = await Promise.all([
    startEmbeddedPostgres({ dataDir, durable: false, settings, log }),
    buildBundle(),
    buildPage(),
  ]);
  stop = async () => {
    await Promise.all([postgres.stop(), removeBundle()]);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await makeTemplates(postgres.adminUrl, postgres.url);
  } catch (error) {
    await globalTeardown();
    throw error;
  }
}

export async function globalTeardown(): Promise<void> {
  await stop?.();
}

async function makeTemplates(adminUrl: string, serviceUrl: string): Promise<void> {
  const encryptionKey = randomBytes(32).toString('base64');
  const { migrated, seeded } = TEMPLATES;
  const envOf = (database: string) => ({
    DATABASE_URL: withDatabase(serviceUrl, database),
    LEADWIRE_ENCRYPTION_KEY: encryptionKey,
  });
  const owner = roleOf(serviceUrl);
  await asAdmin(adminUrl, `CREATE DATABASE ${migrated} TEMPLATE template0 OWNER ${owner}`);
  await cliJson(['migrate'], envOf(migrated));
  await asAdmin(adminUrl, `CREATE DATABASE ${seeded} TEMPLATE ${migrated} OWNER ${owner}`);
  const seed = await makeSeed(envOf(seeded));
  publishGround({ adminUrl, serviceUrl, encryptionKey, seed });
}
