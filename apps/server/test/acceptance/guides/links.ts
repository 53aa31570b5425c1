import { access } from 'node:fs/promises';
import MarkdownIt from 'markdown-it';
import type { Guide } from '../../../src/documents/guides.ts';
import { nameHeadings } from '../../../src/documents/headings.ts';
import { GUIDES_FOLDER } from './folder.ts';

/** What the service serves beside the guides. */
const SERVED = ['/docs', '/docs/reference', '/openapi.json', '/llms.txt'];

/** The links of a guide that lead nowhere. Those to other hosts are not followed. */
export async function brokenLinksOf(guide: Guide, all: readonly Guide[]): Promise<string[]> {
  const checked = addressesOf(guide.markdown).map(async (address) =>
    (await leadsSomewhere(address, guide, all)) ? [] : [`${guide.slug}.md: ${address}`],
  );
  return (await Promise.all(checked)).flat();
}

function addressesOf(markdown: string): string[] {
  return new MarkdownIt()
    .parse(markdown, {})
    .flatMap(({ children }) => children ?? [])
    .map((token) => token.attrGet(token.type === 'image' ? 'src' : 'href'))
    .filter((address) => typeof address === 'string');
}

async function leadsSomewhere(
  address: string,
  guide: Guide,
  all: readonly Guide[],
): Promise<boolean> {
  if (/^(?:https?|mailto):/.test(address)) return true;
  const [path = '', anchor] = address.split('#');
  if (path.startsWith('/')) return SERVED.includes(path);
  const slug = path === '' ? guide.slug : /^([\w-]+)\.md$/.exec(path)?.[1];
  if (slug === undefined) return exists(new URL(path, GUIDES_FOLDER));
  const target = all.find((one) => one.slug === slug);
  if (!target) return false;
  return anchor === undefined || anchorsOf(target.markdown).includes(decodeURIComponent(anchor));
}

const anchorsOf = (markdown: string): string[] =>
  nameHeadings(new MarkdownIt().parse(markdown, {})).map(({ id }) => id);

const exists = (file: URL): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
