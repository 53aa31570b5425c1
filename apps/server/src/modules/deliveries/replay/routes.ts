import {
  ErrorAnswer,
  Replay,
  ReplayInput,
  ReplayListAnswer,
  ReplayListQuery,
  ReplayPath,
  WebhookPath,
} from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import { parseJsonBody, rawBody } from '../../../platform/http/index.ts';
import { createQueryReader } from '../../../platform/validation/query.ts';
import { accountOf } from '../../admission/index.ts';
import { CHANGE, READ } from '../../webhooks/index.ts';
import { TAGS } from '../tags.ts';
import type { Replays } from './index.ts';

type Path = { Params: { id: string } };
type ReplayPathParams = { Params: { id: string; replay: string } };
type Commands = Pick<Replays, 'create' | 'list' | 'get' | 'cancel'>;

const URL = '/api/v1/webhooks/:id';

export function registerReplayRoutes(app: FastifyInstance, replays: Commands): void {
  createRoute(app, replays);
  listRoute(app, replays);
  getRoute(app, replays);
  cancelRoute(app, replays);
}

function createRoute(app: FastifyInstance, replays: Commands): void {
  app.post<Path>(`${URL}/replay`, {
    config: { access: CHANGE },
    schema: {
      operationId: 'createReplay',
      summary: 'Send the events of a time range again',
      description:
        'Every event of the range, little by little and behind live ones; an event that waits anyway is not queued twice. At most five run for a webhook.',
      tags: TAGS,
      params: WebhookPath,
      body: ReplayInput,
      response: { 202: Replay, default: ErrorAnswer },
    },
    async handler(request, reply) {
      const body = parseJsonBody(rawBody(request), request.headers['content-encoding']);
      const replay = await replays.create(accountOf(request), request.params.id, body);
      return reply.code(202).send(replay);
    },
  });
}

function listRoute(app: FastifyInstance, replays: Commands): void {
  const readQuery = createQueryReader<{ limit: number; cursor?: string }>(ReplayListQuery);
  app.get<Path>(`${URL}/replays`, {
    config: { access: READ },
    schema: {
      operationId: 'listReplays',
      summary: "List a webhook's replays, newest first",
      tags: TAGS,
      params: WebhookPath,
      querystring: ReplayListQuery,
      response: { 200: ReplayListAnswer, default: ErrorAnswer },
    },
    async handler(request) {
      return replays.list(accountOf(request), request.params.id, readQuery(request.query));
    },
  });
}

function getRoute(app: FastifyInstance, replays: Commands): void {
  app.get<ReplayPathParams>(`${URL}/replays/:replay`, {
    config: { access: READ },
    schema: {
      operationId: 'getReplay',
      summary: 'Read how far a replay has come',
      tags: TAGS,
      params: ReplayPath,
      response: { 200: Replay, default: ErrorAnswer },
    },
    async handler(request) {
      const { id, replay } = request.params;
      return replays.get(accountOf(request), id, replay);
    },
  });
}

function cancelRoute(app: FastifyInstance, replays: Commands): void {
  app.post<ReplayPathParams>(`${URL}/replays/:replay/cancel`, {
    config: { access: CHANGE },
    schema: {
      operationId: 'cancelReplay',
      summary: 'Stop a replay',
      description:
        'What it has not queued yet is not queued, and what of it waits is not sent. One that is done stays done. The body is not read.',
      tags: TAGS,
      params: ReplayPath,
      response: { 200: Replay, default: ErrorAnswer },
    },
    async handler(request) {
      const { id, replay } = request.params;
      return replays.cancel(accountOf(request), id, replay);
    },
  });
}
