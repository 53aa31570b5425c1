import { type Html, html } from '../../platform/html/index.ts';
import type { Guide } from '../guides.ts';

export type Page = {
  title: string;
  /** Of the page that is shown, where it is a guide. */
  slug?: string;
  /** What was looked for. */
  query?: string;
  main: Html;
  /** Links to the parts of the page. */
  contents?: { href: string; text: string }[];
};

type Site = { guides: readonly Guide[]; textUrl: string; layoutUrl: string; iconUrl: string };

/** A whole page: nothing inline, nothing of another host, no script. */
export const layout = (
  page: Page,
  { guides, textUrl, layoutUrl, iconUrl }: Site,
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title === 'Leadwire' ? 'Leadwire: documents' : `${page.title} · Leadwire`}</title>
<link rel="icon" type="image/svg+xml" href="${iconUrl}">
<link rel="stylesheet" href="${textUrl}">
<link rel="stylesheet" href="${layoutUrl}">${
  page.slug &&
  html`
<link rel="alternate" type="text/markdown" href="/docs/guides/${page.slug}.md">`
}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${header(page)}
${foldedLists(page, guides)}
<div class="columns">
<nav class="side" aria-label="Guides">${guideList(guides, page.slug)}</nav>
<main id="main" tabindex="-1">
${page.main}
</main>
${hasContents(page) && html`<nav class="contents" aria-label="On this page"><p>On this page</p>${contentList(page)}</nav>`}
</div>
</body>
</html>
`;

const header = ({ query = '' }: Page): Html => html`<header>
<a class="brand" href="/docs">Leadwire</a>
<form action="/docs/search" role="search">
<label class="hidden" for="q">Search guides and reference</label>
<input id="q" name="q" type="search" maxlength="200" placeholder="Search" value="${query}" autocomplete="off">
<button>Search</button>
</form>
<nav aria-label="Service"><a href="/docs/reference">Reference</a> <a href="/">Dashboard</a></nav>
</header>`;

/** The two lists for small screens, where the columns are not shown. */
const foldedLists = (page: Page, guides: readonly Guide[]): Html => html`<div class="folded">
<details><summary>Guides</summary><nav aria-label="Guides">${guideList(guides, page.slug)}</nav></details>
${hasContents(page) && html`<details><summary>On this page</summary><nav aria-label="On this page">${contentList(page)}</nav></details>`}
</div>`;

const guideList = (guides: readonly Guide[], current: string | undefined): Html => html`<ul>
${guides.map(
  ({ slug, title }) =>
    html`<li><a href="/docs/guides/${slug}"${slug === current && html` aria-current="page"`}>${title}</a></li>
`,
)}</ul>`;

const hasContents = ({ contents = [] }: Page): boolean => contents.length > 1;

const contentList = ({ contents = [] }: Page): Html => html`<ul>
${contents.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>\n`)}</ul>`;
