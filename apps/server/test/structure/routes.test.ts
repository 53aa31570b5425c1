import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify';
import { createManagement, openDatabase } from '../../src/management.ts';
import { createLog, createRequestLog } from '../../src/platform/log/index.ts';
import { createMetrics } from '../../src/platform/metrics/index.ts';
import { readConfig } from '../../src/settings.ts';
import { createService } from '../../src/wiring.ts';
import { PLATFORMS } from '../acceptance/intake/platforms.ts';

/** Routes that everybody may call; all others prove who they are. */
const OPEN = [
  /^\/healthz$/,
  /^\/readyz$/,
  /^\/metrics$/,
  /^\/openapi\.json$/,
  /^\/docs(?:\/|$)/,
  /^\/llms\.txt$/,
  // The script of forms on pages of others: the same file for everyone.
  /^\/forms\/embed\.js$/,
  // A platform proves who it is by the form's key, which is in the body.
  /^\/forms\/:form_id\/google$/,
  // Where pages send their forms: the form says whose they are, and its key what they may.
  /^\/forms\/:form_id(?:\/thanks)?$/,
  // The dashboard's page: the same files for everyone; what it shows comes from routes with an access.
  /^\/(?:sign-in|join|reset|profile|a\/\*|assets\/:name)?$/,
];

const INITIALIZED = 'fastify.initialization';
const routes: RouteOptions[] = [];
let app: FastifyInstance;
let close: () => Promise<void>;

before(async () => {
  const collect = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => {
      routes.push(route);
    });
  subscribe(INITIALIZED, collect);
  // Nothing here asks the store: every request is refused before that.
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
  app = service.app;
  close = async () => {
    await service.close();
    await database.close();
  };
  await app.ready();
});
after(() => close());

const isOpen = ({ url }: RouteOptions) => OPEN.some((pattern) => pattern.test(url));
const send = ({ method, url }: RouteOptions) =>
  app.inject({
    method: [method].flat()[0] as HTTPMethods,
    url: url.replace(/:\w+|\*/g, 'x'),
  } as never) as unknown as Promise<{ statusCode: number; json(): { error: string } }>;
/** A route that stands for the methods that an address does not have. */
const answers405 = async (route: RouteOptions) => (await send(route)).statusCode === 405;
const nameOf = ({ method, url }: RouteOptions) => `${[method].flat().join()} ${url}`;

describe('every route', () => {
  test('asks for an access, or stands on the list of open routes', async () => {
    assert.ok(routes.some(({ url, config }) => url === '/api/v1/leads' && config?.access));
    assert.ok(routes.some(isOpen));
    const unguarded: string[] = [];
    for (const route of routes) {
      const { access, dashboard } = route.config ?? {};
      const isGuarded = access !== undefined || dashboard !== undefined || isOpen(route);
      if (!isGuarded && !(await answers405(route))) unguarded.push(nameOf(route));
    }
    assert.deepEqual(unguarded, []);
  });

  test('that is open serves no part of the public API', () => {
    const open = routes.filter((route) => isOpen(route));
    assert.ok(open.length > 0);
    assert.deepEqual(
      open.filter((route) => route.config?.access || route.url.startsWith('/api/')).map(nameOf),
      [],
    );
  });

  test('of the public API answers 401 missing_auth to a request without credentials', async () => {
    const guarded = routes.filter((route) => route.config?.access);
    assert.ok(guarded.length >= 7);
    for (const route of guarded) {
      const answer = await send(route);
      assert.equal(answer.statusCode, 401, nameOf(route));
      const isHead = [route.method].flat()[0] === 'HEAD';
      if (!isHead) assert.equal(answer.json().error, 'missing_auth', nameOf(route));
    }
  });

  test('where a platform sends its leads is held to the conformance suite of platforms', () => {
    const found = routes
      .filter(({ method }) => method === 'POST')
      .flatMap(({ url }) => /^\/forms\/:form_id\/(\w+)$/.exec(url)?.[1] ?? []);
    assert.ok(found.length > 0);
    assert.deepEqual(
      found,
      PLATFORMS.map(({ name }) => name),
    );
  });

  // A webhook discloses leads: whoever may make or change one must be allowed to read them.
  const scopesOfChange = ({ method, url }: RouteOptions) =>
    url.startsWith('/api/v1/webhooks') && method !== 'DELETE'
      ? ['leads:write', 'leads:read']
      : ['leads:write'];

  // What is compared does not fit into a query.
  const READING_POST = '/api/v1/insertion/leads/reconcile';

  test('that changes something asks for leads:write, and every other for leads:read', () => {
    for (const route of routes.filter((one) => one.config?.access)) {
      const reads =
        route.url === READING_POST ||
        [route.method].flat().every((method) => ['GET', 'HEAD'].includes(method));
      const scopes = reads ? ['leads:read'] : scopesOfChange(route);
      assert.deepEqual(route.config?.access?.scopes, scopes, nameOf(route));
    }
  });
});
