import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError, notFound } from '../platform/errors/index.ts';
import { PAGE_HEADERS } from './headers.ts';

/** The page's own addresses: each answers with the same document, which shows the rest. */
const ADDRESSES = ['/', '/sign-in', '/join', '/reset', '/profile', '/a/*'];
/** Whoever comes here holds a link with a token: nothing that they follow is told where they came from. */
const TOLD_TO_NOBODY = ['/join', '/reset'];
// Flat, and what the build made for compression is no asset of its own.
const ASSET = /^(?!\.)[\w.-]+(?<!\.(?:br|gz))$/;

/**
 * GET / and the other addresses of the dashboard's page, and its assets below /assets. Their names carry a hash of what they
 * hold, so browsers keep them for ever; the document itself is asked for each time.
 *
 * @param options.dist where the built page lies; 503 with a sentence while it is not built
 */
export async function registerDashboardPage(
  app: FastifyInstance,
  { dist }: { dist: URL },
): Promise<void> {
  await app.register(fastifyStatic, {
    root: fileURLToPath(dist),
    serve: false,
    preCompressed: true,
    cacheControl: false,
  });
  for (const url of ADDRESSES) {
    const referrer = TOLD_TO_NOBODY.includes(url) ? 'no-referrer' : 'same-origin';
    app.get(url, { schema: { hide: true } }, async (_request, reply) => {
      if (!(await isBuilt(dist))) throw notBuilt();
      reply.headers({
        ...PAGE_HEADERS,
        'referrer-policy': referrer,
        'cache-control': 'no-cache',
      });
      return reply.sendFile('index.html');
    });
  }
  app.get('/assets/:name', { schema: { hide: true } }, async (request, reply) => {
    const { name } = request.params as { name: string };
    if (!ASSET.test(name) || !(await exists(new URL(`assets/${name}`, dist)))) throw notFound();
    reply.headers({
      ...PAGE_HEADERS,
      'referrer-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    return reply.sendFile(`assets/${name}`);
  });
}

const isBuilt = (dist: URL) => exists(new URL('index.html', dist));

const exists = (file: URL): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const notBuilt = () =>
  new AppError({
    status: 503,
    code: 'dashboard_not_built',
    message:
      'The dashboard is not built yet. Run `npm ci` or `node apps/dashboard/build-if-stale.mjs` in the checkout, then load this page again.',
  });
