import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../reference/index.ts';
import { type Guide, readGuides } from './guides.ts';
import type { Rendered } from './render.ts';
import type { Found, Search } from './search.ts';
import { sectionOf, sectionsOf } from './sections.ts';

export type Library = {
  guides(): Promise<Guide[]>;
  /** @returns undefined where there is no such guide */
  guide(slug: string): Promise<(Guide & Rendered) | undefined>;
  /** The summaries as HTML, by slug. */
  summaries(): Promise<Map<string, string>>;
  find(query: string): Promise<Found[]>;
};

/**
 * The guides: read, rendered and indexed when they are first asked for, and kept. What renders and what searches is loaded
 * then, too: a service that nobody reads about pays nothing for it.
 * @param options.operations those of the reference
 */
export function createLibrary({
  folder,
  operations,
}: {
  folder: URL;
  operations: () => Operation[];
}): Library {
  const rendered = new Map<string, Guide & Rendered>();
  const guides = once(() => readGuides(folder));
  const index = once(async () => indexOf(await guides(), operations()));
  const summaries = once(async () => {
    const { renderLine } = await import('./render.ts');
    return new Map((await guides()).map(({ slug, summary }) => [slug, renderLine(summary)]));
  });
  return {
    guides,
    summaries,
    async guide(slug) {
      const known = rendered.get(slug);
      if (known) return known;
      const found = (await guides()).find((guide) => guide.slug === slug);
      if (!found) return undefined;
      const { render } = await import('./render.ts');
      const made = { ...found, ...render(found.markdown) };
      rendered.set(slug, made);
      return made;
    },
    find: async (query) => (await index()).find(query),
  };
}

async function indexOf(guides: Guide[], operations: Operation[]): Promise<Search> {
  const { tokensOf } = await import('./render.ts');
  const { createSearch } = await import('./search.ts');
  const sections = operations.map(sectionOf);
  for (const guide of guides) {
    sections.push(...sectionsOf(guide, tokensOf(guide.markdown)));
    // Between two guides others have their turn.
    await setImmediate();
  }
  return createSearch(sections);
}

/** Does it once, however many ask; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
