import type { Lead, LeadField, LeadInput } from '@leadwire/contract';

/** A lead and how often it was written; the version is its ETag. */
export type StoredLead = { lead: Lead; version: number };

/** What a request says of a lead, in the form in which it is stored; a field that was left out is absent. */
export type LeadChange = Partial<LeadInput>;

/** Who changed a lead, for the audit record. */
export type Source = {
  actorType: 'api_key' | 'user' | 'form';
  actorId: string;
  requestId: string | null;
  address: string | null;
};

/** The outcome of a write, with the lead as it is stored now and the JSON that shows it. */
export type WriteResult = {
  status: 'inserted' | 'patched' | 'deduped';
  changed: LeadField[];
  lead: Lead;
  /** JSON of `lead`: made once, stored in the audit record and sent in the answer. */
  json: string;
  version: number;
};

export const etagOf = (version: number): string => `"${version}"`;
