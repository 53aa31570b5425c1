import MarkdownIt, { type Token } from 'markdown-it';
import { type Heading, nameHeadings } from './headings.ts';

export type Rendered = { markup: string; headings: Heading[] };

const GUIDE_LINK = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/;
const SERVED_LINK = /^(?:https?:|mailto:|#|\/)/;

const markdown = createMarkdown();

/** The HTML of a guide, and its headings. HTML that stands in the guide is shown as text. */
export function render(text: string): Rendered {
  const tokens = markdown.parse(text, {});
  const headings = nameHeadings(tokens);
  for (const { children } of tokens) mendLinks(children ?? []);
  return { markup: markdown.renderer.render(tokens, markdown.options, {}), headings };
}

/** The HTML of a line of a guide: a summary. */
export function renderLine(text: string): string {
  const tokens = markdown.parseInline(text, {});
  for (const { children } of tokens) mendLinks(children ?? []);
  return markdown.renderer.render(tokens, markdown.options, {});
}

/** The tokens of a guide with named headings, for the search. */
export function tokensOf(text: string): Token[] {
  const tokens = markdown.parse(text, {});
  nameHeadings(tokens);
  return tokens;
}

function createMarkdown() {
  const made = new MarkdownIt({ html: false, linkify: false });
  const { rules } = made.renderer;
  rules.heading_open = (tokens, at) => {
    const { tag, attrs } = tokens[at] as Token;
    const id = made.utils.escapeHtml(String(new Map(attrs).get('id')));
    return `<${tag} id="${id}"><a class="anchor" href="#${id}">`;
  };
  rules.heading_close = (tokens, at) => `</a></${tokens[at]?.tag}>\n`;
  // What is wider than a phone scrolls by itself, and the keyboard must reach it.
  rules.table_open = () =>
    '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.fence = (tokens, at) => {
    const { info, content } = tokens[at] as Token;
    const language = /^[\w-]+/.exec(info)?.[0] ?? 'text';
    const code = made.utils.escapeHtml(content);
    const kind = /\sanswer\b/.test(info) ? ' class="answer"' : '';
    return `<pre${kind} tabindex="0"><code class="language-${language}">${code}</code></pre>\n`;
  };
  return made;
}

/** Links to other guides lead to their pages; those to files that are not served become their text. */
function mendLinks(tokens: Token[]): void {
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = String(token.attrGet('href') ?? '');
      const [, slug, anchor = ''] = GUIDE_LINK.exec(href) ?? [];
      if (slug) token.attrSet('href', `/docs/guides/${slug}${anchor}`);
      isDropped = !slug && !SERVED_LINK.test(href);
    }
    if (isDropped && /^link_(?:open|close)$/.test(token.type)) drop(token);
    if (token.type === 'link_close') isDropped = false;
  }
}

function drop(token: Token): void {
  token.type = 'text';
  token.content = '';
}
