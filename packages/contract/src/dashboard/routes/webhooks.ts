import type { DashboardRoute } from '../route.ts';

const WEBHOOKS = '/accounts/:account/webhooks';

export const webhookRoutes = {
  listWebhooks: { method: 'GET', path: WEBHOOKS, may: 'webhooks.read' },
  createWebhook: { method: 'POST', path: WEBHOOKS, may: 'webhooks.change' },
  getWebhook: { method: 'GET', path: `${WEBHOOKS}/:webhook`, may: 'webhooks.read' },
  changeWebhook: { method: 'PATCH', path: `${WEBHOOKS}/:webhook`, may: 'webhooks.change' },
  deleteWebhook: { method: 'DELETE', path: `${WEBHOOKS}/:webhook`, may: 'webhooks.change' },
  rotateWebhookSecret: {
    method: 'POST',
    path: `${WEBHOOKS}/:webhook/rotate-secret`,
    may: 'webhooks.change',
  },
  testWebhook: { method: 'POST', path: `${WEBHOOKS}/:webhook/test`, may: 'deliveries.send' },
  listDeliveries: { method: 'GET', path: `${WEBHOOKS}/:webhook/deliveries`, may: 'webhooks.read' },
  getDelivery: {
    method: 'GET',
    path: `${WEBHOOKS}/:webhook/deliveries/:delivery`,
    may: 'webhooks.read',
  },
  retryDelivery: {
    method: 'POST',
    path: `${WEBHOOKS}/:webhook/deliveries/:delivery/retry`,
    may: 'deliveries.send',
  },
  listReplays: { method: 'GET', path: `${WEBHOOKS}/:webhook/replays`, may: 'webhooks.read' },
  startReplay: { method: 'POST', path: `${WEBHOOKS}/:webhook/replays`, may: 'deliveries.send' },
  cancelReplay: {
    method: 'POST',
    path: `${WEBHOOKS}/:webhook/replays/:replay/cancel`,
    may: 'deliveries.send',
  },
} as const satisfies Record<string, DashboardRoute>;
