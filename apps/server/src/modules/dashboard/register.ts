import {
  DASHBOARD_API,
  DASHBOARD_ROUTES,
  type DashboardRoute,
  type DashboardRouteName,
  downloadRoutes,
  streamRoutes,
} from '@leadwire/contract/dashboard';
import {
  DASHBOARD_REQUESTS,
  type DashboardRequestSchemas,
} from '@leadwire/contract/dashboard/requests';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../../platform/errors/index.ts';
import { createFairQueue } from '../../platform/grouping/index.ts';
import { parseJsonBody, rawBody } from '../../platform/http/index.ts';
import { createValidator } from '../../platform/validation/index.ts';
import { createQueryReader } from '../../platform/validation/query.ts';
import { type AccessDeps, type Asker, headersOf, letIn } from './access.ts';
import type {
  DashboardDownloadHandlers,
  DashboardHandlers,
  DashboardStreams,
  Person,
} from './request.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route of the dashboard: who may use it. */
    dashboard?: DashboardRoute;
  }
  interface FastifyRequest {
    asker: Asker | null;
  }
}

type AnyHandler = (request: unknown) => Promise<unknown>;

// As many as a browser has connections to one host: who asks for more waits for themselves, not the leads that come in.
const OF_A_PERSON = { maxInFlight: 10_000, maxInFlightEach: 6, maxWaitingEach: 100 };

/** Registers every route of the dashboard's API: access, then query and body, then its handler. */
export function registerDashboardApi(
  app: FastifyInstance,
  deps: {
    access: AccessDeps;
    handlers: DashboardHandlers;
    streams: DashboardStreams;
    downloads: DashboardDownloadHandlers;
  },
): void {
  app.decorateRequest('asker', null);
  const inTurn = createFairQueue(OF_A_PERSON);
  registerStreams(app, deps);
  registerDownloads(app, deps);
  const names = Object.keys(DASHBOARD_ROUTES) as DashboardRouteName[];
  for (const name of names) {
    const route: DashboardRoute = DASHBOARD_ROUTES[name];
    const schemas = schemasOf(name);
    const read = createReader(schemas);
    const handle = deps.handlers[name] as AnyHandler;
    app.route({
      method: route.method,
      url: `${DASHBOARD_API}${route.path}`,
      ...guarded(route, deps.access),
      ...(schemas?.bytes === undefined ? {} : { bodyLimit: schemas.bytes }),
      handler: async (request, reply) => {
        const asked = { ...contextOf(request, reply, deps.access), ...read(request) };
        const person = request.asker?.person;
        return person ? inTurn(person.id, () => handle(asked)) : handle(asked);
      },
    });
  }
}

/** Answers are server-sent events for as long as the one who asked is let in. */
function registerStreams(
  app: FastifyInstance,
  { access, streams }: { access: AccessDeps; streams: DashboardStreams },
): void {
  for (const name of Object.keys(streamRoutes) as (keyof DashboardStreams)[]) {
    const route: DashboardRoute = streamRoutes[name];
    app.route({
      method: route.method,
      url: `${DASHBOARD_API}${route.path}`,
      // It would open a stream that nobody reads.
      exposeHeadRoute: false,
      ...guarded(route, access),
      handler: (request, reply) => {
        const { person, accountId } = request.asker as { person: Person; accountId: string };
        const stillMay = async () => {
          const asker = await letIn(request, route, access);
          return asker.person?.id === person.id;
        };
        const stream = streams[name]({ person, accountId, stillMay });
        // nginx would gather events until its buffer is full.
        reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
        return reply.send(stream);
      },
    });
  }
}

/** Answers are files, streamed for as long as the one who asked is let in. */
function registerDownloads(
  app: FastifyInstance,
  { access, downloads }: { access: AccessDeps; downloads: DashboardDownloadHandlers },
): void {
  for (const name of Object.keys(downloadRoutes) as (keyof DashboardDownloadHandlers)[]) {
    const route: DashboardRoute = downloadRoutes[name];
    const read = createReader(schemasOf(name));
    app.route({
      method: route.method,
      url: `${DASHBOARD_API}${route.path}`,
      // It would begin a file that nobody reads.
      exposeHeadRoute: false,
      ...guarded(route, access),
      handler: async (request, reply) => {
        const { person, accountId } = request.asker as { person: Person; accountId: string };
        const stillMay = async () => (await letIn(request, route, access)).person?.id === person.id;
        const { params } = request;
        const asked = { person, accountId, params, ...read(request), stillMay } as never;
        const { fileName, type, stream } = await downloads[name](asked);
        reply.headers({
          'content-type': type,
          'content-disposition': `attachment; filename="${fileName}"`,
        });
        return reply.send(stream);
      },
    });
  }
}

const schemasOf = (name: string): DashboardRequestSchemas | undefined =>
  (DASHBOARD_REQUESTS as Record<string, DashboardRequestSchemas>)[name];

/** What every route of the dashboard has: it is refused to whom it is not for. Not a hook of the app, which each lead would pass too. */
const guarded = (dashboard: DashboardRoute, access: AccessDeps) => ({
  config: { dashboard },
  schema: { hide: true } as object,
  onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    request.asker = await letIn(request, dashboard, access);
  },
  // A body may take half a minute to arrive: who was removed meanwhile, or has another role, is so for this request too.
  preHandler: async (request: FastifyRequest) => {
    if (dashboard.may === 'anyone' || request.body === undefined) return;
    request.asker = await letIn(request, dashboard, access);
  },
});

function contextOf(request: FastifyRequest, reply: FastifyReply, { isHttps }: AccessDeps) {
  const secure = isHttps || request.protocol === 'https' ? '; Secure' : '';
  return {
    ...request.asker,
    requestId: request.id,
    address: request.ip,
    headers: headersOf(request),
    params: request.params,
    setCookies: (cookies: readonly string[]) =>
      void reply.header(
        'set-cookie',
        cookies.map((cookie) => cookie + secure),
      ),
  };
}

/** Reads query and body by their schemas; a route without one takes none. */
function createReader({ query, body, bytes }: DashboardRequestSchemas = {}) {
  const readQuery = query && createQueryReader(query);
  const validate = body && createValidator(body);
  return (request: FastifyRequest): { query: unknown; body: unknown } => ({
    query: readQuery?.(request.query),
    body: bytes ? (rawBody(request) ?? NO_BYTES) : validate && checked(bodyOf(request), validate),
  });
}

const NO_BYTES = Buffer.alloc(0);

const bodyOf = (request: FastifyRequest): unknown =>
  parseJsonBody(rawBody(request), request.headers['content-encoding']);

function checked(value: unknown, validate: ReturnType<typeof createValidator>): unknown {
  const errors = validate(value);
  if (errors.length > 0) throw invalid(errors);
  return value;
}
