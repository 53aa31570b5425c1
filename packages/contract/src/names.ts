/** The fields of a lead that a partner may write, in the order in which errors and changes name them. */
export const LEAD_FIELDS = [
  'campaign_id',
  'external_lead_id',
  'phone',
  'email',
  'first_name',
  'last_name',
  'source',
  'source_form_url',
  'tcpa_consent',
  'tcpa_consent_text',
  'tcpa_consent_timestamp',
  'custom_fields',
  'status',
  'address',
] as const;

export type LeadField = (typeof LEAD_FIELDS)[number];

/** The fields that a PATCH may change: all but the tuple. */
export const PATCHABLE_FIELDS = LEAD_FIELDS.filter(
  (field) => field !== 'campaign_id' && field !== 'external_lead_id',
) as Exclude<LeadField, 'campaign_id' | 'external_lead_id'>[];

/** What erasing a person's data blanks; consent, source, status, campaign and external id stay as the proof of what was done. */
export const PERSONAL_FIELDS = [
  'phone',
  'email',
  'first_name',
  'last_name',
  'source_form_url',
  'custom_fields',
  'address',
] as const satisfies readonly LeadField[];

export const LEAD_STATUSES = ['new', 'contacted', 'qualified', 'converted'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

export const CAMPAIGN_STATES = ['draft', 'active', 'paused'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

export const EVENT_TYPES = [
  'lead.created',
  'lead.updated',
  'lead.converted',
  'campaign.started',
  'campaign.paused',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const SCOPES = ['leads:read', 'leads:write'] as const;
export type Scope = (typeof SCOPES)[number];

export const FEATURES = ['insertion', 'legacy_leads', 'webhooks', 'forms'] as const;
export type Feature = (typeof FEATURES)[number];
