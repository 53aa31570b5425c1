import Type, { type Static } from 'typebox';
import { LeadStatusSchema } from './lead.ts';
import { LIMITS } from './limits.ts';

const limit = (fallback: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.listMax, default: fallback }));

/** Query of GET /api/v1/insertion/leads. */
export const LeadListQuery = Type.Object(
  {
    limit: limit(LIMITS.listDefault),
    cursor: Type.Optional(
      Type.String({
        maxLength: 64,
        format: 'timestamp',
        description: 'nextCursor of an earlier page: leads created strictly before it.',
      }),
    ),
    campaign_id: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.maxInt32 })),
    external_lead_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, format: 'no-control-characters' }),
    ),
  },
  { additionalProperties: false },
);
export type LeadListQuery = Static<typeof LeadListQuery>;

/** Query of GET /api/v1/insertion/leads/:id/history. */
export const HistoryQuery = Type.Object(
  {
    limit: limit(LIMITS.listDefault),
    cursor: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.maxInt32,
        description: 'nextCursor of an earlier page.',
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
      Type.String({ maxLength: 10, format: 'campaign-id', description: 'One campaign.' }),
    ),
    status: Type.Optional(LeadStatusSchema),
    limit: limit(LIMITS.legacyListDefault),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.maxInt32, default: 0 })),
    created_after: Type.Optional(
      Type.String({ maxLength: 64, format: 'timestamp', description: 'Exclusive.' }),
    ),
    created_before: Type.Optional(
      Type.String({ maxLength: 64, format: 'timestamp', description: 'Exclusive.' }),
    ),
  },
  { additionalProperties: false },
);
export type LegacyListQuery = Static<typeof LegacyListQuery>;

/** Path of one lead. */
export const LeadPath = Type.Object({
  id: Type.String({
    description: "The lead's UUID or the partner's external_lead_id, URL-encoded.",
  }),
});
