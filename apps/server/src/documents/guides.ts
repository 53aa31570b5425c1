import { readFile } from 'node:fs/promises';

/** The guides, in the order in which they are listed: names of files in docs/guides, and of their addresses. */
export const GUIDES = [
  'quick-start',
  'authentication',
  'upsert-and-idempotency',
  'reading-and-reconciliation',
  'webhooks',
  'errors-and-retries',
  'limits',
  'consent',
  'sdk',
  'operations',
  'architecture',
  'security',
] as const;

export type Guide = {
  slug: string;
  title: string;
  /** One or two sentences, as Markdown. */
  summary: string;
  markdown: string;
};

const BEGINNING = /^# (.+)\n+((?:(?!#|```|\||>|- |\d+\. )[^\n]+\n)*)/;

/** Reads a guide: its first line is `# Title`, its first paragraph the summary. One without them is shown all the same. */
export function guideOf(slug: string, markdown: string): Guide {
  const [, title = slug, summary = ''] = BEGINNING.exec(`${markdown}\n`) ?? [];
  return { slug, title: title.trim(), summary: summary.trim().replace(/\s*\n\s*/g, ' '), markdown };
}

// Too many open files, for a moment, must not take a guide away for as long as the process runs.
function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** All guides that there are in a folder, in their order. One that is not there yet is left out. */
export async function readGuides(folder: URL): Promise<Guide[]> {
  const found = GUIDES.map(async (slug) => {
    const markdown = await readFile(new URL(`${slug}.md`, folder), 'utf8').catch(nullWhereMissing);
    return markdown === null ? [] : [guideOf(slug, markdown)];
  });
  return (await Promise.all(found)).flat();
}
