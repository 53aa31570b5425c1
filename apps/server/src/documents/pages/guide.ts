import { type Html, html } from '../../platform/html/index.ts';
import type { Guide } from '../guides.ts';
import type { Rendered } from '../render.ts';
import type { Page } from './layout.ts';

/** One guide, with the ones before and behind it. */
export function guidePage(guide: Guide & Rendered, guides: readonly Guide[]): Page {
  const { slug, title, markup, headings } = guide;
  const at = guides.findIndex((one) => one.slug === slug);
  const contents = headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => ({ href: `#${id}`, text }));
  return {
    ...{ title, slug, contents },
    main: html`<article>
${{ markup }}</article>
<footer>
<nav aria-label="Neighbouring guides">${neighbour('Before', guides[at - 1])}${neighbour('Next', guides[at + 1])}</nav>
<p class="source"><a href="/docs/guides/${slug}.md">This page as Markdown</a></p>
</footer>`,
  };
}

const neighbour = (word: string, guide: Guide | undefined): Html | undefined =>
  guide && html`<a href="/docs/guides/${guide.slug}"><span>${word}</span>${guide.title}</a>`;
