import type { FastifyInstance } from 'fastify';
import { unavailable } from './platform/errors/index.ts';
import { sendError } from './platform/http/index.ts';
import type { Metrics } from './platform/metrics/index.ts';
import { VERSION } from './version.ts';

type HealthDeps = { metrics: Metrics; pingStore: () => Promise<void> };

/** What an operator's probes ask: is the process up, and of which version; is its store in reach; what does it measure. */
export function registerHealthRoutes(
  app: FastifyInstance,
  { metrics, pingStore }: HealthDeps,
): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({
    ok: true,
    version: VERSION,
  }));

  app.get('/readyz', { schema: { hide: true } }, async (request, reply) => {
    try {
      await pingStore();
      return { ok: true };
    } catch {
      // Asked again and again while the service starts: an answer, and no failure to log.
      return sendError(unavailable(), request, reply);
    }
  });

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
