import { ErrorAnswer, EventFeedAnswer, EventFeedQuery } from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import type { FairQueue } from '../../platform/grouping/index.ts';
import { JSON_TYPE } from '../../platform/http/index.ts';
import { createQueryReader } from '../../platform/validation/query.ts';
import { accountOf } from '../admission/index.ts';
import { type Feed, type FeedPage, readFeedRequest } from './feed.ts';

const DESCRIPTION =
  'The same events, with the same ids and the same bodies, as webhooks get: a receiver finds its own gaps here, or needs no webhook at all. ' +
  'Read a page, keep nextCursor, and go on from there, at once while hasMore is true and after a pause when it is false. ' +
  'An event that is committed late comes later and is never skipped, so the order is that of the commits, nearly but not exactly that of `timestamp`.';

export function feedRoute(
  app: FastifyInstance,
  { feed, heavyRead }: { feed: Feed; heavyRead: FairQueue },
): void {
  const readQuery = createQueryReader<EventFeedQuery & { limit: number }>(EventFeedQuery);
  app.get('/api/v1/events', {
    config: { access: { feature: 'webhooks', scopes: ['leads:read'], hmac: false } },
    schema: {
      operationId: 'listEvents',
      summary: 'Read events, oldest first',
      description: DESCRIPTION,
      tags: ['Events'],
      querystring: EventFeedQuery,
      response: { 200: EventFeedAnswer, default: ErrorAnswer },
    },
    async handler(request, reply) {
      const wanted = readFeedRequest(readQuery(request.query));
      const accountId = accountOf(request);
      const page = await heavyRead(accountId, () => feed(accountId, wanted));
      return reply.type(JSON_TYPE).send(bodyOf(page));
    },
  });
}

/** Events are JSON already, and stay the bytes that they are. */
const bodyOf = ({ events, nextCursor, hasMore }: FeedPage): string =>
  `{"data":[${events.join(',')}],"nextCursor":"${nextCursor}","hasMore":${hasMore}}`;
