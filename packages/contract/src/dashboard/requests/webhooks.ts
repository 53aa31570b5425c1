import type { Static } from 'typebox';
import type { Delivery, DeliveryDetail, Replay } from '../../deliveries.ts';
import {
  DeliveryListQuery,
  ReplayInput,
  type TestEventAnswer,
  TestEventInput,
} from '../../deliveries.ts';
import type { CreatedWebhook, DeletedWebhook, RotatedWebhook, Webhook } from '../../webhooks.ts';
import { WebhookInput, WebhookPatch } from '../../webhooks.ts';

export const webhookRequests = {
  createWebhook: { body: WebhookInput },
  changeWebhook: { body: WebhookPatch },
  listDeliveries: { query: DeliveryListQuery },
  testWebhook: { body: TestEventInput },
  startReplay: { body: ReplayInput },
} as const;

/** How an endpoint does at the moment. */
export type WebhookHealth = {
  /** Failed requests in a row. */
  failures: number;
  /** Deliveries that wait to be sent, counted up to 1000, which stands for more, too. */
  waiting: number;
  /** When the next of them is due, which may be past; null where none waits. */
  next_attempt_at: string | null;
};

/** A webhook and how its endpoint does. */
export type WebhookWithHealth = Webhook & { health: WebhookHealth };

export type WebhookAnswers = {
  /** All of the account, newest first. */
  listWebhooks: { webhooks: WebhookWithHealth[] };
  createWebhook: CreatedWebhook;
  getWebhook: WebhookWithHealth;
  changeWebhook: Webhook;
  deleteWebhook: DeletedWebhook;
  rotateWebhookSecret: RotatedWebhook;
  testWebhook: Static<typeof TestEventAnswer>;
  listDeliveries: { data: Delivery[]; nextCursor: string | null };
  getDelivery: DeliveryDetail;
  retryDelivery: Delivery;
  /** The newest 25. */
  listReplays: { replays: Replay[] };
  startReplay: Replay;
  cancelReplay: Replay;
};
