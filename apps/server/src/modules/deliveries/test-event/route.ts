import { ErrorAnswer, TestEventAnswer, TestEventInput, WebhookPath } from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import { parseJsonBody, rawBody } from '../../../platform/http/index.ts';
import { accountOf } from '../../admission/index.ts';
import { CHANGE } from '../../webhooks/index.ts';
import { TAGS } from '../tags.ts';
import type { TestEvents } from './index.ts';

export function testRoute(app: FastifyInstance, testEvents: Pick<TestEvents, 'send'>): void {
  app.post<{ Params: { id: string } }>('/api/v1/webhooks/:id/test', {
    config: { access: CHANGE },
    schema: {
      operationId: 'testWebhook',
      summary: 'Send a sample event now',
      description:
        'Signed and sent once as a real one is, also to an inactive webhook; stored nowhere. The answer comes when the endpoint has answered, within 15 seconds of its turn: two at a time are sent for an account. Without a body, the first type of the webhook.',
      tags: TAGS,
      params: WebhookPath,
      body: TestEventInput,
      response: { 200: TestEventAnswer, default: ErrorAnswer },
    },
    async handler(request) {
      const raw = rawBody(request);
      const isEmpty = !raw || raw.length === 0;
      const body = isEmpty ? undefined : parseJsonBody(raw, request.headers['content-encoding']);
      return testEvents.send(accountOf(request), request.params.id, body);
    },
  });
}
