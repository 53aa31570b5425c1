import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../platform/errors/index.ts';
import type { Operation } from '../reference/index.ts';
import { createLibrary } from './library.ts';
import { llmsText } from './llms.ts';
import { guidePage } from './pages/guide.ts';
import { homePage } from './pages/home.ts';
import { layout, type Page } from './pages/layout.ts';
import { resultsPage } from './pages/results.ts';

const MAX_QUERY_LENGTH = 200;
const HIDDEN = { schema: { hide: true } };

// Styles and forms of this service alone, nothing inline, no script at all.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

type DocumentsDeps = {
  /** Where the guides lie. */
  folder: URL;
  /** Where the style sheets and the icon of the pages lie. */
  assets: URL;
  /** The start of the addresses in /llms.txt. */
  publicUrl: string;
  /** Those of the reference, once all routes are there. */
  operations: () => Operation[];
};

/** GET /docs, the guides below it, their search, and /llms.txt. Open to everyone. */
export async function registerDocuments(app: FastifyInstance, deps: DocumentsDeps): Promise<void> {
  const library = createLibrary(deps);
  const css = 'text/css; charset=utf-8';
  const assets = {
    textUrl: await registerAsset(app, new URL('text.css', deps.assets), css),
    layoutUrl: await registerAsset(app, new URL('layout.css', deps.assets), css),
    iconUrl: await registerAsset(app, new URL('icon.svg', deps.assets), 'image/svg+xml'),
  };
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, page: Page) => {
    const { markup } = layout(page, { guides: await library.guides(), ...assets });
    return send(request, reply, { type: 'text/html', text: markup });
  };
  for (const url of ['/docs', '/docs/']) {
    app.get(url, HIDDEN, async (request, reply) =>
      sendPage(request, reply, homePage(await library.guides(), await library.summaries())),
    );
  }
  app.get('/docs/guides/:name', HIDDEN, async (request, reply) => {
    const { name } = request.params as { name: string };
    const [, slug, isSource] = /^(.+?)(\.md)?$/.exec(name) ?? [];
    const guide = await library.guide(slug ?? '');
    if (!guide) throw notFound();
    if (isSource) return send(request, reply, { type: 'text/markdown', text: guide.markdown });
    return sendPage(request, reply, guidePage(guide, await library.guides()));
  });
  app.get('/docs/search', HIDDEN, async (request, reply) => {
    const query = queryOf(request.query as Record<string, unknown>);
    const found = query === '' ? [] : await library.find(query);
    return sendPage(request, reply, resultsPage(query, found));
  });
  app.get('/llms.txt', HIDDEN, async (request, reply) => {
    const text = llmsText(await library.guides(), deps.publicUrl);
    return send(request, reply, { type: 'text/plain', text });
  });
}

/** What is looked for; what is longer than the field takes is cut. */
function queryOf({ q }: Record<string, unknown>): string {
  const text = Array.isArray(q) ? q[0] : q;
  return typeof text === 'string' ? text.slice(0, MAX_QUERY_LENGTH).toWellFormed().trim() : '';
}

/** @returns its address, which names what it holds: that never changes */
async function registerAsset(app: FastifyInstance, file: URL, type: string): Promise<string> {
  const bytes = await readFile(file);
  const url = `/docs/assets/${digest(bytes)}/${basename(file.pathname)}`;
  app.get(url, HIDDEN, (_request, reply) =>
    reply
      .headers({ ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' })
      .type(type)
      .send(bytes),
  );
  return url;
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text }: { type: string; text: string },
) {
  const etag = `"${digest(text)}"`;
  reply.headers({ ...HEADERS, etag, 'cache-control': 'no-cache' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type(`${type}; charset=utf-8`).send(text);
}

const digest = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);
