import {
  DeliveryListAnswer,
  DeliveryListQuery,
  ErrorAnswer,
  WebhookPath,
} from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import { createQueryReader } from '../../../../platform/validation/query.ts';
import { accountOf } from '../../../admission/index.ts';
import { READ } from '../../../webhooks/index.ts';
import { TAGS } from '../../tags.ts';
import type { DeliveryLog } from '../index.ts';
import type { ReadListQuery } from '../list.ts';

export function listRoute(app: FastifyInstance, log: Pick<DeliveryLog, 'list'>): void {
  const readQuery = createQueryReader<ReadListQuery>(DeliveryListQuery);
  app.get<{ Params: { id: string } }>('/api/v1/webhooks/:id/deliveries', {
    config: { access: READ },
    schema: {
      operationId: 'listDeliveries',
      summary: "List a webhook's deliveries, newest event first",
      description:
        'What waits to be sent, and what the log of attempts holds. A page that a filter left short or empty can still have a nextCursor.',
      tags: TAGS,
      params: WebhookPath,
      querystring: DeliveryListQuery,
      response: { 200: DeliveryListAnswer, default: ErrorAnswer },
    },
    async handler(request) {
      return log.list(accountOf(request), request.params.id, readQuery(request.query));
    },
  });
}
