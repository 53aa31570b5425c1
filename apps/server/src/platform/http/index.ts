import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { answerBrokenHttp } from './broken-http.ts';
import { answerOtherMethods } from './method-not-allowed.ts';
import { observeRequests } from './observe.ts';
import { renderErrors } from './render-error.ts';
import { requestIdOf } from './request-id.ts';

export { decodeBody, parseJsonBody, parseJsonText } from './json-body.ts';
export { errorBody } from './render-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Call once after the last route: from then on other methods answer 405. */
    closeRoutes(): void;
  }
  interface FastifyRequest {
    /** What else the log line of this request names; never personal data. */
    logFields: Record<string, unknown> | null;
  }
  interface FastifyContextConfig {
    otherMethods?: boolean;
  }
}

// An external id has up to 255 characters, each up to 12 when URL-encoded.
const MAX_PARAM_LENGTH = 4096;
const KEEP_ALIVE_MS = 72_000;
// A client that trickles its request holds a socket no longer than this.
const REQUEST_TIMEOUT_MS = 30_000;

type HttpOptions = {
  log: Logger;
  metrics: Metrics;
  newId: () => string;
  bodyLimitBytes: number;
  trustProxyHops: number;
};

/** A Fastify instance with our errors, request ids, 404/405, metrics and log line; bodies arrive as raw bytes. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    disableRequestLogging: true,
    genReqId: (request) => requestIdOf(request, options.newId),
    bodyLimit: options.bodyLimitBytes,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy:
      options.trustProxyHops > 0 &&
      ((_address: string, hop: number) => hop < options.trustProxyHops),
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id);
      void reply.callNotFound();
    },
  });
  app.decorateRequest('logFields', null);
  answerOtherMethods(app);
  renderErrors(app);
  observeRequests(app, options.metrics);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
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
