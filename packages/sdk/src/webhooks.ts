import { isPageOf } from './answer-shape.ts';
import { NotFoundError } from './errors.ts';
import type { CallOptions } from './options.ts';
import { pagesOf } from './pages.ts';
import { segment } from './path.ts';
import type { ApiRequest, Transport } from './transport.ts';
import type {
  CreatedWebhook,
  DeletedWebhook,
  Delivery,
  DeliveryDetail,
  DeliveryListAnswer,
  DeliveryListQuery,
  Replay,
  ReplayInput,
  ReplayListAnswer,
  ReplayListQuery,
  RotatedWebhook,
  TestEventAnswer,
  TestEventInput,
  Webhook,
  WebhookInput,
  WebhookListAnswer,
  WebhookListQuery,
  WebhookPatch,
} from './types.generated.ts';

/** Registered endpoints, and what became of the events that went to them. Pages have `data` and `nextCursor`. */
export type Webhooks = {
  /** Registers an endpoint. The answer shows its secret, once. Tried again after 429 only: it may have been carried out. */
  create(webhook: WebhookInput, options?: CallOptions): Promise<CreatedWebhook>;
  /** Newest first. */
  list(query?: WebhookListQuery, options?: CallOptions): AsyncIterable<WebhookListAnswer>;
  get(id: string, options?: CallOptions): Promise<Webhook>;
  /** Fields that are left out stay; `{ active: false }` stops it, `{ active: true }` starts it again. */
  update(id: string, changes: WebhookPatch, options?: CallOptions): Promise<Webhook>;
  /** For good; nothing further is sent to it. */
  delete(id: string, options?: CallOptions): Promise<DeletedWebhook>;
  /** A new secret, shown once; the one before signs too for 24 h. Tried again after 429 only: a second rotation would end that. */
  rotateSecret(id: string, options?: CallOptions): Promise<RotatedWebhook>;
  /** Sends a sample event now and waits for what the endpoint answers. Tried again after 429 only. */
  test(id: string, input?: TestEventInput, options?: CallOptions): Promise<TestEventAnswer>;
  /** Newest first. A page can be short, or empty, and more exist all the same: go by nextCursor, as the iteration does. */
  deliveries(
    id: string,
    query?: DeliveryListQuery,
    options?: CallOptions,
  ): AsyncIterable<DeliveryListAnswer>;
  /** One delivery with the body that is sent and every attempt. */
  delivery(id: string, deliveryId: string, options?: CallOptions): Promise<DeliveryDetail>;
  /** Has a delivery sent again. */
  retryDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<Delivery>;
  /** Has the events of a time range sent again. Tried again after 429 only. */
  replay(id: string, range: ReplayInput, options?: CallOptions): Promise<Replay>;
  /** Newest first. */
  replays(
    id: string,
    query?: ReplayListQuery,
    options?: CallOptions,
  ): AsyncIterable<ReplayListAnswer>;
  /** How far a replay has come. */
  getReplay(id: string, replayId: string, options?: CallOptions): Promise<Replay>;
  /** Stops a replay; one that is done stays done. */
  cancelReplay(id: string, replayId: string, options?: CallOptions): Promise<Replay>;
};

const WEBHOOKS = '/api/v1/webhooks';
const pathOf = (id: string): string => `${WEBHOOKS}/${segment(id)}`;

type Ask = ReturnType<typeof asker>;
type List = ReturnType<typeof lister>;

export function createWebhooks(transport: Transport): Webhooks {
  const ask = asker(transport);
  const list = lister(ask);
  return { ...registration(ask, list), ...deliveries(ask, list), ...replays(ask, list) };
}

function asker(transport: Transport) {
  return async <T>(request: ApiRequest, options?: CallOptions): Promise<T> => {
    const bearer = { ...request, takesHmac: false };
    return (await transport.request<T>(bearer, transport.budget(options))).body;
  };
}

type Page = { nextCursor: string | null };

function lister(ask: Ask) {
  return <P extends Page>(
    path: () => string,
    query: Record<string, string | number | undefined> = {},
    options?: CallOptions,
  ): AsyncIterable<P> =>
    pagesOf<P>(
      (behind) => {
        const cursor = behind ?? query.cursor;
        const isAnswer = isPageOf('data');
        return ask<P>(
          { method: 'GET', path: path(), query: { ...query, cursor }, isAnswer },
          options,
        );
      },
      ({ nextCursor }) => nextCursor,
    );
}

type Registration = 'create' | 'list' | 'get' | 'update' | 'delete' | 'rotateSecret' | 'test';

function registration(ask: Ask, list: List): Pick<Webhooks, Registration> {
  const once = { method: 'POST', isRepeatable: false } as const;
  return {
    create: (body, options) => ask({ ...once, path: WEBHOOKS, body }, options),
    list: (query, options) => list(() => WEBHOOKS, { ...query }, options),
    get: async (id, options) => ask({ method: 'GET', path: pathOf(id) }, options),
    update: async (id, body, options) => ask({ method: 'PATCH', path: pathOf(id), body }, options),
    delete: async (id, options) =>
      ask<DeletedWebhook>({ method: 'DELETE', path: pathOf(id) }, options).catch((error) => {
        // Gone at a later try: by the one before, whose answer was lost.
        if (error instanceof NotFoundError && error.attempts > 1) return { id, deleted: true };
        throw error;
      }),
    rotateSecret: async (id, options) =>
      ask({ ...once, path: `${pathOf(id)}/rotate-secret` }, options),
    test: async (id, body, options) => ask({ ...once, path: `${pathOf(id)}/test`, body }, options),
  };
}

function deliveries(
  ask: Ask,
  list: List,
): Pick<Webhooks, 'deliveries' | 'delivery' | 'retryDelivery'> {
  const path = (id: string, deliveryId: string) =>
    `${pathOf(id)}/deliveries/${segment(deliveryId)}`;
  return {
    deliveries: (id, query, options) =>
      list(() => `${pathOf(id)}/deliveries`, { ...query }, options),
    delivery: async (id, deliveryId, options) =>
      ask({ method: 'GET', path: path(id, deliveryId) }, options),
    retryDelivery: async (id, deliveryId, options) =>
      ask({ method: 'POST', path: `${path(id, deliveryId)}/retry` }, options),
  };
}

function replays(
  ask: Ask,
  list: List,
): Pick<Webhooks, 'replay' | 'replays' | 'getReplay' | 'cancelReplay'> {
  const path = (id: string, replayId: string) => `${pathOf(id)}/replays/${segment(replayId)}`;
  return {
    replay: async (id, body, options) =>
      ask({ method: 'POST', path: `${pathOf(id)}/replay`, body, isRepeatable: false }, options),
    replays: (id, query, options) => list(() => `${pathOf(id)}/replays`, { ...query }, options),
    getReplay: async (id, replayId, options) =>
      ask({ method: 'GET', path: path(id, replayId) }, options),
    cancelReplay: async (id, replayId, options) =>
      ask({ method: 'POST', path: `${path(id, replayId)}/cancel` }, options),
  };
}
