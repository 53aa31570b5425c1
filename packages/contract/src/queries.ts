import Type, { type Static } from 'typebox';
import { LeadStatusSchema } from './lead.ts';
import { LIMITS } from './limits.ts';
import { EVENT_TYPES, type LeadStatus } from './names.ts';
import { pageLimit } from './pages.ts';

/** Query of the two posts of leads. */
export const WriteQuery = Type.Object({
  validate_only: Type.Optional(
    Type.Unsafe<'true' | 'false'>({
      type: 'string',
      enum: ['true', 'false'],
      description:
        'true: every check and the outcome that would follow, always with 200; nothing is written and no event occurs.',
      examples: ['false'],
    }),
  ),
});
export type WriteQuery = Static<typeof WriteQuery>;

/** Query of GET /api/v1/insertion/leads. */
export const LeadListQuery = Type.Object(
  {
    limit: pageLimit(LIMITS.listDefault),
    cursor: Type.Optional(
      Type.String({
        maxLength: 64,
        format: 'timestamp',
        description: 'nextCursor of an earlier page: leads created strictly before it.',
        examples: ['2026-01-15T10:30:00.123456Z'],
      }),
    ),
    campaign_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.maxInt32,
        description: 'One campaign.',
        examples: [1],
      }),
    ),
    external_lead_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        format: 'no-control-characters',
        description: 'One id of yours; in several campaigns it can stand for several leads.',
        examples: ['partner-0001'],
      }),
    ),
  },
  { additionalProperties: false },
);
export type LeadListQuery = Static<typeof LeadListQuery>;

/** Query of GET /api/v1/insertion/leads/:id/history. */
export const HistoryQuery = Type.Object(
  {
    limit: pageLimit(LIMITS.listDefault),
    cursor: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.maxInt32,
        description: 'nextCursor of an earlier page: records of earlier versions.',
        examples: [2],
      }),
    ),
  },
  { additionalProperties: false },
);
export type HistoryQuery = Static<typeof HistoryQuery>;

/** Query of GET /api/v1/leads. */
export const LegacyListQuery = Type.Object(
  {
    campaign_id: Type.Optional(
      Type.String({
        maxLength: 10,
        format: 'campaign-id',
        description: 'One campaign.',
        examples: ['1'],
      }),
    ),
    status: Type.Optional(
      Type.Unsafe<LeadStatus>({
        ...LeadStatusSchema,
        description: 'Leads of one status.',
        examples: ['new'],
      }),
    ),
    limit: pageLimit(LIMITS.legacyListDefault),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.maxInt32,
        default: 0,
        description: 'How many of the newest to pass over.',
        examples: [20],
      }),
    ),
    created_after: Type.Optional(
      Type.String({
        maxLength: 64,
        format: 'timestamp',
        description: 'Leads created later than this; ISO 8601 with an offset or Z.',
        examples: ['2026-01-01T00:00:00Z'],
      }),
    ),
    created_before: Type.Optional(
      Type.String({
        maxLength: 64,
        format: 'timestamp',
        description: 'Leads created earlier than this; ISO 8601 with an offset or Z.',
        examples: ['2030-01-01T00:00:00Z'],
      }),
    ),
  },
  { additionalProperties: false },
);
export type LegacyListQuery = Static<typeof LegacyListQuery>;

/** Path of one lead. */
export const LeadPath = Type.Object({
  id: Type.String({
    description:
      "The lead's UUID or the partner's external_lead_id, URL-encoded. A UUID wins; of several leads with one external id, the newest.",
    examples: ['partner-0001'],
  }),
});

/** Query of GET /api/v1/events. */
export const EventFeedQuery = Type.Object(
  {
    limit: pageLimit(LIMITS.listDefault),
    cursor: Type.Optional(
      Type.String({
        maxLength: 128,
        description: 'nextCursor of an earlier page: the events behind it.',
        examples: ['MzIxLjAxOWJjMWE1LThmM2MtN2E4MC1iNmUyLWQ0ZjYwNzE4MjkzYQ'],
      }),
    ),
    type: Type.Optional(
      Type.String({
        maxLength: 255,
        description: `One type of events, or several, comma-separated: ${EVENT_TYPES.join(', ')}.`,
        examples: ['lead.created,lead.updated'],
      }),
    ),
    from: Type.Optional(
      Type.Unsafe<'start' | 'now'>({
        type: 'string',
        enum: ['start', 'now'],
        default: 'start',
        description:
          'Where to begin without a cursor: with the oldest event, or behind those that have happened by now (the answer is then an empty page with the cursor to go on from).',
        examples: ['start'],
      }),
    ),
  },
  { additionalProperties: false },
);
export type EventFeedQuery = Static<typeof EventFeedQuery>;
