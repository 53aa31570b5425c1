import Type, { type Static } from 'typebox';
import { CONTENT_FIELDS, type ContentField } from './content.ts';
import { campaignId, externalLeadId } from './lead.ts';
import { LIMITS } from './limits.ts';
import { PATCHABLE_FIELDS } from './names.ts';

const RECONCILE_RESULTS = ['agrees', 'differs', 'missing'] as const;
export type ReconcileResult = (typeof RECONCILE_RESULTS)[number];

/** One row of it: a lead as the partner knows it. */
export const ReconcileRow = Type.Object(
  {
    campaign_id: campaignId,
    external_lead_id: externalLeadId,
    content_hash: Type.String({
      format: 'content-hash',
      description:
        'Lower-case hex SHA-256 of the canonical JSON (RFC 8785) of `fields` as they are stored.',
    }),
  },
  { additionalProperties: false },
);
export type ReconcileRow = Static<typeof ReconcileRow>;

/** Body of POST /api/v1/insertion/leads/reconcile. */
export const ReconcileInput = Type.Object(
  {
    leads: Type.Array(ReconcileRow, {
      minItems: 1,
      maxItems: LIMITS.batchLeads,
      description: 'The leads as you know them.',
    }),
    fields: Type.Optional(
      Type.Array(Type.Unsafe<ContentField>({ type: 'string', enum: [...PATCHABLE_FIELDS] }), {
        minItems: 1,
        maxItems: PATCHABLE_FIELDS.length,
        uniqueItems: true,
        description: `What the hashes cover; all but status where it is left out: ${CONTENT_FIELDS.join(', ')}.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type ReconcileInput = Static<typeof ReconcileInput>;

const count = Type.Integer({ minimum: 0 });

export const ReconcileAnswer = Type.Object(
  {
    ok: Type.Unsafe<true>({ type: 'boolean', const: true }),
    results: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ description: 'Which row, from 0.' }),
          result: Type.Unsafe<ReconcileResult>({
            type: 'string',
            enum: [...RECONCILE_RESULTS],
            description:
              'agrees: stored with this content; differs: stored with another; missing: the account has no such lead.',
          }),
          lead_id: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'The UUID of the stored lead; null where it is missing.',
          }),
        },
        { additionalProperties: false },
      ),
      { description: 'In the order of the rows.' },
    ),
    counts: Type.Object(
      { agrees: count, differs: count, missing: count },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type ReconcileAnswer = Static<typeof ReconcileAnswer>;
