import type { Replay } from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors/index.ts';
import { firstUuidAt } from '../../../platform/ids/index.ts';
import { parseWebhookId } from '../../webhooks/index.ts';
import { badParameter, webhookInactive } from '../log/errors.ts';
import { cursorOf, ID_SLACK_MS, LAST_UUID, parseCursor } from '../log/ids.ts';
import { findWebhook } from '../log/repository/webhook.ts';
import { tooManyReplays } from './errors.ts';
import { parseReplayId, toReplay } from './replay.ts';
import * as repository from './repository/replays.ts';
import { registerReplayRoutes } from './routes.ts';
import { readReplayInput } from './validate.ts';

const MAX_RUNNING = 5;

export type Replays = ReturnType<typeof createReplays>;

type Deps = { database: Database; clock: Clock; newId: () => string };

/** Events of a time range sent to a webhook again: asked for here, queued by the worker's feed little by little. */
export function createReplays({ database, clock, newId }: Deps) {
  const now = () => formatMicros(clock.nowMicros());

  /** @throws AppError 404 where an id is malformed or the account has no such replay */
  async function find(reference: repository.ReplayReference): Promise<Replay> {
    const row = await repository.findReplay(database, reference);
    if (!row) throw notFound();
    return toReplay(row, reference.webhookId);
  }

  const replays = {
    /**
     * @param webhook `wh_…` @param body ReplayInput, not yet checked
     * @throws AppError 400; 404; 409 where the webhook is inactive or five run
     */
    async create(accountId: string, webhook: string, body: unknown): Promise<Replay> {
      const at = now();
      const { from, to, events } = readReplayInput(body, at);
      const webhookId = parseWebhookId(webhook);
      if (!webhookId) throw notFound();
      const reference = { accountId, webhookId, id: newId() };
      const position = firstUuidAt(Date.parse(from) - ID_SLACK_MS);
      const replay = { ...reference, from, to, types: events ?? null, position, at };
      const refusal = await repository.insertReplay(database, replay, MAX_RUNNING);
      if (refusal === 'missing') throw notFound();
      if (refusal === 'inactive') throw webhookInactive();
      if (refusal === 'too_many') throw tooManyReplays(MAX_RUNNING);
      return find(reference);
    },

    /** Newest first. @throws AppError 400 for a bad cursor, 404 */
    async list(
      accountId: string,
      webhook: string,
      query: { limit: number; cursor?: string },
    ): Promise<{ data: Replay[]; nextCursor: string | null }> {
      const below = query.cursor === undefined ? LAST_UUID : parseCursor(query.cursor);
      if (!below) throw badParameter('cursor', 'must be the nextCursor of an earlier page');
      const webhookId = parseWebhookId(webhook);
      if (!webhookId || !(await findWebhook(database, accountId, webhookId))) throw notFound();
      const page = { limit: query.limit + 1, below };
      const rows = await repository.listReplays(database, { accountId, webhookId }, page);
      const shown = rows.slice(0, query.limit);
      const last = rows.length > query.limit ? shown.at(-1) : undefined;
      return {
        data: shown.map((row) => toReplay(row, webhookId)),
        nextCursor: last ? cursorOf(last.id) : null,
      };
    },

    /** @throws AppError 404 */
    async get(accountId: string, webhook: string, replay: string): Promise<Replay> {
      return find(referenceOf(accountId, webhook, replay));
    },

    /** Nothing more is queued, and what waits of it is not sent; one that is done stays done. @throws AppError 404 */
    async cancel(accountId: string, webhook: string, replay: string): Promise<Replay> {
      const reference = referenceOf(accountId, webhook, replay);
      await find(reference);
      await repository.markCanceled(database, reference, now());
      await repository.removeCanceled(database, reference);
      return find(reference);
    },

    registerRoutes(app: FastifyInstance): void {
      registerReplayRoutes(app, replays);
    },
  };
  return replays;
}

function referenceOf(
  accountId: string,
  webhook: string,
  replay: string,
): repository.ReplayReference {
  const webhookId = parseWebhookId(webhook);
  const id = parseReplayId(replay);
  if (!webhookId || !id) throw notFound();
  return { accountId, webhookId, id };
}
