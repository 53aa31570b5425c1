import type { Token } from 'markdown-it';
import type { Operation } from '../reference/index.ts';
import type { Guide } from './guides.ts';
import { textOf } from './headings.ts';

/** What the search finds: a part of a guide below one heading, or an operation of the reference. */
export type Section = {
  href: string;
  heading: string;
  /** Title of the guide, or 'Reference'. */
  where: string;
  text: string;
  /** Commands and bodies: found, too, but not shown. */
  code: string;
};

const DEEPEST_HEADING = 3;

/** Cuts a guide at its headings. @param tokens of the guide, its headings named */
export function sectionsOf({ slug, title }: Guide, tokens: Token[]): Section[] {
  const page = `/docs/guides/${slug}`;
  let current: Section = { href: page, heading: title, where: title, text: '', code: '' };
  const sections = [current];
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    if (token.type === 'heading_open' && isCut(token)) {
      const heading = textOf(tokens[at + 1]);
      const href = `${page}#${token.attrGet('id')}`;
      current = { href, heading, where: title, text: '', code: '' };
      sections.push(current);
    } else if (token.type === 'inline' && !(before?.type === 'heading_open' && isHead(before))) {
      current.text += `${textOf(token)} `;
    } else if (token.type === 'fence' && !/\bfile=/.test(token.info)) {
      current.code += `${token.content}\n`;
    }
  });
  return sections;
}

/** The title is the first section's heading already. */
const isHead = ({ tag }: Token) => Number(tag.slice(1)) <= DEEPEST_HEADING;
const isCut = (token: Token) => isHead(token) && token.tag !== 'h1';

export const sectionOf = (operation: Operation): Section => ({
  href: `/docs/reference#/${encodeURIComponent(operation.tag)}/${operation.operationId}`,
  heading: operation.summary,
  where: 'Reference',
  text: `${operation.method} ${operation.path}`,
  code: operation.operationId,
});
