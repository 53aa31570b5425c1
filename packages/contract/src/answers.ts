import Type, { type Static } from 'typebox';
import { Lead, LeadPreview, LegacyLead } from './lead.ts';
import { LEAD_FIELDS, type LeadField } from './names.ts';
import { WRITE_OUTCOMES, type WriteOutcome } from './outcomes.ts';
import { nextCursorOf } from './pages.ts';

const ok = Type.Unsafe<true>({ type: 'boolean', const: true });
const nextCursor = nextCursorOf();
const leadField = Type.Unsafe<LeadField>({ type: 'string', enum: [...LEAD_FIELDS] });
export const ChangedFields = Type.Array(leadField, {
  description: 'The names of the fields that changed; empty for a new lead.',
});
const outcome = Type.Unsafe<WriteOutcome>({ type: 'string', enum: [...WRITE_OUTCOMES] });
const validateOnly = Type.Unsafe<true>({
  type: 'boolean',
  const: true,
  description: 'Nothing was written: this is what would follow.',
});

const FieldErrors = Type.Array(
  Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() }),
  { description: 'For failed validation: each failed constraint.' },
);

export const InsertAnswer = Type.Object({
  ok,
  status: outcome,
  changed: ChangedFields,
  lead: Lead,
});
export type InsertAnswer = Static<typeof InsertAnswer>;

/** Answer to a post with validate_only. */
export const ValidationAnswer = Type.Object({
  ok,
  validate_only: validateOnly,
  status: outcome,
  changed: ChangedFields,
  lead_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The lead that is known already; null where a new one would be made.',
  }),
  lead: LeadPreview,
});
export type ValidationAnswer = Static<typeof ValidationAnswer>;

export const BatchAnswer = Type.Object({
  ok,
  validate_only: Type.Optional(validateOnly),
  results: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Which row, from 0.' }),
      status: Type.Optional(outcome),
      error: Type.Optional(
        Type.String({ description: 'As in the answer to a post of this row alone.' }),
      ),
      errors: Type.Optional(FieldErrors),
      lead_id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    }),
  ),
  counts: Type.Object({
    inserted: Type.Integer(),
    patched: Type.Integer(),
    deduped: Type.Integer(),
    failed: Type.Integer(),
  }),
});
export type BatchAnswer = Static<typeof BatchAnswer>;

export const LeadListAnswer = Type.Object({ ok, leads: Type.Array(Lead), nextCursor });
export type LeadListAnswer = Static<typeof LeadListAnswer>;
export const LeadAnswer = Type.Object({ ok, lead: Lead });
export type LeadAnswer = Static<typeof LeadAnswer>;
export const PatchAnswer = Type.Object({ ok, lead: Lead, changed: ChangedFields });
export type PatchAnswer = Static<typeof PatchAnswer>;

const AUDIT_KINDS = ['inserted', 'patched', 'edited', 'erased'] as const;
const ACTOR_TYPES = ['api_key', 'user', 'form', 'operator'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

export const AuditRecord = Type.Object({
  version: Type.Integer({ description: 'Which write of the lead this was, from 1.' }),
  kind: Type.Unsafe<(typeof AUDIT_KINDS)[number]>({
    type: 'string',
    enum: [...AUDIT_KINDS],
    description:
      'inserted, patched (an upsert), edited (a PATCH) or erased (personal data blanked, here and in the records before).',
  }),
  occurred_at: Type.String({ format: 'date-time' }),
  actor: Type.Object({
    type: Type.Unsafe<(typeof ACTOR_TYPES)[number]>({
      type: 'string',
      enum: [...ACTOR_TYPES],
      description: 'An API key, somebody on the dashboard, a form, or the command line.',
    }),
    id: Type.String({ description: 'Which one; of a key the public key.' }),
  }),
  request_id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  address: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The address that the request came from.',
  }),
  changes: Type.Array(
    Type.Object({ field: leadField, before: Type.Unknown(), after: Type.Unknown() }),
  ),
});
export type AuditRecord = Static<typeof AuditRecord>;

export const HistoryAnswer = Type.Object({ ok, history: Type.Array(AuditRecord), nextCursor });
export type HistoryAnswer = Static<typeof HistoryAnswer>;

export const LegacyListAnswer = Type.Object({
  data: Type.Array(LegacyLead),
  pagination: Type.Object({
    total: Type.Integer({ description: 'Exact under every filter.' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
    has_more: Type.Boolean(),
  }),
});
export type LegacyListAnswer = Static<typeof LegacyListAnswer>;

export const ErrorAnswer = Type.Object({
  ok: Type.Unsafe<false>({ type: 'boolean', const: false }),
  error: Type.String({
    description:
      'Short, stable and machine-readable; for failed validation the comma-separated summary of the failed constraints.',
  }),
  message: Type.String({ description: 'For people: what is wrong and what to do about it.' }),
  request_id: Type.String({ description: 'As in X-Request-Id; name it when you ask for help.' }),
  errors: Type.Optional(FieldErrors),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'For the two signature errors: what a signer needs to find its mistake.',
    }),
  ),
});
export type ErrorAnswer = Static<typeof ErrorAnswer>;
