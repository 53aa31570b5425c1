import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Form } from '@leadwire/contract/dashboard';
import type { FastifyInstance } from 'fastify';
import { escapeText } from '../../../platform/html/index.ts';
import { renderForm } from './html.ts';

const PATH = '/forms/embed.js';

/** HTML to paste into a page. `script` is optional there: it shows errors beside the inputs. */
export const embeddingOf = (form: Form, publicUrl: string): { plain: string; script: string } => ({
  plain: renderForm(form),
  script: `<script src="${escapeText(publicUrl)}${PATH}" defer></script>`,
});

/** GET /forms/embed.js: the script of forms on pages of others, the same for all of them. @param options.file where it lies */
export function embedRoute(app: FastifyInstance, { file }: { file: URL }): void {
  const script = readFileSync(file);
  const etag = `"${hash('sha256', script, 'base64url').slice(0, 22)}"`;
  const headers = {
    etag,
    'cache-control': 'public, max-age=300',
    // Pages of other origins load it, also those that isolate themselves (Fetch standard, section "Cross-Origin-Resource-Policy").
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  };
  app.get(PATH, { schema: { hide: true } }, async (request, reply) => {
    reply.headers(headers);
    const known = request.headers['if-none-match'] ?? '';
    const isKnown = known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
    if (isKnown) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(script);
  });
}
