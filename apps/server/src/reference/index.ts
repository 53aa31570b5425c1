import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildDocument, pathOf } from './document.ts';
import { registerPage } from './page.ts';
import { collectRoutes } from './routes.ts';

/** An operation of the public API, as a list of them shows it. */
export type Operation = {
  operationId: string;
  method: string;
  /** As in the document, with {name} for parameters. */
  path: string;
  summary: string;
  tag: string;
};

/**
 * GET /openapi.json, OpenAPI 3.1 made from the schemas that validate, and GET /docs/reference, the same for people.
 * Call it before the routes that it is to describe.
 *
 * @returns lists the operations, once all routes are registered
 */
export async function registerReference(app: FastifyInstance): Promise<() => Operation[]> {
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
  return () =>
    routes.map(({ method, url, schema: { operationId, summary, tags } }) => ({
      ...{ operationId, method, path: pathOf(url), summary, tag: tags[0] ?? '' },
    }));
}
