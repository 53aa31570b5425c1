import {
  CreatedWebhook,
  DeletedWebhook,
  ErrorAnswer,
  RotatedWebhook,
  Webhook,
  WebhookInput,
  WebhookListAnswer,
  WebhookListQuery,
  WebhookPatch,
  WebhookPath,
} from '@leadwire/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseJsonBody, rawBody } from '../../platform/http/index.ts';
import { createQueryReader } from '../../platform/validation/query.ts';
import { accountOf } from '../admission/index.ts';
import { CHANGE, DELETE, READ } from './access.ts';
import type { WebhookService } from './service.ts';

type Path = { Params: { id: string } };

const URL = '/api/v1/webhooks';
const tags = ['Webhooks'];

export function registerWebhookRoutes(app: FastifyInstance, webhooks: WebhookService): void {
  listRoute(app, webhooks);
  createRoute(app, webhooks);
  getRoute(app, webhooks);
  patchRoute(app, webhooks);
  deleteRoute(app, webhooks);
  rotateRoute(app, webhooks);
}

function listRoute(app: FastifyInstance, webhooks: WebhookService): void {
  const readQuery = createQueryReader<WebhookListQuery & { limit: number }>(WebhookListQuery);
  app.get(URL, {
    config: { access: READ },
    schema: {
      operationId: 'listWebhooks',
      summary: 'List webhooks, newest first',
      tags,
      querystring: WebhookListQuery,
      response: { 200: WebhookListAnswer, default: ErrorAnswer },
    },
    async handler(request) {
      const { limit, cursor } = readQuery(request.query);
      return webhooks.list(accountOf(request), { limit, after: cursor });
    },
  });
}

function createRoute(app: FastifyInstance, webhooks: WebhookService): void {
  app.post(URL, {
    config: { access: CHANGE },
    schema: {
      operationId: 'createWebhook',
      summary: 'Register a webhook',
      description: 'The answer shows its secret, once.',
      tags,
      body: WebhookInput,
      response: { 201: CreatedWebhook, default: ErrorAnswer },
    },
    async handler(request, reply) {
      const created = await webhooks.create(accountOf(request), bodyOf(request));
      return withSecret(reply).code(201).send(created);
    },
  });
}

function getRoute(app: FastifyInstance, webhooks: WebhookService): void {
  app.get<Path>(`${URL}/:id`, {
    config: { access: READ },
    schema: {
      operationId: 'getWebhook',
      summary: 'Read one webhook',
      tags,
      params: WebhookPath,
      response: { 200: Webhook, default: ErrorAnswer },
    },
    handler: (request) => webhooks.get(accountOf(request), request.params.id),
  });
}

function patchRoute(app: FastifyInstance, webhooks: WebhookService): void {
  app.patch<Path>(`${URL}/:id`, {
    config: { access: CHANGE },
    schema: {
      operationId: 'patchWebhook',
      summary: 'Change one webhook',
      description:
        'Works for the next request to the endpoint, retries included. Set active again, or given another url, the endpoint is tried anew.',
      tags,
      params: WebhookPath,
      body: WebhookPatch,
      response: { 200: Webhook, default: ErrorAnswer },
    },
    handler: (request) => webhooks.update(accountOf(request), request.params.id, bodyOf(request)),
  });
}

function deleteRoute(app: FastifyInstance, webhooks: WebhookService): void {
  app.delete<Path>(`${URL}/:id`, {
    config: { access: DELETE },
    schema: {
      operationId: 'deleteWebhook',
      summary: 'Delete one webhook',
      description: 'For good: nothing further is sent to it, not even what waits.',
      tags,
      params: WebhookPath,
      response: { 200: DeletedWebhook, default: ErrorAnswer },
    },
    handler: (request) => webhooks.remove(accountOf(request), request.params.id),
  });
}

function rotateRoute(app: FastifyInstance, webhooks: WebhookService): void {
  app.post<Path>(`${URL}/:id/rotate-secret`, {
    config: { access: CHANGE },
    schema: {
      operationId: 'rotateWebhookSecret',
      summary: 'Give a webhook a new secret',
      description:
        'The answer shows it, once. For 24 hours everything is signed with the secret before, too; one that was rotated out earlier signs no more.',
      tags,
      params: WebhookPath,
      response: { 200: RotatedWebhook, default: ErrorAnswer },
    },
    async handler(request, reply) {
      return withSecret(reply).send(
        await webhooks.rotateSecret(accountOf(request), request.params.id),
      );
    },
  });
}

const bodyOf = (request: FastifyRequest): unknown =>
  parseJsonBody(rawBody(request), request.headers['content-encoding']);

/** An answer that no cache on the way may keep (RFC 9111 section 5.2.2.5). */
const withSecret = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-store');
