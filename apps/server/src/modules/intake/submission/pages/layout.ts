import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../../../platform/html/index.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2433; --soft: #4c566b; --line: #8a93a5; --page: #f5f6f8; --card: #fff; --accent: #1f5fbf; --on-accent: #fff; --bad: #b3261e; --bad-soft: #fdf0ee; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf1; --soft: #b3bccb; --line: #727c8f; --page: #14181f; --card: #1d232d; --accent: #8ab4f8; --on-accent: #10151d; --bad: #ff9d94; --bad-soft: #3a1f1d; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border-radius: .75rem; }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
main > :last-child { margin-bottom: 0; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
label span { color: var(--soft); font-weight: 400; }
.field { margin-bottom: 1rem; }
input[type=text], input[type=email], input[type=tel], textarea { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem; font: inherit; }
textarea { min-height: 6rem; }
input[aria-invalid=true], textarea[aria-invalid=true] { border: 2px solid var(--bad); }
.consent { display: flex; gap: .75rem; align-items: flex-start; }
.consent input { flex: none; width: 1.25rem; height: 1.25rem; margin: .125rem 0 0; }
.consent label { font-weight: 400; white-space: pre-wrap; }
.error { margin: .25rem 0 0; color: var(--bad); }
.notice { margin-bottom: 1.25rem; padding: .75rem 1rem; background: var(--bad-soft); border-left: 4px solid var(--bad); border-radius: .25rem; }
.notice p, .notice ul { margin: 0; }
.notice ul { margin-top: .25rem; padding-left: 1.25rem; }
a { color: var(--accent); }
.notice a { color: inherit; }
button { width: 100%; min-height: 2.75rem; padding: .5rem 1.25rem; color: var(--on-accent); background: var(--accent); border: 0; border-radius: .5rem; font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.trap { position: absolute; left: -10000px; width: 1px; height: 1px; overflow: hidden; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** `leadsTo`: where the page goes on to by itself; null where it stays. */
export type Page = { title: string; body: Html; leadsTo: string | null };

/** Sends a page of ours that is about a form. */
export function sendPage(reply: FastifyReply, { title, body, leadsTo }: Page) {
  return reply
    .headers({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
      // With no-referrer browsers would send "Origin: null" along with the form.
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(document(title, body, leadsTo).markup);
}

const document = (title: string, body: Html, leadsTo: string | null): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${
  leadsTo !== null &&
  html`
<meta http-equiv="refresh" content="0; url=${leadsTo}">`
}
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
