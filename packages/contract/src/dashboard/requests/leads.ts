import Type from 'typebox';
import type { AttemptOutcome } from '../../deliveries.ts';
import type { Lead } from '../../lead.ts';
import { type LeadPatch, LeadStatusSchema } from '../../lead.ts';
import { LIMITS } from '../../limits.ts';
import type { EventType, LeadStatus } from '../../names.ts';
import { pageLimit } from '../../pages.ts';
import { body, oneOf } from './parts.ts';

const time = Type.Optional(Type.String({ maxLength: 64, format: 'timestamp' }));

/** Which leads: of the list, and of an export. */
const filter = {
  /** An external id, a phone number or an e-mail address as a whole; of what is none of them, part of a name. */
  search: Type.Optional(Type.String({ maxLength: 320, format: 'no-control-characters' })),
  campaign_id: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.maxInt32 })),
  status: Type.Optional(Type.Unsafe<LeadStatus>({ ...LeadStatusSchema })),
  source: Type.Optional(Type.String({ maxLength: 255, format: 'no-control-characters' })),
  created_after: time,
  created_before: time,
};

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const leadRequests = {
  listLeads: {
    query: Type.Object(
      {
        limit: pageLimit(50),
        /** Where a page ended: `next_cursor` or `previous_cursor` of an earlier answer. */
        cursor: Type.Optional(Type.String({ maxLength: 64 })),
        ...filter,
      },
      { additionalProperties: false },
    ),
  },
  exportLeads: {
    query: Type.Object(
      { format: Type.Optional(oneOf(EXPORT_FORMATS)), ...filter },
      { additionalProperties: false },
    ),
  },
  /**
   * `version` is the one that the changes were made on: another one is a 409, whose `details.lead` is the lead as it is now.
   * `changes` is read like the body of a PATCH of the public API, so that a field has the same name in every error.
   */
  editLead: {
    body: body({
      version: Type.Integer({ minimum: 1, maximum: LIMITS.maxInt32 }),
      changes: Type.Unsafe<LeadPatch>({ type: 'object' }),
    }),
  },
  getTimeline: {
    query: Type.Object(
      { cursor: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.maxInt32 })) },
      { additionalProperties: false },
    ),
  },
  eraseLead: {
    body: body({ version: Type.Integer({ minimum: 1, maximum: LIMITS.maxInt32 }) }),
  },
} as const;

export type ShownLead = Lead & { version: number; erased_at: string | null };

export type LeadRow = Pick<
  Lead,
  | 'id'
  | 'campaign_id'
  | 'external_lead_id'
  | 'status'
  | 'phone'
  | 'email'
  | 'first_name'
  | 'last_name'
  | 'source'
  | 'created_at'
> & { erased_at: string | null };

/** Who did something: `name` is what people know them by, where the store still knows it. */
export type Actor = { type: string; id: string; name: string | null };

export type TimelineEntry =
  | {
      kind: 'change';
      at: string;
      version: number;
      /** inserted, patched, edited or erased. */
      change: string;
      actor: Actor;
      request_id: string | null;
      address: string | null;
      /** Before and after are the same where the values were erased later. */
      changes: { field: string; before: unknown; after: unknown }[];
    }
  | { kind: 'event'; at: string; event_id: string; type: EventType; version: number }
  | {
      kind: 'attempt';
      at: string;
      event_id: string;
      webhook_id: string;
      delivery_id: string;
      url: string;
      outcome: AttemptOutcome;
      status: number | null;
      error: string | null;
      detail: string | null;
      answer: string | null;
      duration_ms: number;
      next_attempt_at: string | null;
    }
  /** An event that still waits to be sent to a webhook. */
  | {
      kind: 'waiting';
      at: string;
      event_id: string;
      webhook_id: string;
      delivery_id: string;
      url: string;
      attempts: number;
    };

/** A person's consent, as a form took it: what they were shown and agreed to, when, where, and from where. */
export type LeadConsent = {
  /** The version of the lead that was written with it. */
  version: number;
  at: string;
  form_id: string;
  form_name: string;
  given: boolean;
  text: string;
  text_version: number;
  /** Blank once the person's data was erased. */
  page_url: string | null;
  address: string | null;
  user_agent: string | null;
  request_id: string;
};

export type LeadAnswers = {
  /** Newest first. */
  listConsents: { consents: LeadConsent[] };
  /** Newest first. `previous_cursor`: the page of newer ones; null on the first page. */
  listLeads: { leads: LeadRow[]; next_cursor: string | null; previous_cursor: string | null };
  getLead: ShownLead;
  editLead: { lead: ShownLead; changed: string[] };
  /**
   * Newest first: so many changes, with every event, attempt and waiting delivery that came of them. `next_cursor` has the changes before
   * those. `attempts_left_out`: there were more attempts than fit; the deliveries of the webhook have all of them.
   */
  getTimeline: {
    entries: TimelineEntry[];
    next_cursor: number | null;
    attempts_left_out: boolean;
  };
  eraseLead: { lead: ShownLead };
};
