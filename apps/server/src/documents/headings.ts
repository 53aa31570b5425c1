import type { Token } from 'markdown-it';

export type Heading = { level: number; text: string; id: string };

/**
 * The headings of a guide with their ids, which are unique in it and the ones that viewers of repositories make: lower case,
 * spaces as hyphens, other punctuation left out, `-1`, `-2`, … behind one that is there already. Each heading's token gets its id.
 */
export function nameHeadings(tokens: Token[]): Heading[] {
  const seen = new Map<string, number>();
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return [];
    const text = textOf(tokens[at + 1]);
    const plain = slugOf(text);
    const before = seen.get(plain) ?? 0;
    seen.set(plain, before + 1);
    const id = before === 0 ? plain : `${plain}-${before}`;
    token.attrSet('id', id);
    return [{ level: Number(token.tag.slice(1)), text, id }];
  });
}

/** What an inline token shows, without its marks. */
export const textOf = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('');

const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
