import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

const PREFIX = '/docs/assets';
const YEAR_SECONDS = 31_536_000;
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

/** The files of Swagger UI that the page needs, as the package carries them. */
const RENDERER = {
  'swagger-ui.css': CSS,
  'swagger-ui-bundle.js': JAVASCRIPT,
  'favicon-32x32.png': 'image/png',
};

/** Ours: what starts it. Without a validator URL it would send the document's address to swagger.io. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  queryConfigEnabled: false,
  persistAuthorization: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
`;

// Scripts and styles of this service alone, nothing inline, no other host.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

type Asset = { url: string; type: string; bytes: Buffer };
type Assets = Record<keyof typeof RENDERER, Asset>;

/** GET /docs/reference: the reference for people, drawn by Swagger UI from /openapi.json. Asks no other host for anything. */
export async function registerPage(app: FastifyInstance): Promise<void> {
  const start = startScript();
  const assets = await rendererAssets();
  for (const { url, type, bytes } of [...Object.values(assets), start]) {
    app.get(url, { schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({
          ...HEADERS,
          'content-type': type,
          // The URL names the version: what it holds never changes.
          'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
        })
        .send(bytes),
    );
  }
  const html = pageHtml(assets, start);
  for (const url of ['/docs/reference', '/docs/reference/']) {
    app.get(url, { schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({ ...HEADERS, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(html),
    );
  }
}

/**
 * The files of the renderer, read once and kept, 1.9 MB in all: streamed for each visitor they left the process 25 MiB
 * larger after twenty.
 */
async function rendererAssets(): Promise<Assets> {
  const manifest = new URL(import.meta.resolve('@fastify/swagger-ui/package.json'));
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const entries = Object.entries(RENDERER).map(async ([name, type]): Promise<[string, Asset]> => {
    const bytes = await readFile(new URL(`static/${name}`, manifest));
    return [name, { url: `${PREFIX}/${version}/${name}`, type, bytes }];
  });
  return Object.fromEntries(await Promise.all(entries)) as Assets;
}

function startScript(): Asset {
  const version = createHash('sha256').update(START).digest('hex').slice(0, 16);
  return { url: `${PREFIX}/${version}/start.js`, type: JAVASCRIPT, bytes: Buffer.from(START) };
}

const pageHtml = (assets: Assets, start: Asset): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference · Leadwire</title>
<link rel="icon" type="image/png" href="${assets['favicon-32x32.png'].url}">
<link rel="stylesheet" href="${assets['swagger-ui.css'].url}">
<script src="${assets['swagger-ui-bundle.js'].url}" defer></script>
<script src="${start.url}" defer></script>
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same reference for programs: <a href="/openapi.json">/openapi.json</a>. Guides: <a href="/docs">/docs</a>.</noscript>
</body>
</html>
`;
