import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

/** GET /openapi.json: OpenAPI 3.1, made from the very schemas that validate. */
export async function registerReference(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Leadwire', version: '1', description: 'Leads in, leads out, events out.' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'lwsk_…' },
        },
      },
      security: [{ bearer: [] }],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
