import type { FastifyInstance } from 'fastify';
import type { Logger } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';

const NO_ROUTE = 'none';

/** One log line and one count a request. The route's pattern stands for its URL, which can hold personal data. */
export function observeRequests(app: FastifyInstance, metrics: Metrics, requestLog: Logger): void {
  const countersOf = rememberCounters(metrics);
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? NO_ROUTE;
    const status = reply.statusCode;
    const counters = countersOf(route, request.method, status);
    counters.requests.inc();
    counters.seconds.observe(reply.elapsedTime / 1000);
    const line: Record<string, unknown> = {
      request_id: request.id,
      method: request.method,
      route,
      status,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    const idempotencyKey = request.headers['idempotency-key'];
    if (idempotencyKey) line.idempotency_key = String(idempotencyKey).slice(0, 255);
    if (request.logFields) Object.assign(line, request.logFields);
    requestLog.info(line, 'request');
    done();
  });
}

/** The counters of a route, method and status, found by one key: finding them by labels costs 2 µs a request. */
function rememberCounters(metrics: Metrics) {
  const known = new Map<string, ReturnType<typeof find>>();
  const find = (route: string, method: string, status: number) => ({
    requests: metrics.requests.labels(route, method, String(status)),
    seconds: metrics.requestSeconds.labels(route),
  });
  return (route: string, method: string, status: number) => {
    const key = `${method} ${status} ${route}`;
    const counters = known.get(key) ?? find(route, method, status);
    known.set(key, counters);
    return counters;
  };
}
