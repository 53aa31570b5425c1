import type { FastifyInstance } from 'fastify';
import { unavailable } from './platform/errors/index.ts';
import type { Metrics } from './platform/metrics/index.ts';

type HealthDeps = { metrics: Metrics; pingStore: () => Promise<void> };

/** What an operator's probes ask: is the process up, is its store in reach, what does it measure. */
export function registerHealthRoutes(
  app: FastifyInstance,
  { metrics, pingStore }: HealthDeps,
): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true }));

  app.get('/readyz', { schema: { hide: true } }, async () => {
    await pingStore().catch((error) => {
      throw unavailable(error);
    });
    return { ok: true };
  });

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
