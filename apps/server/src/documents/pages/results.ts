import { type Html, html } from '../../platform/html/index.ts';
import type { Found } from '../search.ts';
import type { Page } from './layout.ts';

/** What was found. */
export const resultsPage = (query: string, found: readonly Found[]): Page => ({
  title: query === '' ? 'Search' : `Search: ${query}`,
  query,
  main: html`<h1>Search</h1>
<p>${summaryOf(query, found.length)}</p>
<ol class="results">
${found.map(result)}</ol>`,
});

function summaryOf(query: string, count: number): Html {
  if (query === '') return html`Write what you look for into the field above.`;
  if (count > 0)
    return html`${count === 1 ? 'One match' : `${count} matches`} for <q>${query}</q>.`;
  return html`Nothing matches <q>${query}</q>. Try fewer words, or look through the <a href="/docs">guides</a>.`;
}

const result = ({
  href,
  heading,
  where,
  excerpt,
}: Found): Html => html`<li><h2><a href="${href}">${heading}</a></h2>
<p class="where">${where}</p>
<p>${excerpt.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : html`${text}`))}</p></li>
`;
