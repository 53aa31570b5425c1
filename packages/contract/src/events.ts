import Type, { type Static, type TSchema } from 'typebox';
import { ChangedFields } from './answers.ts';
import { Lead } from './lead.ts';
import { CAMPAIGN_STATES, type EVENT_TYPES, type EventType } from './names.ts';

/** A campaign as its events show it. */
export const Campaign = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'The campaign_id of its leads.' }),
    account_id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    state: Type.Unsafe<(typeof CAMPAIGN_STATES)[number]>({
      type: 'string',
      enum: [...CAMPAIGN_STATES],
    }),
  },
  { additionalProperties: false },
);
export type Campaign = Static<typeof Campaign>;

const LeadData = Type.Object(
  { lead: Lead, changed: ChangedFields },
  { additionalProperties: false },
);
const CampaignData = Type.Object({ campaign: Campaign }, { additionalProperties: false });

const event = <T extends TSchema>(type: EventType, data: T) =>
  Type.Object(
    {
      id: Type.String({
        pattern: '^evt_',
        description: 'The same on every delivery of the event: skip an id that was seen before.',
      }),
      type: Type.Unsafe<EventType>({ type: 'string', const: type }),
      timestamp: Type.String({
        format: 'date-time',
        description: 'When it happened; UTC with six decimals.',
      }),
      account_id: Type.String({ format: 'uuid' }),
      data,
    },
    { additionalProperties: false },
  );

/** The body of an event, by its type. */
export const EVENTS = {
  'lead.created': event('lead.created', LeadData),
  'lead.updated': event('lead.updated', LeadData),
  'lead.converted': event('lead.converted', LeadData),
  'campaign.started': event('campaign.started', CampaignData),
  'campaign.paused': event('campaign.paused', CampaignData),
} satisfies Record<(typeof EVENT_TYPES)[number], unknown>;

export type Event = { [T in EventType]: Static<(typeof EVENTS)[T]> }[EventType];

/** Answer to GET /api/v1/events. */
export const EventFeedAnswer = Type.Object({
  data: Type.Array(Type.Union(Object.values(EVENTS)), {
    description: 'Oldest first; each exactly as webhooks get it.',
  }),
  nextCursor: Type.String({
    description: 'Where to go on, always: also behind an empty page, and behind the last one.',
  }),
  hasMore: Type.Boolean({
    description:
      'True: ask again at once. With `type`, a page can be short, or empty, and more exist all the same.',
  }),
});
