import { type Html, html } from '../../platform/html/index.ts';
import type { Guide } from '../guides.ts';
import type { Page } from './layout.ts';

/** The list of the guides. @param summaries HTML, by slug */
export const homePage = (guides: readonly Guide[], summaries: Map<string, string>): Page => ({
  title: 'Leadwire',
  main: html`<h1>Leadwire for developers</h1>
<p>A service that takes leads in and never loses or doubles one: partners post them, signed or with a key, and the same lead twice is no second lead. They read leads back by cursor, and signed webhooks tell them of every change.</p>
<p>Begin with the <a href="/docs/guides/quick-start">quick start</a>. Every operation is in the <a href="/docs/reference">reference</a>, for programs in <a href="/openapi.json">/openapi.json</a> and <a href="/llms.txt">/llms.txt</a>.</p>
<h2>Guides</h2>
<ul class="cards">
${guides.map((guide) => card(guide, summaries.get(guide.slug) ?? ''))}</ul>`,
});

const card = (
  { slug, title }: Guide,
  summary: string,
): Html => html`<li><h3><a href="/docs/guides/${slug}">${title}</a></h3>
<p>${{ markup: summary }}</p></li>
`;
