import type { FastifyInstance } from 'fastify';
import { registerWebhookRoutes } from './routes.ts';
import { createWebhookService, type WebhookDeps } from './service.ts';

export { CHANGE, READ } from './access.ts';
export { parseWebhookId, webhookIdOf } from './ids.ts';
export { openSecrets, type SealedSecrets } from './secrets.ts';

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Registered endpoints: what partners, the command line and the dashboard do with them, and the routes on top. */
export function createWebhooks(deps: WebhookDeps) {
  const service = createWebhookService(deps);
  return {
    ...service,
    registerRoutes: (app: FastifyInstance): void => registerWebhookRoutes(app, service),
  };
}
