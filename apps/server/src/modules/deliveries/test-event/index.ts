import { type EventType, type TestEventAnswer, TestEventInput } from '@leadwire/contract';
import type { FastifyInstance } from 'fastify';
import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import type { SecretBox } from '../../../platform/crypto/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { invalid, notFound } from '../../../platform/errors/index.ts';
import { createFairQueue } from '../../../platform/grouping/index.ts';
import { createValidator } from '../../../platform/validation/index.ts';
import { openSecrets, parseWebhookId } from '../../webhooks/index.ts';
import { findWebhook } from '../log/repository/webhook.ts';
import type { Attempt } from '../sending/index.ts';
import { testRoute } from './route.ts';
import { sampleEvent } from './sample.ts';

// A slow endpoint holds its place for 15 s: one account's tests must not hold those of others.
const TESTS = { maxInFlight: 64, maxInFlightEach: 2, maxWaitingEach: 20 };

const validate = createValidator(TestEventInput);

export type TestEvents = ReturnType<typeof createTestEvents>;

type Deps = {
  database: Database;
  secrets: SecretBox;
  attempt: Attempt;
  clock: Clock;
  newId: () => string;
};

/** Sends a sample of an event to a webhook at once, for whoever sets up an endpoint. */
export function createTestEvents({ database, secrets, attempt, clock, newId }: Deps) {
  const inQueue = createFairQueue(TESTS);

  async function sendNow(accountId: string, webhookId: string, type?: EventType) {
    // Read when its turn has come: what was deleted while it waited gets nothing.
    const webhook = await findWebhook(database, accountId, webhookId);
    if (!webhook) throw notFound();
    const eventId = `evt_test_${newId().replaceAll('-', '')}`;
    const at = formatMicros(clock.nowMicros());
    const sample = { id: eventId, accountId, at };
    const event = sampleEvent(type ?? (webhook.events[0] as EventType), sample);
    const result = await attempt({
      url: webhook.url,
      eventId,
      body: JSON.stringify(event),
      secrets: openSecrets(secrets, { ...webhook, webhookId }, clock.nowMs()),
    });
    return { eventId, result };
  }

  const testEvents = {
    /**
     * Works for an inactive webhook too; nothing is stored. @param body TestEventInput, not yet checked, or undefined
     * @throws AppError 400, 404; 503 where too many of the account wait for their turn
     */
    async send(accountId: string, webhook: string, body?: unknown): Promise<TestEventAnswer> {
      const errors = body === undefined ? [] : validate(body);
      if (errors.length > 0) throw invalid(errors);
      const webhookId = parseWebhookId(webhook);
      if (!webhookId) throw notFound();
      const { type } = (body ?? {}) as TestEventInput;
      const work = () => sendNow(accountId, webhookId, type);
      const { eventId, result } = await inQueue(accountId, work);
      return {
        event_id: eventId,
        succeeded: result.succeeded,
        status: result.status,
        error: result.error,
        detail: result.detail,
        duration_ms: Math.round(result.durationMs),
        answer: result.answer?.toString('utf8') ?? null,
      };
    },

    registerRoutes(app: FastifyInstance): void {
      testRoute(app, testEvents);
    },
  };
  return testEvents;
}
