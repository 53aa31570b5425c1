import type { AddressInfo } from 'node:net';
import { firstStartText, prepareFirstStart } from './first-start.ts';
import { createManagement, encryptionKeysOf, openDatabase } from './management.ts';
import { unknownSettings } from './platform/config/index.ts';
import { createDestination, createLog, createRequestLog } from './platform/log/index.ts';
import { createMetrics } from './platform/metrics/index.ts';
import { type Config, SETTINGS } from './settings.ts';
import { startStore } from './store.ts';
import { createService } from './wiring.ts';

// Two write batches and two of each kind of read, and room for lists and look-ups.
const POOL_SIZE = 12;

/** Starts the service; resolves when it listens. `stop` finishes what was begun. */
export async function serve(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const destination = createDestination();
  const log = createLog({ level: config.logLevel, destination });
  const requestLog = createRequestLog({ level: config.logLevel, destination });
  for (const name of unknownSettings(SETTINGS, process.env)) {
    log.warn({ name }, 'this environment variable is no setting of Leadwire');
  }
  const keys = await encryptionKeysOf(config);
  const store = await startStore(config, log);
  const metrics = createMetrics();
  const database = openDatabase(store.url, {
    log,
    poolSize: POOL_SIZE,
    observe: (seconds) => metrics.storeSeconds.observe(seconds),
  });
  try {
    const applied = await database.migrate();
    if (applied.length > 0) log.info({ applied }, 'the schema was brought up to date');
    const management = createManagement(database, keys);
    const first = await prepareFirstStart(management);
    const service = await createService({ config, log, requestLog, metrics, database, management });
    await service.app.listen({ host: config.host, port: config.port });
    const url = urlOf(service.app.server.address() as AddressInfo, config.host);
    if (first) process.stdout.write(firstStartText(url, first.secretKey));
    log.info({ url, role: config.role }, `listening at ${url}`);
    return {
      url,
      async stop() {
        log.info('stopping: requests in flight are finished first');
        await service.close();
        await database.close();
        await store.stop();
        log.info('stopped');
        destination.flush();
      },
    };
  } catch (error) {
    await database.close().catch(() => undefined);
    await store.stop();
    throw error;
  }
}

function urlOf(address: AddressInfo, host: string): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${address.port}`;
}
