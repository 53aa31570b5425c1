import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { badRequest, notFound } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { createDrain, type Drain } from './drain.ts';
import { answerOtherMethods } from './method-not-allowed.ts';
import { observeRequests } from './observe.ts';
import { renderErrors, sendError } from './render-error.ts';
import { requestIdOf } from './request-id.ts';
import { answerBrokenHttp, answerUnusualHttp } from './unusual-http.ts';

/** An answer that is JSON already. */
export const JSON_TYPE = 'application/json; charset=utf-8';

export {
  decodeBody,
  parseJsonBody,
  parseJsonBodyKeepingDigits,
  parseJsonText,
} from './json-body.ts';
export { errorBody, failureOf, sendError } from './render-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Call once after the last route: from then on other methods answer 405. */
    closeRoutes(): void;
    /** Closes without cutting a request. */
    drain: Drain;
  }
  interface FastifyRequest {
    /** What else the log line of this request names; never personal data. */
    logFields: Record<string, unknown> | null;
  }
}

// An external id has up to 255 characters, each up to 12 when URL-encoded.
const MAX_PARAM_LENGTH = 4096;
const KEEP_ALIVE_MS = 72_000;
// RFC 9110 section 8.3.1.
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;
// A client that trickles its request holds a socket no longer than this.
const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUT_CHECK_MS = 2_000;
// A client that neither sends nor reads.
const IDLE_SOCKET_MS = 90_000;

type HttpOptions = {
  log: Logger;
  requestLog: Logger;
  metrics: Metrics;
  newId: () => string;
  bodyLimitBytes: number;
  trustProxyHops: number;
};

/** A Fastify instance with our errors, request ids, 404/405, metrics and log line; bodies arrive as raw bytes. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger a request costs more than naming the request in our one line of it.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => requestIdOf(request, options.newId),
    bodyLimit: options.bodyLimitBytes,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A request that arrives while closing is served like any other.
    return503OnClosing: false,
    // Node would refuse a missing Host without a body; the hook below does it in our form.
    http: { requireHostHeader: false, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    connectionTimeout: IDLE_SOCKET_MS,
    trustProxy:
      options.trustProxyHops > 0 &&
      ((_address: string, hop: number) => hop < options.trustProxyHops),
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id);
      void sendError(notFound(), request, reply);
    },
  });
  app.decorateRequest('logFields', null);
  app.decorateRequest('failure', null);
  app.decorate('drain', createDrain(app));
  answerUnusualHttp(app.server);
  answerOtherMethods(app);
  renderErrors(app);
  observeRequests(app, options.metrics, options.requestLog);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // What Fastify cannot parse it would refuse; to us the type of a body says nothing anyway.
    if (!MEDIA_TYPE.test(request.headers['content-type'] ?? '')) {
      delete request.headers['content-type'];
    }
    const isHostMissing = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    if (isHostMissing) done(badRequest('HTTP/1.1 needs a Host header.'));
    // Before a body is read for nothing.
    else done(request.is404 ? notFound() : undefined);
  });
  // Whatever its Content-Type says, a body is bytes first: signatures are over bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  return app;
}

/** The raw bytes of the body; undefined where there was none. */
export const rawBody = (request: FastifyRequest): Buffer | undefined =>
  request.body as Buffer | undefined;
