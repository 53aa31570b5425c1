import { NetworkError } from './errors.ts';

/**
 * Walks pages; each loop over it starts anew. `next`: the cursor behind a page, null behind the last one.
 * @throws NetworkError `malformed_answer` where a page leads back to itself, e.g. one that a cache gives for every cursor
 */
export function pagesOf<Page>(
  load: (before: Page | null) => Promise<Page>,
  next: (page: Page) => string | number | null,
): AsyncIterable<Page> {
  return {
    async *[Symbol.asyncIterator]() {
      let page: Page | null = null;
      let cursor: string | number | null = null;
      do {
        const before: string | number | null = cursor;
        page = await load(page);
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
