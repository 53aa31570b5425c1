import { NetworkError } from './errors.ts';

/**
 * Walks pages; each loop over it starts anew. `load` is given the cursor behind the page before, null for the first one; `next` is
 * the cursor behind a page, null behind the last one.
 * @throws NetworkError `malformed_answer` where a page leads back to itself, e.g. one that a cache gives for every cursor
 */
export function pagesOf<Page, Cursor extends string | number = string>(
  load: (cursor: Cursor | null) => Promise<Page>,
  next: (page: Page) => Cursor | null,
): AsyncIterable<Page> {
  return {
    async *[Symbol.asyncIterator]() {
      let cursor: Cursor | null = null;
      do {
        const before: Cursor | null = cursor;
        const page = await load(cursor);
        cursor = next(page);
        if (cursor !== null && cursor === before) throw repeated();
        yield page;
      } while (cursor !== null);
    },
  };
}

const repeated = () =>
  new NetworkError('A page names itself as the next one: the list would never end.', {
    code: 'malformed_answer',
  });
