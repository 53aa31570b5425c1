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

export type WebhookAnswers = {
  listWebhooks: { webhooks: Webhook[] };
  createWebhook: CreatedWebhook;
  getWebhook: Webhook;
  changeWebhook: Webhook;
  deleteWebhook: DeletedWebhook;
  rotateWebhookSecret: RotatedWebhook;
  testWebhook: Static<typeof TestEventAnswer>;
  listDeliveries: { data: Delivery[]; nextCursor: string | null };
  getDelivery: DeliveryDetail;
  retryDelivery: Delivery;
  listReplays: { replays: Replay[] };
  startReplay: Replay;
  cancelReplay: Replay;
};
