import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { createManagement, openDatabase } from '../management.ts';
import { createLog, createRequestLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { readConfig } from '../settings.ts';
import { createService } from '../wiring.ts';

const INITIALIZED = 'fastify.initialization';

/**
 * The document of the real service, and the routes of the public API that Fastify itself says were registered, as
 * `METHOD /path/:name`. Nothing here asks the store.
 */
export async function startDescribed() {
  const routes: RouteOptions[] = [];
  const collect = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      routes.push(route);
    });
  };
  subscribe(INITIALIZED, collect);
  const config = readConfig({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/db' });
  const silent = { level: 'silent', destination: { write: () => undefined } };
  const log = createLog(silent);
  const requestLog = createRequestLog(silent);
  const database = openDatabase(config.databaseUrl as string, { log, poolSize: 1 });
  const management = createManagement(database, [randomBytes(32)]);
  const metrics = createMetrics();
  const service = await createService({
    ...{ config, log, requestLog, metrics, database, management },
    workerDatabase: database,
  });
  unsubscribe(INITIALIZED, collect);
  const { body } = await service.app.inject({ method: 'GET', url: '/openapi.json' });
  await service.close();
  await database.close();
  return { document: JSON.parse(body), registered: publicRoutes(routes) };
}

const publicRoutes = (routes: RouteOptions[]): string[] =>
  routes
    .filter(({ url, config }) => config?.access && url.startsWith('/api/'))
    .flatMap(({ method, url }) => [method].flat().map((name) => `${name} ${url}`))
    .filter((name) => !name.startsWith('HEAD '));
