import { type Feature, LIMITS, type Webhook } from '@leadwire/contract';
import type { WebhookAnswers, WebhookWithHealth } from '@leadwire/contract/dashboard';
import { parseJson } from '../../../platform/json/index.ts';
import type { DeliveryLog, Replays, TestEvents } from '../../deliveries/index.ts';
import type { Webhooks } from '../../webhooks/index.ts';
import { featureIsOff } from '../errors.ts';
import type { DashboardHandlers } from '../request.ts';

type Deps = {
  webhooks: Webhooks;
  deliveryLog: DeliveryLog;
  replays: Replays;
  testEvents: TestEvents;
  /** What is switched off for an account, by itself or by the deployment. */
  featuresOff(accountId: string): Promise<readonly Feature[]>;
};

type Handlers = DashboardHandlers<keyof WebhookAnswers>;

/** Webhooks, their deliveries and replays, as people see and change them. Where the feature is off each is a 404 that says so. */
export function webhookHandlers(deps: Deps): Handlers {
  return guarded(
    { ...endpointHandlers(deps), ...deliveryHandlers(deps), ...replayHandlers(deps) },
    deps,
  );
}

function guarded(handlers: Handlers, { featuresOff }: Pick<Deps, 'featuresOff'>): Handlers {
  type Handle = (request: { accountId: string }) => Promise<unknown>;
  const entries = Object.entries(handlers as unknown as Record<string, Handle>).map(
    ([name, handle]): [string, Handle] => [
      name,
      async (request) => {
        if ((await featuresOff(request.accountId)).includes('webhooks')) {
          throw featureIsOff('Webhooks are');
        }
        return handle(request);
      },
    ],
  );
  return Object.fromEntries(entries) as unknown as Handlers;
}

function endpointHandlers({ webhooks, deliveryLog, testEvents }: Deps) {
  async function withHealth(accountId: string, found: Webhook[]): Promise<WebhookWithHealth[]> {
    const health = await deliveryLog.health(
      accountId,
      found.map(({ id }) => id),
    );
    return found.map((webhook) => {
      const { failures = 0, waiting = 0, nextAttemptAt = null } = health.get(webhook.id) ?? {};
      return { ...webhook, health: { failures, waiting, next_attempt_at: nextAttemptAt } };
    });
  }

  return {
    listWebhooks: async ({ accountId }) => ({
      webhooks: await withHealth(accountId, await all(webhooks, accountId)),
    }),
    createWebhook: ({ accountId, body }) => webhooks.create(accountId, body),
    async getWebhook({ accountId, params }) {
      const found = await webhooks.get(accountId, params.webhook);
      const [shown] = await withHealth(accountId, [found]);
      return shown as WebhookWithHealth;
    },
    changeWebhook: ({ accountId, params, body }) =>
      webhooks.update(accountId, params.webhook, body),
    deleteWebhook: ({ accountId, params }) => webhooks.remove(accountId, params.webhook),
    rotateWebhookSecret: ({ accountId, params }) =>
      webhooks.rotateSecret(accountId, params.webhook),
    testWebhook: ({ accountId, params, body }) => testEvents.send(accountId, params.webhook, body),
  } satisfies Partial<Handlers>;
}

/** An account has few enough webhooks to look at all of them. */
async function all(webhooks: Webhooks, accountId: string): Promise<Webhook[]> {
  const found: Webhook[] = [];
  let after: string | undefined;
  do {
    const page = await webhooks.list(accountId, { limit: 1_000, after });
    found.push(...page.data);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined);
  return found;
}

function deliveryHandlers({ deliveryLog }: Deps) {
  return {
    listDeliveries: ({ accountId, params, query }) =>
      deliveryLog.list(accountId, params.webhook, {
        ...query,
        limit: query.limit ?? LIMITS.listDefault,
      }),
    async getDelivery({ accountId, params }) {
      const found = await deliveryLog.get(accountId, params.webhook, params.delivery);
      const event = parseJson(found.event) as WebhookAnswers['getDelivery']['event'];
      return { ...found.delivery, event, attempts: found.attempts };
    },
    retryDelivery: ({ accountId, params }) =>
      deliveryLog.retry(accountId, params.webhook, params.delivery),
  } satisfies Partial<Handlers>;
}

function replayHandlers({ replays }: Deps) {
  return {
    async listReplays({ accountId, params }) {
      const page = await replays.list(accountId, params.webhook, { limit: LIMITS.listDefault });
      return { replays: page.data };
    },
    startReplay: ({ accountId, params, body }) => replays.create(accountId, params.webhook, body),
    cancelReplay: ({ accountId, params }) =>
      replays.cancel(accountId, params.webhook, params.replay),
  } satisfies Partial<Handlers>;
}
