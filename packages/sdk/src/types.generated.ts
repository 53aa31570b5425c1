/*
 * Written by `npm run docs` from the schemas of packages/contract. Change those, not this file.
 */
// biome-ignore-all format: as the generator prints it

export type EventType =
  'lead.created' | 'lead.updated' | 'lead.converted' | 'campaign.started' | 'campaign.paused';
export type LeadStatus = 'new' | 'contacted' | 'qualified' | 'converted';

export interface Schemas {
  LeadInput?: LeadInput;
  LeadPatch?: LeadPatch;
  Lead?: Lead;
  LeadPreview?: LeadPreview;
  InsertAnswer?: InsertAnswer;
  ValidationAnswer?: ValidationAnswer;
  BatchAnswer?: BatchAnswer;
  LeadListQuery?: LeadListQuery;
  LeadListAnswer?: LeadListAnswer;
  LeadAnswer?: LeadAnswer;
  PatchAnswer?: PatchAnswer;
  AuditRecord?: AuditRecord;
  HistoryQuery?: HistoryQuery;
  HistoryAnswer?: HistoryAnswer;
  ReconcileInput?: ReconcileInput;
  ReconcileAnswer?: ReconcileAnswer;
  WebhookInput?: WebhookInput;
  WebhookPatch?: WebhookPatch;
  Webhook?: Webhook;
  CreatedWebhook?: CreatedWebhook;
  RotatedWebhook?: RotatedWebhook;
  DeletedWebhook?: DeletedWebhook;
  WebhookListQuery?: WebhookListQuery;
  WebhookListAnswer?: WebhookListAnswer;
  Delivery?: Delivery;
  DeliveryAttempt?: DeliveryAttempt;
  DeliveryDetail?: DeliveryDetail;
  DeliveryListQuery?: DeliveryListQuery;
  DeliveryListAnswer?: DeliveryListAnswer;
  ReplayInput?: ReplayInput;
  Replay?: Replay;
  ReplayListQuery?: ReplayListQuery;
  ReplayListAnswer?: ReplayListAnswer;
  TestEventInput?: TestEventInput;
  TestEventAnswer?: TestEventAnswer;
  Campaign?: Campaign;
  EventFeedQuery?: EventFeedQuery;
  EventFeedAnswer?: EventFeedAnswer;
  ErrorAnswer?: ErrorAnswer;
  LeadCreatedEvent?: LeadCreatedEvent;
  LeadUpdatedEvent?: LeadUpdatedEvent;
  LeadConvertedEvent?: LeadConvertedEvent;
  CampaignStartedEvent?: CampaignStartedEvent;
  CampaignPausedEvent?: CampaignPausedEvent;
  EventType?: EventType;
  LeadStatus?: LeadStatus;
}
/**
 * At least one of phone and email must be present after every write.
 */
export interface LeadInput {
  /**
   * A campaign of the account.
   */
  campaign_id: number;
  /**
   * The partner's own id of the lead. Unique together with account and campaign: posting it again is no second lead.
   */
  external_lead_id: string;
  /**
   * International format with a leading plus sign (E.164). Spaces, dots, dashes and parentheses are removed before storing.
   */
  phone?: string | null;
  /**
   * Stored as sent; compared without regard to the case of the domain.
   */
  email?: string | null;
  /**
   * Given name.
   */
  first_name?: string | null;
  /**
   * Family name.
   */
  last_name?: string | null;
  /**
   * Where the lead came from, as you name it.
   */
  source?: string | null;
  /**
   * The page that the lead was captured on: an absolute http or https URL.
   */
  source_form_url?: string | null;
  /**
   * Whether the person agreed to be contacted (TCPA).
   */
  tcpa_consent?: boolean | null;
  /**
   * The words that the person agreed to.
   */
  tcpa_consent_text?: string | null;
  /**
   * ISO 8601 with an offset or Z; stored and shown in UTC.
   */
  tcpa_consent_timestamp?: string | null;
  /**
   * Free-form; at most 64 KiB as JSON and 16 levels deep. Merged as RFC 7396 merges: null removes a member.
   */
  custom_fields?: {
    [k: string]: unknown;
  };
  /**
   * How far the lead has come; `new` on create unless given.
   */
  status?: LeadStatus;
  /**
   * Merged as RFC 7396 merges: a part that is left out stays, null removes it.
   */
  address?: {
    street?: string | null;
    city?: string | null;
    state?: string | null;
    zip?: string | null;
  } | null;
}
/**
 * Fields that are left out stay as they are; null clears.
 */
export interface LeadPatch {
  /**
   * International format with a leading plus sign (E.164). Spaces, dots, dashes and parentheses are removed before storing.
   */
  phone?: string | null;
  /**
   * Stored as sent; compared without regard to the case of the domain.
   */
  email?: string | null;
  /**
   * Given name.
   */
  first_name?: string | null;
  /**
   * Family name.
   */
  last_name?: string | null;
  /**
   * Where the lead came from, as you name it.
   */
  source?: string | null;
  /**
   * The page that the lead was captured on: an absolute http or https URL.
   */
  source_form_url?: string | null;
  /**
   * Whether the person agreed to be contacted (TCPA).
   */
  tcpa_consent?: boolean | null;
  /**
   * The words that the person agreed to.
   */
  tcpa_consent_text?: string | null;
  /**
   * ISO 8601 with an offset or Z; stored and shown in UTC.
   */
  tcpa_consent_timestamp?: string | null;
  /**
   * Free-form; at most 64 KiB as JSON and 16 levels deep. Merged as RFC 7396 merges: null removes a member.
   */
  custom_fields?: {
    [k: string]: unknown;
  };
  /**
   * How far the lead has come; `new` on create unless given.
   */
  status?: LeadStatus;
  /**
   * Merged as RFC 7396 merges: a part that is left out stays, null removes it.
   */
  address?: {
    street?: string | null;
    city?: string | null;
    state?: string | null;
    zip?: string | null;
  } | null;
}
export interface Lead {
  /**
   * UUIDv7, assigned by the service.
   */
  id: string;
  /**
   * The owning account.
   */
  account_id: string;
  /**
   * A campaign of the account.
   */
  campaign_id: number;
  /**
   * The partner's own id of the lead.
   */
  external_lead_id: string;
  /**
   * E.164, e.g. +14155550132.
   */
  phone: string | null;
  /**
   * Stored as sent; compared without regard to the case of the domain.
   */
  email: string | null;
  /**
   * Given name.
   */
  first_name: string | null;
  /**
   * Family name.
   */
  last_name: string | null;
  /**
   * Where the lead came from, as you name it.
   */
  source: string | null;
  /**
   * The page that the lead was captured on: an absolute http or https URL.
   */
  source_form_url: string | null;
  /**
   * Whether the person agreed to be contacted (TCPA).
   */
  tcpa_consent: boolean | null;
  /**
   * The words that the person agreed to.
   */
  tcpa_consent_text: string | null;
  /**
   * ISO 8601 with an offset or Z; stored and shown in UTC.
   */
  tcpa_consent_timestamp: string | null;
  /**
   * Free-form; {} when there are none.
   */
  custom_fields: {
    [k: string]: unknown;
  };
  /**
   * How far the lead has come; `new` on create unless given.
   */
  status: LeadStatus;
  /**
   * The parts that are known; null where none is.
   */
  address: {
    street?: string;
    city?: string;
    state?: string;
    zip?: string;
  } | null;
  /**
   * UTC with six decimals; unique within an account.
   */
  created_at: string;
  /**
   * UTC with six decimals.
   */
  updated_at: string;
}
export interface LeadPreview {
  /**
   * A campaign of the account.
   */
  campaign_id: number;
  /**
   * The partner's own id of the lead.
   */
  external_lead_id: string;
  /**
   * E.164, e.g. +14155550132.
   */
  phone: string | null;
  /**
   * Stored as sent; compared without regard to the case of the domain.
   */
  email: string | null;
  /**
   * Given name.
   */
  first_name: string | null;
  /**
   * Family name.
   */
  last_name: string | null;
  /**
   * Where the lead came from, as you name it.
   */
  source: string | null;
  /**
   * The page that the lead was captured on: an absolute http or https URL.
   */
  source_form_url: string | null;
  /**
   * Whether the person agreed to be contacted (TCPA).
   */
  tcpa_consent: boolean | null;
  /**
   * The words that the person agreed to.
   */
  tcpa_consent_text: string | null;
  /**
   * ISO 8601 with an offset or Z; stored and shown in UTC.
   */
  tcpa_consent_timestamp: string | null;
  /**
   * Free-form; {} when there are none.
   */
  custom_fields: {
    [k: string]: unknown;
  };
  /**
   * How far the lead has come; `new` on create unless given.
   */
  status: LeadStatus;
  /**
   * The parts that are known; null where none is.
   */
  address: {
    street?: string;
    city?: string;
    state?: string;
    zip?: string;
  } | null;
}
export interface InsertAnswer {
  ok: true;
  status: 'inserted' | 'patched' | 'deduped';
  /**
   * The names of the fields that changed; empty for a new lead.
   */
  changed: (
    | 'campaign_id'
    | 'external_lead_id'
    | 'phone'
    | 'email'
    | 'first_name'
    | 'last_name'
    | 'source'
    | 'source_form_url'
    | 'tcpa_consent'
    | 'tcpa_consent_text'
    | 'tcpa_consent_timestamp'
    | 'custom_fields'
    | 'status'
    | 'address'
  )[];
  lead: Lead;
}
export interface ValidationAnswer {
  ok: true;
  /**
   * Nothing was written: this is what would follow.
   */
  validate_only: true;
  status: 'inserted' | 'patched' | 'deduped';
  /**
   * The names of the fields that changed; empty for a new lead.
   */
  changed: (
    | 'campaign_id'
    | 'external_lead_id'
    | 'phone'
    | 'email'
    | 'first_name'
    | 'last_name'
    | 'source'
    | 'source_form_url'
    | 'tcpa_consent'
    | 'tcpa_consent_text'
    | 'tcpa_consent_timestamp'
    | 'custom_fields'
    | 'status'
    | 'address'
  )[];
  /**
   * The lead that is known already; null where a new one would be made.
   */
  lead_id: string | null;
  lead: LeadPreview;
}
export interface BatchAnswer {
  ok: true;
  /**
   * Nothing was written: this is what would follow.
   */
  validate_only?: true;
  results: {
    /**
     * Which row, from 0.
     */
    index: number;
    status?: 'inserted' | 'patched' | 'deduped';
    /**
     * As in the answer to a post of this row alone.
     */
    error?: string;
    /**
     * For failed validation: each failed constraint.
     */
    errors?: {
      path: string;
      code: string;
      message: string;
    }[];
    lead_id: string | null;
  }[];
  counts: {
    inserted: number;
    patched: number;
    deduped: number;
    failed: number;
  };
}
export interface LeadListQuery {
  /**
   * How many at most.
   */
  limit?: number;
  /**
   * nextCursor of an earlier page: leads created strictly before it.
   */
  cursor?: string;
  /**
   * One campaign.
   */
  campaign_id?: number;
  /**
   * One id of yours; in several campaigns it can stand for several leads.
   */
  external_lead_id?: string;
}
export interface LeadListAnswer {
  ok: true;
  leads: Lead[];
  /**
   * Non-null: more exist. Null: the last page.
   */
  nextCursor: string | null;
}
export interface LeadAnswer {
  ok: true;
  lead: Lead;
}
export interface PatchAnswer {
  ok: true;
  lead: Lead;
  /**
   * The names of the fields that changed; empty for a new lead.
   */
  changed: (
    | 'campaign_id'
    | 'external_lead_id'
    | 'phone'
    | 'email'
    | 'first_name'
    | 'last_name'
    | 'source'
    | 'source_form_url'
    | 'tcpa_consent'
    | 'tcpa_consent_text'
    | 'tcpa_consent_timestamp'
    | 'custom_fields'
    | 'status'
    | 'address'
  )[];
}
export interface AuditRecord {
  /**
   * Which write of the lead this was, from 1.
   */
  version: number;
  /**
   * inserted, patched (an upsert), edited (a PATCH) or erased (personal data blanked, here and in the records before).
   */
  kind: 'inserted' | 'patched' | 'edited' | 'erased';
  occurred_at: string;
  actor: {
    /**
     * An API key, somebody on the dashboard, a form, or the command line.
     */
    type: 'api_key' | 'user' | 'form' | 'operator';
    /**
     * Which one; of a key the public key.
     */
    id: string;
  };
  request_id: string | null;
  /**
   * The address that the request came from.
   */
  address: string | null;
  changes: {
    field:
      | 'campaign_id'
      | 'external_lead_id'
      | 'phone'
      | 'email'
      | 'first_name'
      | 'last_name'
      | 'source'
      | 'source_form_url'
      | 'tcpa_consent'
      | 'tcpa_consent_text'
      | 'tcpa_consent_timestamp'
      | 'custom_fields'
      | 'status'
      | 'address';
    before: unknown;
    after: unknown;
  }[];
}
export interface HistoryQuery {
  /**
   * How many at most.
   */
  limit?: number;
  /**
   * nextCursor of an earlier page: records of earlier versions.
   */
  cursor?: number;
}
export interface HistoryAnswer {
  ok: true;
  history: AuditRecord[];
  /**
   * Non-null: more exist. Null: the last page.
   */
  nextCursor: string | null;
}
export interface ReconcileInput {
  /**
   * The leads as you know them.
   *
   * @minItems 1
   * @maxItems 1000
   */
  leads: {
    /**
     * A campaign of the account.
     */
    campaign_id: number;
    /**
     * The partner's own id of the lead. Unique together with account and campaign: posting it again is no second lead.
     */
    external_lead_id: string;
    /**
     * Lower-case hex SHA-256 of the canonical JSON (RFC 8785) of `fields` as they are stored.
     */
    content_hash: string;
  }[];
  /**
   * What the hashes cover; all but status where it is left out: phone, email, first_name, last_name, source, source_form_url, tcpa_consent, tcpa_consent_text, tcpa_consent_timestamp, custom_fields, address.
   *
   * @minItems 1
   * @maxItems 12
   */
  fields?: (
    | 'phone'
    | 'email'
    | 'first_name'
    | 'last_name'
    | 'source'
    | 'source_form_url'
    | 'tcpa_consent'
    | 'tcpa_consent_text'
    | 'tcpa_consent_timestamp'
    | 'custom_fields'
    | 'status'
    | 'address'
  )[];
}
export interface ReconcileAnswer {
  ok: true;
  /**
   * In the order of the rows.
   */
  results: {
    /**
     * Which row, from 0.
     */
    index: number;
    /**
     * agrees: stored with this content; differs: stored with another; missing: the account has no such lead.
     */
    result: 'agrees' | 'differs' | 'missing';
    /**
     * The UUID of the stored lead; null where it is missing.
     */
    lead_id: string | null;
  }[];
  counts: {
    agrees: number;
    differs: number;
    missing: number;
  };
}
export interface WebhookInput {
  /**
   * Where events are posted to: an absolute http or https URL without credentials. https only, and no private or reserved address, unless the service allows private targets.
   */
  url: string;
  /**
   * Which events are sent; at least one, no repeats.
   *
   * @minItems 1
   * @maxItems 5
   */
  events: EventType[];
  /**
   * For people: what the endpoint is.
   */
  description?: string | null;
  /**
   * Inactive: kept, but nothing is sent, and events that occur meanwhile are not queued for it. True where it is left out.
   */
  active?: boolean;
}
/**
 * Fields that are left out stay as they are; null clears the description.
 */
export interface WebhookPatch {
  /**
   * Where events are posted to: an absolute http or https URL without credentials. https only, and no private or reserved address, unless the service allows private targets.
   */
  url?: string;
  /**
   * Which events are sent; at least one, no repeats.
   *
   * @minItems 1
   * @maxItems 5
   */
  events?: EventType[];
  /**
   * For people: what the endpoint is.
   */
  description?: string | null;
  /**
   * Inactive: kept, but nothing is sent, and events that occur meanwhile are not queued for it.
   */
  active?: boolean;
}
export interface Webhook {
  /**
   * `wh_` and an opaque part, assigned by the service.
   */
  id: string;
  /**
   * Where events are posted to, as it was sent.
   */
  url: string;
  /**
   * Which events are sent, in the order in which they were given.
   */
  events: EventType[];
  /**
   * For people: what the endpoint is.
   */
  description: string | null;
  /**
   * Inactive: kept, but nothing is sent, and events that occur meanwhile are not queued for it.
   */
  active: boolean;
  /**
   * Why it is inactive: requested, gone (the endpoint answered 410) or failing (five days of failures alone). Null while it is active.
   */
  inactive_reason: 'requested' | 'gone' | 'failing' | null;
  /**
   * Since when every request to the endpoint fails; null where the last one did not.
   */
  failing_since: string | null;
  /**
   * UTC with six decimals.
   */
  created_at: string;
  /**
   * When it was last changed, or set inactive; UTC with six decimals.
   */
  updated_at: string;
}
export interface CreatedWebhook {
  /**
   * `wh_` and an opaque part, assigned by the service.
   */
  id: string;
  /**
   * Where events are posted to, as it was sent.
   */
  url: string;
  /**
   * Which events are sent, in the order in which they were given.
   */
  events: EventType[];
  /**
   * For people: what the endpoint is.
   */
  description: string | null;
  /**
   * Inactive: kept, but nothing is sent, and events that occur meanwhile are not queued for it.
   */
  active: boolean;
  /**
   * Why it is inactive: requested, gone (the endpoint answered 410) or failing (five days of failures alone). Null while it is active.
   */
  inactive_reason: 'requested' | 'gone' | 'failing' | null;
  /**
   * Since when every request to the endpoint fails; null where the last one did not.
   */
  failing_since: string | null;
  /**
   * UTC with six decimals.
   */
  created_at: string;
  /**
   * When it was last changed, or set inactive; UTC with six decimals.
   */
  updated_at: string;
  /**
   * Signs what is sent (Standard Webhooks 1.0.0): `whsec_` and base64 of 32 random bytes. Shown here and never again.
   */
  secret: string;
}
export interface RotatedWebhook {
  /**
   * `wh_` and an opaque part, assigned by the service.
   */
  id: string;
  /**
   * Where events are posted to, as it was sent.
   */
  url: string;
  /**
   * Which events are sent, in the order in which they were given.
   */
  events: EventType[];
  /**
   * For people: what the endpoint is.
   */
  description: string | null;
  /**
   * Inactive: kept, but nothing is sent, and events that occur meanwhile are not queued for it.
   */
  active: boolean;
  /**
   * Why it is inactive: requested, gone (the endpoint answered 410) or failing (five days of failures alone). Null while it is active.
   */
  inactive_reason: 'requested' | 'gone' | 'failing' | null;
  /**
   * Since when every request to the endpoint fails; null where the last one did not.
   */
  failing_since: string | null;
  /**
   * UTC with six decimals.
   */
  created_at: string;
  /**
   * When it was last changed, or set inactive; UTC with six decimals.
   */
  updated_at: string;
  /**
   * Signs what is sent (Standard Webhooks 1.0.0): `whsec_` and base64 of 32 random bytes. Shown here and never again.
   */
  secret: string;
  /**
   * Until then everything is signed with the secret before, too.
   */
  previous_secret_until: string;
}
export interface DeletedWebhook {
  /**
   * `wh_` and an opaque part, assigned by the service.
   */
  id: string;
  deleted: true;
}
export interface WebhookListQuery {
  /**
   * How many at most.
   */
  limit?: number;
  /**
   * nextCursor of an earlier page: webhooks created before it.
   */
  cursor?: string;
}
export interface WebhookListAnswer {
  data: Webhook[];
  /**
   * Non-null: more exist. Null: the last page.
   */
  nextCursor: string | null;
}
export interface Delivery {
  /**
   * Of one event for one webhook.
   */
  id: string;
  /**
   * Where it goes.
   */
  webhook_id: string;
  /**
   * What it tells; the webhook-id.
   */
  event_id: string;
  event_type: EventType;
  /**
   * waiting: not tried yet, or to be sent again by request; retrying: failed and due again; delivered; given_up: failed for the last time.
   */
  state: 'waiting' | 'retrying' | 'delivered' | 'given_up';
  /**
   * How many attempts the log holds; 1000 stands for more, too.
   */
  attempt_count: number;
  /**
   * When the event happened.
   */
  created_at: string;
  /**
   * When the newest attempt began; null before the first.
   */
  last_attempt_at: string | null;
  /**
   * The HTTP status of the answer; null where none came.
   */
  last_status: number | null;
  /**
   * What went wrong, by how far the attempt got; null where it succeeded.
   */
  last_error:
    | 'address_refused'
    | 'name_not_resolved'
    | 'connection_failed'
    | 'tls_failed'
    | 'timeout'
    | 'connection_lost'
    | 'bad_answer'
    | 'redirect'
    | 'status'
    | null;
  /**
   * When it is due; null where nothing is to be sent. While the webhook is inactive it waits on.
   */
  next_attempt_at: string | null;
  /**
   * The replay that sent it, or will; null where it is not of one.
   */
  replay_id: string | null;
}
export interface DeliveryAttempt {
  id: string;
  /**
   * Counted from 1 through all that are kept.
   */
  number: number;
  /**
   * When it began.
   */
  started_at: string;
  /**
   * How long the whole exchange took, in milliseconds.
   */
  duration_ms: number;
  /**
   * failed: tried again later; given_up: not.
   */
  outcome: 'succeeded' | 'failed' | 'given_up';
  /**
   * Where it went: the URL of the webhook at that time.
   */
  url: string;
  /**
   * The HTTP status of the answer; null where none came.
   */
  status: number | null;
  /**
   * What went wrong, by how far the attempt got; null where it succeeded.
   */
  error:
    | 'address_refused'
    | 'name_not_resolved'
    | 'connection_failed'
    | 'tls_failed'
    | 'timeout'
    | 'connection_lost'
    | 'bad_answer'
    | 'redirect'
    | 'status'
    | null;
  /**
   * The same in a few words for people, e.g. ECONNREFUSED; null where the status says it all.
   */
  detail: string | null;
  /**
   * The first 4 KiB of the body of the answer as text; null where none came.
   */
  answer: string | null;
  /**
   * When the next one was to be made.
   */
  next_attempt_at: string | null;
}
export interface DeliveryDetail {
  /**
   * Of one event for one webhook.
   */
  id: string;
  /**
   * Where it goes.
   */
  webhook_id: string;
  /**
   * What it tells; the webhook-id.
   */
  event_id: string;
  event_type: EventType;
  /**
   * waiting: not tried yet, or to be sent again by request; retrying: failed and due again; delivered; given_up: failed for the last time.
   */
  state: 'waiting' | 'retrying' | 'delivered' | 'given_up';
  /**
   * How many attempts the log holds; 1000 stands for more, too.
   */
  attempt_count: number;
  /**
   * When the event happened.
   */
  created_at: string;
  /**
   * When the newest attempt began; null before the first.
   */
  last_attempt_at: string | null;
  /**
   * The HTTP status of the answer; null where none came.
   */
  last_status: number | null;
  /**
   * What went wrong, by how far the attempt got; null where it succeeded.
   */
  last_error:
    | 'address_refused'
    | 'name_not_resolved'
    | 'connection_failed'
    | 'tls_failed'
    | 'timeout'
    | 'connection_lost'
    | 'bad_answer'
    | 'redirect'
    | 'status'
    | null;
  /**
   * When it is due; null where nothing is to be sent. While the webhook is inactive it waits on.
   */
  next_attempt_at: string | null;
  /**
   * The replay that sent it, or will; null where it is not of one.
   */
  replay_id: string | null;
  /**
   * The body as sent.
   */
  event:
    | LeadCreatedEvent
    | LeadUpdatedEvent
    | LeadConvertedEvent
    | CampaignStartedEvent
    | CampaignPausedEvent;
  /**
   * Oldest first; the newest 100 where there are more.
   */
  attempts: DeliveryAttempt[];
}
export interface LeadCreatedEvent {
  /**
   * The same on every delivery of the event: skip an id that was seen before.
   */
  id: string;
  type: 'lead.created';
  /**
   * When it happened; UTC with six decimals.
   */
  timestamp: string;
  account_id: string;
  data: {
    lead: Lead;
    /**
     * The names of the fields that changed; empty for a new lead.
     */
    changed: (
      | 'campaign_id'
      | 'external_lead_id'
      | 'phone'
      | 'email'
      | 'first_name'
      | 'last_name'
      | 'source'
      | 'source_form_url'
      | 'tcpa_consent'
      | 'tcpa_consent_text'
      | 'tcpa_consent_timestamp'
      | 'custom_fields'
      | 'status'
      | 'address'
    )[];
  };
}
export interface LeadUpdatedEvent {
  /**
   * The same on every delivery of the event: skip an id that was seen before.
   */
  id: string;
  type: 'lead.updated';
  /**
   * When it happened; UTC with six decimals.
   */
  timestamp: string;
  account_id: string;
  data: {
    lead: Lead;
    /**
     * The names of the fields that changed; empty for a new lead.
     */
    changed: (
      | 'campaign_id'
      | 'external_lead_id'
      | 'phone'
      | 'email'
      | 'first_name'
      | 'last_name'
      | 'source'
      | 'source_form_url'
      | 'tcpa_consent'
      | 'tcpa_consent_text'
      | 'tcpa_consent_timestamp'
      | 'custom_fields'
      | 'status'
      | 'address'
    )[];
  };
}
export interface LeadConvertedEvent {
  /**
   * The same on every delivery of the event: skip an id that was seen before.
   */
  id: string;
  type: 'lead.converted';
  /**
   * When it happened; UTC with six decimals.
   */
  timestamp: string;
  account_id: string;
  data: {
    lead: Lead;
    /**
     * The names of the fields that changed; empty for a new lead.
     */
    changed: (
      | 'campaign_id'
      | 'external_lead_id'
      | 'phone'
      | 'email'
      | 'first_name'
      | 'last_name'
      | 'source'
      | 'source_form_url'
      | 'tcpa_consent'
      | 'tcpa_consent_text'
      | 'tcpa_consent_timestamp'
      | 'custom_fields'
      | 'status'
      | 'address'
    )[];
  };
}
export interface CampaignStartedEvent {
  /**
   * The same on every delivery of the event: skip an id that was seen before.
   */
  id: string;
  type: 'campaign.started';
  /**
   * When it happened; UTC with six decimals.
   */
  timestamp: string;
  account_id: string;
  data: {
    campaign: Campaign;
  };
}
export interface Campaign {
  /**
   * The campaign_id of its leads.
   */
  id: number;
  account_id: string;
  name: string;
  state: 'draft' | 'active' | 'paused';
}
export interface CampaignPausedEvent {
  /**
   * The same on every delivery of the event: skip an id that was seen before.
   */
  id: string;
  type: 'campaign.paused';
  /**
   * When it happened; UTC with six decimals.
   */
  timestamp: string;
  account_id: string;
  data: {
    campaign: Campaign;
  };
}
export interface DeliveryListQuery {
  /**
   * How many at most.
   */
  limit?: number;
  /**
   * nextCursor of an earlier page.
   */
  cursor?: string;
  /**
   * Deliveries in one state.
   */
  state?: 'waiting' | 'retrying' | 'delivered' | 'given_up';
  /**
   * Deliveries of events of one type.
   */
  type?: EventType;
  /**
   * The delivery of one event.
   */
  event_id?: string;
  /**
   * Of events later than this; ISO 8601 with an offset or Z.
   */
  created_after?: string;
  /**
   * Of events earlier than this; ISO 8601 with an offset or Z.
   */
  created_before?: string;
}
export interface DeliveryListAnswer {
  data: Delivery[];
  /**
   * Null: the last page. Non-null: go on there, also where a filter left this page short or empty.
   */
  nextCursor: string | null;
}
export interface ReplayInput {
  /**
   * Events that happened at this time or later; ISO 8601 with an offset or Z.
   */
  from: string;
  /**
   * Events that happened before this time, which is past.
   */
  to: string;
  /**
   * Types of events; those of the webhook where it is left out.
   *
   * @minItems 1
   * @maxItems 5
   */
  events?: EventType[];
}
export interface Replay {
  id: string;
  webhook_id: string;
  /**
   * Events that happened at this time or later
   */
  from: string;
  /**
   * and before this one.
   */
  to: string;
  events: EventType[];
  /**
   * running: some are still to be queued or wait to be sent; done: each was delivered or given up; canceled: what was not sent yet will not be.
   */
  state: 'running' | 'done' | 'canceled';
  progress: {
    /**
     * Events up to this time have been looked at.
     */
    position: string;
    /**
     * Deliveries that the replay has queued so far.
     */
    queued: number;
    /**
     * Events that were waiting to be sent anyway.
     */
    already_waiting: number;
    /**
     * Of the queued ones: delivered. What was sent again by request counts no more.
     */
    delivered: number;
    /**
     * Of the queued ones: given up.
     */
    given_up: number;
    /**
     * Of the queued ones: not sent yet, or to be tried again.
     */
    waiting: number;
  };
  /**
   * When it was asked for.
   */
  created_at: string;
  /**
   * When the last one was queued, or it was canceled.
   */
  finished_at: string | null;
}
export interface ReplayListQuery {
  /**
   * How many at most.
   */
  limit?: number;
  /**
   * nextCursor of an earlier page.
   */
  cursor?: string;
}
export interface ReplayListAnswer {
  data: Replay[];
  /**
   * Null: the last page. Non-null: go on there, also where a filter left this page short or empty.
   */
  nextCursor: string | null;
}
export interface TestEventInput {
  /**
   * The type of the sample; the first one of the webhook where it is left out.
   */
  type?: EventType;
}
export interface TestEventAnswer {
  /**
   * The webhook-id that was sent. The sample is stored nowhere.
   */
  event_id: string;
  /**
   * Whether the answer was a 2xx within 15 s.
   */
  succeeded: boolean;
  /**
   * The HTTP status of the answer; null where none came.
   */
  status: number | null;
  /**
   * What went wrong, by how far the attempt got; null where it succeeded.
   */
  error:
    | 'address_refused'
    | 'name_not_resolved'
    | 'connection_failed'
    | 'tls_failed'
    | 'timeout'
    | 'connection_lost'
    | 'bad_answer'
    | 'redirect'
    | 'status'
    | null;
  /**
   * The same in a few words for people, e.g. ECONNREFUSED; null where the status says it all.
   */
  detail: string | null;
  /**
   * How long the whole exchange took, in milliseconds.
   */
  duration_ms: number;
  /**
   * The first 4 KiB of the body of the answer as text; null where none came.
   */
  answer: string | null;
}
export interface EventFeedQuery {
  /**
   * How many at most.
   */
  limit?: number;
  /**
   * nextCursor of an earlier page: the events behind it.
   */
  cursor?: string;
  /**
   * One type of events, or several, comma-separated: lead.created, lead.updated, lead.converted, campaign.started, campaign.paused.
   */
  type?: string;
  /**
   * Where to begin without a cursor: with the oldest event, or behind those that have happened by now (the answer is then an empty page with the cursor to go on from).
   */
  from?: 'start' | 'now';
}
export interface EventFeedAnswer {
  /**
   * Oldest first; each exactly as webhooks get it.
   */
  data: (
    | LeadCreatedEvent
    | LeadUpdatedEvent
    | LeadConvertedEvent
    | CampaignStartedEvent
    | CampaignPausedEvent
  )[];
  /**
   * Where to go on, always: also behind an empty page, and behind the last one.
   */
  nextCursor: string;
  /**
   * True: ask again at once. With `type`, a page can be short, or empty, and more exist all the same.
   */
  hasMore: boolean;
}
export interface ErrorAnswer {
  ok: false;
  /**
   * Short, stable and machine-readable; for failed validation the comma-separated summary of the failed constraints.
   */
  error: string;
  /**
   * For people: what is wrong and what to do about it.
   */
  message: string;
  /**
   * As in X-Request-Id; name it when you ask for help.
   */
  request_id: string;
  /**
   * For failed validation: each failed constraint.
   */
  errors?: {
    path: string;
    code: string;
    message: string;
  }[];
  /**
   * For the two signature errors: what a signer needs to find its mistake.
   */
  details?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown;
  };
}
