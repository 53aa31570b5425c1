import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildDocument } from './document.ts';
import { registerPage } from './page.ts';
import { collectRoutes } from './routes.ts';

/**
 * GET /openapi.json, OpenAPI 3.1 made from the schemas that validate, and GET /docs, the same for people.
 * Call it before the routes that it is to describe.
 */
export async function registerReference(app: FastifyInstance): Promise<void> {
  const routes = collectRoutes(app);
  let document = { bytes: Buffer.alloc(0), etag: '' };
  app.addHook('onReady', async () => {
    const bytes = Buffer.from(JSON.stringify(buildDocument(routes)));
    const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
    document = { bytes, etag };
  });
  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) => {
    const { bytes, etag } = document;
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(bytes);
  });
  await registerPage(app);
}
