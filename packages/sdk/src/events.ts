import { isPageOf } from './answer-shape.ts';
import type { CallOptions } from './options.ts';
import { pagesOf } from './pages.ts';
import type { Transport } from './transport.ts';
import type { EventFeedAnswer, EventFeedQuery } from './types.generated.ts';

/** What happened in the account. */
export type Events = {
  /**
   * Pages of the feed, oldest first, to where it ends now. Keep `nextCursor` of the last page, empty or not, and go on from there
   * another time.
   */
  list(query?: EventFeedQuery, options?: CallOptions): AsyncIterable<EventFeedAnswer>;
};

export function createEvents(transport: Transport): Events {
  return {
    list: (query = {}, options) =>
      pagesOf<EventFeedAnswer>(
        async (cursor) => {
          const { from, ...filter } = query;
          const place = cursor === null ? { from } : { cursor };
          const request = {
            method: 'GET',
            path: '/api/v1/events',
            query: { ...filter, ...place },
            takesHmac: false,
            isAnswer: isPageOf('data'),
          } as const;
          return (await transport.request<EventFeedAnswer>(request, transport.budget(options)))
            .body;
        },
        ({ hasMore, nextCursor }) => (hasMore ? nextCursor : null),
      ),
  };
}
