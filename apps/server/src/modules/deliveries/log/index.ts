import { type Delivery, type DeliveryAttempt, LIMITS } from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors/index.ts';
import type { FairQueue } from '../../../platform/grouping/index.ts';
import { composeEvent } from '../../events/index.ts';
import { parseWebhookId } from '../../webhooks/index.ts';
import { toAttempt, toDelivery } from './delivery.ts';
import { webhookInactive } from './errors.ts';
import { readHealth } from './health.ts';
import { parseDeliveryId } from './ids.ts';
import { listPage, type ReadListQuery, readRange } from './list.ts';
import { deliveriesOfEvents, forgetAnswers } from './of-events.ts';
import { type DeliveryReference, findDelivery, listAttempts, makeDue } from './repository/one.ts';
import { findWebhook } from './repository/webhook.ts';
import { listRoute } from './routes/list.ts';
import { getRoute, retryRoute } from './routes/one.ts';

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

type Deps = {
  database: Database;
  /** After a commit that made a delivery of the webhook due. */
  onDue: (accountId: string, webhookId: string) => void;
  /** The queue that all lists share. */
  heavyRead: FairQueue;
};

/** What became of each event for each webhook: listed, looked at, and sent again by request. */
export function createDeliveryLog({ database, onDue, heavyRead }: Deps) {
  const log = {
    /** @param webhook as in the path: `wh_…`. @throws AppError 404 where the account has no such webhook, 400 */
    async list(accountId: string, webhook: string, query: ReadListQuery) {
      const range = readRange(query);
      const webhookId = parseWebhookId(webhook);
      if (!webhookId) throw notFound();
      return heavyRead(accountId, async () => {
        if (!(await findWebhook(database, accountId, webhookId))) throw notFound();
        return listPage(database, { accountId, webhookId }, range, query.limit);
      });
    },

    /** @returns the delivery, its event as JSON text, and its attempts. @throws AppError 404 */
    async get(
      accountId: string,
      webhook: string,
      delivery: string,
    ): Promise<{ delivery: Delivery; event: string; attempts: DeliveryAttempt[] }> {
      const reference = referenceOf(accountId, webhook, delivery);
      return heavyRead(accountId, async () => {
        const found = await findDelivery(database, reference);
        if (!found) throw notFound();
        const { rows, total } = await listAttempts(database, reference, LIMITS.listMax);
        return {
          delivery: toDelivery(found, reference.webhookId),
          event: composeEvent(found),
          attempts: rows.map((row, index) => toAttempt(row, total - index)).reverse(),
        };
      });
    },

    /**
     * Makes a delivery due now with all of its attempts before it, whatever became of it.
     * @throws AppError 404; 409 where the webhook is inactive
     */
    async retry(accountId: string, webhook: string, delivery: string): Promise<Delivery> {
      const reference = referenceOf(accountId, webhook, delivery);
      return heavyRead(accountId, async () => {
        if (!(await findDelivery(database, reference))) throw notFound();
        const isQueued = await makeDue(database, reference);
        // Read again: it may have been deleted meanwhile, and the queued row is what is shown.
        const found = await findDelivery(database, reference);
        if (!found) throw notFound();
        if (!isQueued) throw webhookInactive();
        onDue(accountId, reference.webhookId);
        return toDelivery(found, reference.webhookId);
      });
    },

    /** How the endpoints of webhooks do at the moment, by `wh_…`. */
    health: (accountId: string, webhooks: readonly string[]) =>
      heavyRead(accountId, () => readHealth(database, accountId, webhooks)),

    /** What became of events, by their UUIDs, and what of them still waits. Not in the queue of lists: its caller is. */
    ofEvents: (accountId: string, eventIds: string[]) =>
      deliveriesOfEvents(database, accountId, eventIds),

    /** In the transaction that erases the lead of these events: endpoints may have sent back what they were told. */
    forgetAnswers,

    registerRoutes(app: FastifyInstance): void {
      listRoute(app, log);
      getRoute(app, log);
      retryRoute(app, log);
    },
  };
  return log;
}

/** @throws AppError 404 where one is malformed, or the delivery is of another webhook */
function referenceOf(accountId: string, webhook: string, delivery: string): DeliveryReference {
  const webhookId = parseWebhookId(webhook);
  const named = parseDeliveryId(delivery);
  if (!webhookId || !named || named.webhookId !== webhookId) throw notFound();
  return { accountId, webhookId, eventId: named.eventId };
}
