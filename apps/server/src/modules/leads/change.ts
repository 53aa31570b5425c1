import { type Lead, type LeadField, PATCHABLE_FIELDS } from '@leadwire/contract';
import { invalid } from '../../platform/errors/index.ts';
import { mergePatch, sameJson } from './json-merge.ts';
import type { LeadChange } from './lead.ts';
import { isBlank } from './person.ts';
import { checkStored } from './validate.ts';

export type Change = {
  changed: LeadField[];
  /** The earlier values of the changed fields. */
  before: Partial<Lead>;
  after: Lead;
};

const MERGED: ReadonlySet<LeadField> = new Set(['custom_fields', 'address']);

/** A new lead of what was posted; what was left out is null, {} or `new`. */
export function newLead(
  identity: { id: string; accountId: string; at: string },
  input: LeadChange,
): Lead {
  return {
    id: identity.id,
    account_id: identity.accountId,
    campaign_id: input.campaign_id as number,
    external_lead_id: input.external_lead_id as string,
    phone: input.phone ?? null,
    email: input.email ?? null,
    first_name: input.first_name ?? null,
    last_name: input.last_name ?? null,
    source: input.source ?? null,
    source_form_url: input.source_form_url ?? null,
    tcpa_consent: input.tcpa_consent ?? null,
    tcpa_consent_text: input.tcpa_consent_text ?? null,
    tcpa_consent_timestamp: input.tcpa_consent_timestamp ?? null,
    // Merged into nothing, so that the same payload posted again merges into the same.
    custom_fields: mergePatch(null, input.custom_fields ?? {}) as Lead['custom_fields'],
    status: input.status ?? 'new',
    address: mergePatch(null, input.address ?? null) as Lead['address'],
    created_at: identity.at,
    updated_at: identity.at,
  };
}

/**
 * What becomes of a stored lead when `change` is merged into it.
 * An erased lead may stay without phone and e-mail address as long as it stays blank.
 * @returns null where nothing changes. @throws AppError 400 where the result is no valid lead.
 */
export function applyChange(stored: Lead, change: LeadChange): Change | null {
  const after: Record<string, unknown> = { ...stored };
  const before: Record<string, unknown> = {};
  const changed: LeadField[] = [];
  for (const field of PATCHABLE_FIELDS) {
    const sent = change[field];
    if (sent === undefined) continue;
    const value = MERGED.has(field) ? mergePatch(stored[field], sent) : sent;
    if (isSame(field, stored[field], value)) continue;
    before[field] = stored[field];
    after[field] = value;
    changed.push(field);
  }
  if (changed.length === 0) return null;
  const errors = isBlank(after as Lead) && isBlank(stored) ? [] : checkStored(after);
  if (errors.length > 0) throw invalid(errors);
  return { changed, before: before as Partial<Lead>, after: after as Lead };
}

function isSame(field: LeadField, a: unknown, b: unknown): boolean {
  if (field === 'email' && typeof a === 'string' && typeof b === 'string') return sameEmail(a, b);
  return sameJson(a, b);
}

/** The domain of an address is compared without regard to case, its local part is not (RFC 5321 section 2.4). */
function sameEmail(a: string, b: string): boolean {
  const at = a.lastIndexOf('@');
  return (
    at === b.lastIndexOf('@') &&
    a.slice(0, at) === b.slice(0, at) &&
    a.slice(at).toLowerCase() === b.slice(at).toLowerCase()
  );
}
