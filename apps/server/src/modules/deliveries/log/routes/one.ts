import { Delivery, DeliveryDetail, DeliveryPath, ErrorAnswer } from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import { JSON_TYPE } from '../../../../platform/http/index.ts';
import { accountOf } from '../../../admission/index.ts';
import { CHANGE, READ } from '../../../webhooks/index.ts';
import { TAGS } from '../../tags.ts';
import type { DeliveryLog } from '../index.ts';

type Path = { Params: { id: string; delivery: string } };
const URL = '/api/v1/webhooks/:id/deliveries/:delivery';

export function getRoute(app: FastifyInstance, log: Pick<DeliveryLog, 'get'>): void {
  app.get<Path>(URL, {
    config: { access: READ },
    schema: {
      operationId: 'getDelivery',
      summary: 'Read one delivery with its event and attempts',
      tags: TAGS,
      params: DeliveryPath,
      response: { 200: DeliveryDetail, default: ErrorAnswer },
    },
    async handler(request, reply) {
      const { id, delivery: name } = request.params;
      const { delivery, event, attempts } = await log.get(accountOf(request), id, name);
      // The event byte for byte as it is sent: it never becomes an object here.
      const shown = JSON.stringify(delivery).slice(0, -1);
      return reply
        .type(JSON_TYPE)
        .send(`${shown},"event":${event},"attempts":${JSON.stringify(attempts)}}`);
    },
  });
}

export function retryRoute(app: FastifyInstance, log: Pick<DeliveryLog, 'retry'>): void {
  app.post<Path>(`${URL}/retry`, {
    config: { access: CHANGE },
    schema: {
      operationId: 'retryDelivery',
      summary: 'Send a delivery again now',
      description:
        'Also one that was delivered or given up; it has all of its attempts before it again. An inactive webhook must be activated first. The body is not read.',
      tags: TAGS,
      params: DeliveryPath,
      response: { 202: Delivery, default: ErrorAnswer },
    },
    async handler(request, reply) {
      const { id, delivery } = request.params;
      return reply.code(202).send(await log.retry(accountOf(request), id, delivery));
    },
  });
}
