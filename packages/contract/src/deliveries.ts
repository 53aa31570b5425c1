import Type, { type Static } from 'typebox';
import { EVENTS, type Event } from './events.ts';
import { LIMITS } from './limits.ts';
import { EVENT_TYPES, type EventType } from './names.ts';
import { nextCursorOf, pageLimit } from './pages.ts';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  type DeliveryError,
  type DeliveryState,
} from './webhooks.ts';

export const ATTEMPT_OUTCOMES = ['succeeded', 'failed', 'given_up'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export const REPLAY_STATES = ['running', 'done', 'canceled'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

const WEBHOOK_EXAMPLE = 'wh_019bc1b07d2e7f45a1c8e9b6d5041f3a';
const EVENT_EXAMPLE = 'evt_019bc1a58f3c7a80b6e2d4f60718293a';
const DELIVERY_EXAMPLE = 'dlv_AZvBpY88eoC24tT2BxgpOgGbwbB9Ln9FocjpttUEHzo';
const REPLAY_EXAMPLE = 'rpl_019bc1b2e4f07c1d8a96b5c4d3e2f1a0';

const time = (description: string) => Type.String({ format: 'date-time', description });
const nullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const eventType = Type.Unsafe<EventType>({ type: 'string', enum: [...EVENT_TYPES] });
const status = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'The HTTP status of the answer; null where none came.',
});
const error = Type.Unsafe<DeliveryError | null>({
  type: ['string', 'null'],
  enum: [...DELIVERY_ERRORS, null],
  description: 'What went wrong, by how far the attempt got; null where it succeeded.',
});
const detail = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description:
    'The same in a few words for people, e.g. ECONNREFUSED; null where the status says it all.',
});
const answer = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'The first 4 KiB of the body of the answer as text; null where none came.',
});

const deliveryFields = {
  id: Type.String({ pattern: '^dlv_', description: 'Of one event for one webhook.' }),
  webhook_id: Type.String({ pattern: '^wh_', description: 'Where it goes.' }),
  event_id: Type.String({ pattern: '^evt_', description: 'What it tells; the webhook-id.' }),
  event_type: eventType,
  state: Type.Unsafe<DeliveryState>({
    type: 'string',
    enum: [...DELIVERY_STATES],
    description:
      'waiting: not tried yet, or to be sent again by request; retrying: failed and due again; delivered; given_up: failed for the last time.',
  }),
  attempt_count: count('How many attempts the log holds; 1000 stands for more, too.'),
  created_at: time('When the event happened.'),
  last_attempt_at: nullableTime('When the newest attempt began; null before the first.'),
  last_status: status,
  last_error: error,
  next_attempt_at: nullableTime(
    'When it is due; null where nothing is to be sent. While the webhook is inactive it waits on.',
  ),
  replay_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The replay that sent it, or will; null where it is not of one.',
  }),
};

/** What becomes of one event for one webhook. */
export const Delivery = Type.Object(deliveryFields, { additionalProperties: false });
export type Delivery = Static<typeof Delivery>;

/** One request that was made for a delivery. */
export const DeliveryAttempt = Type.Object(
  {
    id: Type.String({ pattern: '^att_' }),
    number: Type.Integer({ minimum: 1, description: 'Counted from 1 through all that are kept.' }),
    started_at: time('When it began.'),
    duration_ms: count('How long the whole exchange took, in milliseconds.'),
    outcome: Type.Unsafe<AttemptOutcome>({
      type: 'string',
      enum: [...ATTEMPT_OUTCOMES],
      description: 'failed: tried again later; given_up: not.',
    }),
    url: Type.String({ description: 'Where it went: the URL of the webhook at that time.' }),
    ...{ status, error, detail, answer },
    next_attempt_at: nullableTime('When the next one was to be made.'),
  },
  { additionalProperties: false },
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

/** The same with the body that is sent and every attempt. */
export const DeliveryDetail = Type.Object(
  {
    ...deliveryFields,
    event: Type.Unsafe<Event>({ anyOf: Object.values(EVENTS), description: 'The body as sent.' }),
    attempts: Type.Array(DeliveryAttempt, {
      description: `Oldest first; the newest ${LIMITS.listMax} where there are more.`,
    }),
  },
  { additionalProperties: false },
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;

const limit = pageLimit(LIMITS.listDefault);
const nextCursor = nextCursorOf(
  'Null: the last page. Non-null: go on there, also where a filter left this page short or empty.',
);
const CURSOR_EXAMPLE = 'AZvBpY88eoC24tT2BxgpOg';
const cursor = Type.Optional(
  Type.String({
    maxLength: 64,
    description: 'nextCursor of an earlier page.',
    examples: [CURSOR_EXAMPLE],
  }),
);
const filterTime = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 64,
      format: 'timestamp',
      description: `${description}; ISO 8601 with an offset or Z.`,
      examples: [example],
    }),
  );

/** Query of GET /api/v1/webhooks/:id/deliveries. */
export const DeliveryListQuery = Type.Object(
  {
    ...{ limit, cursor },
    state: Type.Optional(
      Type.Unsafe<DeliveryState>({
        type: 'string',
        enum: [...DELIVERY_STATES],
        description: 'Deliveries in one state.',
        examples: ['given_up'],
      }),
    ),
    type: Type.Optional(
      Type.Unsafe<EventType>({
        type: 'string',
        enum: [...EVENT_TYPES],
        description: 'Deliveries of events of one type.',
        examples: ['lead.created'],
      }),
    ),
    event_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The delivery of one event.',
        examples: [EVENT_EXAMPLE],
      }),
    ),
    created_after: filterTime('Of events later than this', '2026-01-01T00:00:00Z'),
    created_before: filterTime('Of events earlier than this', '2030-01-01T00:00:00Z'),
  },
  { additionalProperties: false },
);
export type DeliveryListQuery = Static<typeof DeliveryListQuery>;
export const DeliveryListAnswer = Type.Object({ data: Type.Array(Delivery), nextCursor });

const webhookId = Type.String({ description: 'The webhook.', examples: [WEBHOOK_EXAMPLE] });

/** Path of one delivery. */
export const DeliveryPath = Type.Object({
  id: webhookId,
  delivery: Type.String({
    description: 'A delivery of this webhook.',
    examples: [DELIVERY_EXAMPLE],
  }),
});

/** Path of one replay. */
export const ReplayPath = Type.Object({
  id: webhookId,
  replay: Type.String({ description: 'A replay of this webhook.', examples: [REPLAY_EXAMPLE] }),
});

/** Body of POST /api/v1/webhooks/:id/replay. */
export const ReplayInput = Type.Object(
  {
    from: Type.String({
      maxLength: 64,
      format: 'timestamp',
      description: 'Events that happened at this time or later; ISO 8601 with an offset or Z.',
    }),
    to: Type.String({
      maxLength: 64,
      format: 'timestamp',
      description: 'Events that happened before this time, which is past.',
    }),
    events: Type.Optional(
      Type.Array(eventType, {
        minItems: 1,
        maxItems: EVENT_TYPES.length,
        uniqueItems: true,
        description: 'Types of events; those of the webhook where it is left out.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ from: '2026-01-15T00:00:00Z', to: '2026-01-16T00:00:00Z' }],
  },
);
export type ReplayInput = Static<typeof ReplayInput>;

/** Events of a time range that are sent to a webhook again. */
export const Replay = Type.Object(
  {
    id: Type.String({ pattern: '^rpl_' }),
    webhook_id: Type.String({ pattern: '^wh_' }),
    from: time('Events that happened at this time or later'),
    to: time('and before this one.'),
    events: Type.Array(eventType),
    state: Type.Unsafe<ReplayState>({
      type: 'string',
      enum: [...REPLAY_STATES],
      description:
        'running: some are still to be queued or wait to be sent; done: each was delivered or given up; canceled: what was not sent yet will not be.',
    }),
    progress: Type.Object(
      {
        position: time('Events up to this time have been looked at.'),
        queued: count('Deliveries that the replay has queued so far.'),
        already_waiting: count('Events that were waiting to be sent anyway.'),
        delivered: count(
          'Of the queued ones: delivered. What was sent again by request counts no more.',
        ),
        given_up: count('Of the queued ones: given up.'),
        waiting: count('Of the queued ones: not sent yet, or to be tried again.'),
      },
      { additionalProperties: false },
    ),
    created_at: time('When it was asked for.'),
    finished_at: nullableTime('When the last one was queued, or it was canceled.'),
  },
  { additionalProperties: false },
);
export type Replay = Static<typeof Replay>;

/** Query of GET /api/v1/webhooks/:id/replays. */
export const ReplayListQuery = Type.Object({ limit, cursor }, { additionalProperties: false });
export type ReplayListQuery = Static<typeof ReplayListQuery>;
export const ReplayListAnswer = Type.Object({ data: Type.Array(Replay), nextCursor });

/** Body of POST /api/v1/webhooks/:id/test; may be left out. */
export const TestEventInput = Type.Object(
  {
    type: Type.Optional(
      Type.Unsafe<EventType>({
        type: 'string',
        enum: [...EVENT_TYPES],
        description: 'The type of the sample; the first one of the webhook where it is left out.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ type: 'lead.created' }] },
);
export type TestEventInput = Static<typeof TestEventInput>;

export const TestEventAnswer = Type.Object(
  {
    event_id: Type.String({
      pattern: '^evt_test_',
      description: 'The webhook-id that was sent. The sample is stored nowhere.',
    }),
    succeeded: Type.Boolean({ description: 'Whether the answer was a 2xx within 15 s.' }),
    ...{ status, error, detail },
    duration_ms: count('How long the whole exchange took, in milliseconds.'),
    answer,
  },
  { additionalProperties: false },
);
export type TestEventAnswer = Static<typeof TestEventAnswer>;
