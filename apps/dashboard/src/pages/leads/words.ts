import type { LeadField, LeadStatus } from '@leadwire/contract';
import type { LeadRow } from '@leadwire/contract/dashboard';
import type { Tone } from '../../parts/index.ts';

export const STATUSES: Readonly<Record<LeadStatus, { label: string; tone: Tone }>> = {
  new: { label: 'New', tone: 'info' },
  contacted: { label: 'Contacted', tone: 'calm' },
  qualified: { label: 'Qualified', tone: 'warn' },
  converted: { label: 'Converted', tone: 'good' },
};

export const FIELD_NAMES: Readonly<Record<LeadField, string>> = {
  campaign_id: 'Campaign',
  external_lead_id: 'External id',
  phone: 'Phone',
  email: 'Email',
  first_name: 'First name',
  last_name: 'Last name',
  source: 'Source',
  source_form_url: 'Form address',
  tcpa_consent: 'Consent',
  tcpa_consent_text: 'Consent text',
  tcpa_consent_timestamp: 'Consent given',
  custom_fields: 'Custom fields',
  status: 'Status',
  address: 'Address',
};

export const fieldName = (field: string): string =>
  Object.hasOwn(FIELD_NAMES, field) ? FIELD_NAMES[field as LeadField] : field;

type Named = Pick<LeadRow, 'first_name' | 'last_name' | 'email' | 'phone' | 'external_lead_id'>;

/** What people know a lead by: its name, else how to reach it, else the partner's id. */
export function nameOf(lead: Named): string {
  const name = [lead.first_name, lead.last_name].filter(Boolean).join(' ').trim();
  return name || lead.email || lead.phone || lead.external_lead_id;
}

/** How a lead came to be as it is, after "by": the word of an audit record. */
export const CHANGES: Readonly<Record<string, string>> = {
  inserted: 'Arrived',
  patched: 'Posted again with changes',
  edited: 'Edited',
  erased: 'Personal data erased',
};
