import Type, { type Static } from 'typebox';
import { LIMITS } from './limits.ts';
import { EVENT_TYPES, type EventType } from './names.ts';
import { nextCursorOf, pageLimit } from './pages.ts';

/** Why an attempt at a delivery failed, by how far it got. */
export const DELIVERY_ERRORS = [
  'address_refused',
  'name_not_resolved',
  'connection_failed',
  'tls_failed',
  'timeout',
  'connection_lost',
  'bad_answer',
  'redirect',
  'status',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** waiting: not tried yet; retrying: failed at least once and due again; delivered; given_up: failed for the last time. */
export const DELIVERY_STATES = ['waiting', 'retrying', 'delivered', 'given_up'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** requested: by a PATCH; gone: it answered 410; failing: five days of failures alone. */
export const INACTIVE_REASONS = ['requested', 'gone', 'failing'] as const;
export type InactiveReason = (typeof INACTIVE_REASONS)[number];

const url = Type.String({
  maxLength: 2048,
  format: 'http-url',
  description:
    'Where events are posted to: an absolute http or https URL without credentials. https only, and no private or reserved address, unless the service allows private targets.',
});

const events = Type.Array(Type.Unsafe<EventType>({ type: 'string', enum: [...EVENT_TYPES] }), {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
  description: 'Which events are sent; at least one, no repeats.',
});

const description = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 500,
  description: 'For people: what the endpoint is.',
});

const ACTIVE =
  'Inactive: kept, but nothing is sent, and events that occur meanwhile are not queued for it.';
const active = Type.Boolean({ description: ACTIVE });

/** Body of POST /api/v1/webhooks. */
export const WebhookInput = Type.Object(
  {
    url,
    events,
    description: Type.Optional(description),
    // Generators make a member with a default a required one, so that the default stands in words.
    active: Type.Optional(Type.Boolean({ description: `${ACTIVE} True where it is left out.` })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        url: 'https://crm.example.com/leadwire',
        events: ['lead.created', 'lead.updated'],
        description: 'The CRM',
      },
    ],
  },
);
export type WebhookInput = Static<typeof WebhookInput>;

/** Body of PATCH /api/v1/webhooks/:id. */
export const WebhookPatch = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    description: Type.Optional(description),
    active: Type.Optional(active),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'Fields that are left out stay as they are; null clears the description.',
    examples: [{ active: false }],
  },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

const time = (text: string) => Type.String({ format: 'date-time', description: text });

const shownWebhook = {
  id: Type.String({
    pattern: '^wh_[0-9a-f]{32}$',
    description: '`wh_` and an opaque part, assigned by the service.',
  }),
  url: Type.String({ description: 'Where events are posted to, as it was sent.' }),
  events: Type.Array(Type.Unsafe<EventType>({ type: 'string', enum: [...EVENT_TYPES] }), {
    description: 'Which events are sent, in the order in which they were given.',
  }),
  description,
  active,
  inactive_reason: Type.Unsafe<InactiveReason | null>({
    type: ['string', 'null'],
    enum: [...INACTIVE_REASONS, null],
    description:
      'Why it is inactive: requested, gone (the endpoint answered 410) or failing (five days of failures alone). Null while it is active.',
  }),
  failing_since: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Since when every request to the endpoint fails; null where the last one did not.',
  }),
  created_at: time('UTC with six decimals.'),
  updated_at: time('When it was last changed, or set inactive; UTC with six decimals.'),
};

const secret = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
  description:
    'Signs what is sent (Standard Webhooks 1.0.0): `whsec_` and base64 of 32 random bytes. Shown here and never again.',
});

export const Webhook = Type.Object(shownWebhook, { additionalProperties: false });
export type Webhook = Static<typeof Webhook>;

/** Answer to POST /api/v1/webhooks. */
export const CreatedWebhook = Type.Object(
  { ...shownWebhook, secret },
  { additionalProperties: false },
);
export type CreatedWebhook = Static<typeof CreatedWebhook>;

/** Answer to POST /api/v1/webhooks/:id/rotate-secret. */
export const RotatedWebhook = Type.Object(
  {
    ...shownWebhook,
    secret,
    previous_secret_until: time('Until then everything is signed with the secret before, too.'),
  },
  { additionalProperties: false },
);
export type RotatedWebhook = Static<typeof RotatedWebhook>;

export const DeletedWebhook = Type.Object(
  {
    id: shownWebhook.id,
    deleted: Type.Unsafe<true>({ type: 'boolean', const: true }),
  },
  { additionalProperties: false },
);
export type DeletedWebhook = Static<typeof DeletedWebhook>;

export const WebhookListAnswer = Type.Object(
  {
    data: Type.Array(Webhook),
    nextCursor: nextCursorOf(),
  },
  { additionalProperties: false },
);
export type WebhookListAnswer = Static<typeof WebhookListAnswer>;

/** Query of GET /api/v1/webhooks. */
export const WebhookListQuery = Type.Object(
  {
    limit: pageLimit(LIMITS.listDefault),
    cursor: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'nextCursor of an earlier page: webhooks created before it.',
        examples: ['wh_019bc1b07d2e7f45a1c8e9b6d5041f3a'],
      }),
    ),
  },
  { additionalProperties: false },
);
export type WebhookListQuery = Static<typeof WebhookListQuery>;

/** Path of one webhook. */
export const WebhookPath = Type.Object({
  id: Type.String({
    description: 'The id of a webhook.',
    examples: ['wh_019bc1b07d2e7f45a1c8e9b6d5041f3a'],
  }),
});
