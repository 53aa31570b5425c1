import { EVENT_TYPES, EVENTS, type EventType } from '@leadwire/contract';
import { LEAD_EXAMPLES } from './examples/leads.ts';
import { eventName } from './named.ts';
import { type Json, type JsonObject, schemaOf } from './schemas.ts';

const { stored, upserted, patched } = LEAD_EXAMPLES;
const EVENT_ID = 'evt_019bc1a58f3c7a80b6e2d4f60718293a';

type Note = { summary: string; timestamp: string; data: object };

const campaign = (state: string) => ({
  campaign: { id: 1, account_id: stored.account_id, name: 'Spring', state },
});
const converted = { ...patched, status: 'converted' };

const NOTES: Record<EventType, Note> = {
  'lead.created': {
    summary: 'A lead was inserted, whichever path it came by',
    timestamp: stored.created_at,
    data: { lead: stored, changed: [] },
  },
  'lead.updated': {
    summary: 'A lead really changed: an upsert, a PATCH or the dashboard; never on deduped',
    timestamp: upserted.updated_at,
    data: { lead: upserted, changed: ['email'] },
  },
  'lead.converted': {
    summary: 'The status of a lead became converted; beside lead.updated or lead.created',
    timestamp: patched.updated_at,
    data: { lead: converted, changed: ['status'] },
  },
  'campaign.started': {
    summary: 'A campaign was activated',
    timestamp: '2026-01-15T09:00:00.000001Z',
    data: campaign('active'),
  },
  'campaign.paused': {
    summary: 'A campaign was paused',
    timestamp: '2026-01-31T18:00:00.000001Z',
    data: campaign('paused'),
  },
};

const header = (name: string, description: string, example: string): Json => ({
  ...{ name, in: 'header', required: true, description, schema: { type: 'string' }, example },
});

/** Signed as Standard Webhooks 1.0.0 wants it. */
const HEADERS = [
  header('webhook-id', 'The id of the event, the same on every retry.', EVENT_ID),
  header('webhook-timestamp', 'Unix seconds of this attempt.', '1768473000'),
  header(
    'webhook-signature',
    '`v1,<base64>` of HMAC-SHA256 over `id.timestamp.body` with the secret of the webhook; space-separated while two secrets are valid.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** The webhooks section: what the service posts to the URLs that partners registered, for each event. */
export const webhooks = (): JsonObject =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: delivery(type, NOTES[type]) }]));

function delivery(type: EventType, { summary, timestamp, data }: Note): Json {
  const { account_id } = stored;
  const value = { id: EVENT_ID, type, timestamp, account_id, data } as unknown as Json;
  return {
    ...{ operationId: `on${eventName(type)}`, summary, tags: ['Events'], security: [] },
    description: 'Delivered at least once.',
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemaOf(EVENTS[type], 'answer'),
          examples: { event: { value } },
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. Answer within 15 seconds; the body is not used.' },
      410: { description: 'Gone: the webhook is set inactive.' },
      default: { description: 'Not received: sent again later.' },
    },
  };
}
