import type { ActorType, Lead, LeadField, LeadInput, WriteOutcome } from '@leadwire/contract';

/** A lead and how often it was written; the version is its ETag. */
export type StoredLead = { lead: Lead; version: number };

/** What a request says of a lead, in the form in which it is stored; a field that was left out is absent. */
export type LeadChange = Partial<LeadInput>;

/** Who changed a lead, for the audit record. A form's id is its public one. */
export type Source = {
  actorType: ActorType;
  actorId: string;
  requestId: string | null;
  address: string | null;
  /** What the person was asked beside it: written down by every write of this source. */
  consent?: ConsentEvidence | null;
};

/** A consent as a form asked for it; its time, address and request id are those of the write. */
export type ConsentEvidence = {
  /** False: the text was shown, and the person did not agree. */
  given: boolean;
  text: string;
  textVersion: number;
  /** `form_…`. */
  formId: string;
  formName: string;
  pageUrl: string | null;
  userAgent: string | null;
};

/** The outcome of a write, with the lead as it is stored now and the JSON that shows it. */
export type WriteResult = {
  status: WriteOutcome;
  changed: LeadField[];
  lead: Lead;
  /** JSON of `lead`: made once, stored in the audit record and sent in the answer. */
  json: string;
  version: number;
};

export const etagOf = (version: number): string => `"${version}"`;
