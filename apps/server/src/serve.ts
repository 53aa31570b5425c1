import type { AddressInfo } from 'node:net';
import { constants, setPriority } from 'node:os';
import { firstStartText, howToGetAnOwner, prepareFirstStart } from './first-start.ts';
import {
  createManagement,
  encryptionKeysOf,
  type Management,
  openDatabase,
  requireEncryptionKey,
  requireRightKeys,
} from './management.ts';
import { renumberRestoredEvents } from './modules/events/index.ts';
import { unknownSettings } from './platform/config/index.ts';
import type { Database } from './platform/database/index.ts';
import {
  createDestination,
  createLog,
  createRequestLog,
  type Logger,
} from './platform/log/index.ts';
import { createMetrics, type Metrics } from './platform/metrics/index.ts';
import { type Config, httpUrl, SETTINGS } from './settings.ts';
import { startStore } from './store.ts';
import { VERSION } from './version.ts';
import { createService } from './wiring.ts';

// Two write batches and two of each kind of read, and room for lists and look-ups.
const POOL_SIZE = 12;
// Two fetches, two groups of attempts, a listener, and room for polling, replays and upkeep.
const WORKER_POOL_SIZE = 8;

const KEY_MISSING =
  'stored secrets were encrypted with an encryption key that is not configured: their keys cannot sign, their webhooks wait';

type Logs = { destination: ReturnType<typeof createDestination>; log: Logger; requestLog: Logger };
type Closers = (() => Promise<void>)[];

/** Starts the service; resolves when it listens. `stop` finishes what was begun. */
export async function serve(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const logs = openLogs(config);
  const { log, destination } = logs;
  // In the order of opening; closed the other way round.
  const closers: Closers = [];
  if (config.role === 'worker') yieldToOthers(log);
  try {
    const store = await openStore(config, log, closers);
    const url = await open({ config, logs, ...store }, closers);
    sayWherePrivateTargets(config, log);
    log.info({ url, role: config.role, version: VERSION }, `listening at ${url}`);
    return {
      url,
      async stop() {
        log.info('stopping: requests in flight are finished first');
        for (const close of closers.reverse()) await close();
        log.info('stopped');
        destination.flush();
      },
    };
  } catch (error) {
    for (const close of closers.reverse()) await close().catch(() => undefined);
    throw error;
  }
}

function openLogs(config: Config): Logs {
  const destination = createDestination();
  const log = createLog({ level: config.logLevel, destination: destination.atOnce });
  const requestLog = createRequestLog({ level: config.logLevel, destination });
  for (const name of unknownSettings(SETTINGS, process.env)) {
    log.warn({ name }, 'this environment variable is no setting of Leadwire');
  }
  return { destination, log, requestLog };
}

async function openStore(config: Config, log: Logger, closers: Closers) {
  requireEncryptionKey(config);
  const store = await startStore(config, log);
  closers.push(store.stop);
  const metrics = createMetrics();
  metrics.buildInfo.set({ version: VERSION }, 1);
  const observe = (seconds: number) => metrics.storeSeconds.observe(seconds);
  const database = openDatabase(store.url, { log, poolSize: POOL_SIZE, observe });
  closers.push(database.close);
  const workerDatabase = openDatabase(store.url, {
    ...{ log, poolSize: WORKER_POOL_SIZE, observe },
    // What became of a delivery: where it is lost in a crash, the delivery is made again.
    commitsMayBeLost: true,
  });
  closers.push(workerDatabase.close);
  const applied = await database.migrate();
  if (applied.length > 0) log.info({ applied }, 'the schema was brought up to date');
  await renumberRestoredEvents(database, log);
  const keys = await encryptionKeysOf(config, database);
  const notOpened = await requireRightKeys(config, database, keys);
  if (notOpened > 0) log.warn({ secrets: notOpened }, KEY_MISSING);
  const management = createManagement(database, keys);
  return { database, workerDatabase, metrics, management };
}

type Parts = {
  config: Config;
  logs: Logs;
  database: Database;
  workerDatabase: Database;
  metrics: Metrics;
  management: Management;
};

/** Listens, and only then makes what a first start makes: its key is shown once, and a taken port must not cost it. */
async function open(parts: Parts, closers: Closers): Promise<string> {
  const { config, logs, database, workerDatabase, metrics, management } = parts;
  let isPrepared = false;
  const ping: Database['ping'] = async (timeoutMs) => {
    if (!isPrepared) throw new Error('The first start is still under way.');
    await database.ping(timeoutMs);
  };
  const { log, requestLog } = logs;
  const shared = { config, log, requestLog, metrics, management, workerDatabase };
  const service = await createService({ ...shared, database: { ...database, ping } });
  closers.push(service.close);
  await service.app.listen({
    host: config.host,
    port: config.port,
    // Not "listening" yet to whoever waits for that line: a first start goes on below.
    listenTextResolver: (address) => `accepting connections on ${address}`,
  });
  const url = urlOf(service.app.server.address() as AddressInfo, config.host);
  const first = await prepareFirstStart(management);
  // Behind a proxy the address of this node may be no one's but the proxy's.
  const shown = config.publicUrlIsSet ? config.publicUrl : url;
  if (first) process.stdout.write(firstStartText(shown, first));
  else if (config.role !== 'worker') await sayHowToGetAnOwner(management, log);
  isPrepared = true;
  service.startWorker();
  return url;
}

async function sayHowToGetAnOwner(management: Management, log: Logger) {
  const how = await howToGetAnOwner(management);
  if (how) log.info(how);
}

/** Beside an API on the same machine leads come in first: a delivery may wait for a processor, who posts a lead should not. */
function yieldToOthers(log: Logger) {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    log.info({ err: error }, 'the priority of this process cannot be lowered');
  }
}

function sayWherePrivateTargets({ allowPrivateWebhooks, allowPrivateIsSet }: Config, log: Logger) {
  if (!allowPrivateWebhooks) return;
  const why = allowPrivateIsSet
    ? 'LEADWIRE_ALLOW_PRIVATE_WEBHOOKS is on'
    : 'the service listens on loopback alone; LEADWIRE_ALLOW_PRIVATE_WEBHOOKS=off forbids it';
  log.warn(`webhooks may go to private addresses and by plain http: ${why}`);
}

const urlOf = (address: AddressInfo, host: string): string => httpUrl(host, address.port);
