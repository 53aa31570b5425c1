import type { Lead, LeadPatch } from '@leadwire/contract';

/** A lead as its form has it: everything a text. */
export type LeadValues = {
  first_name: string;
  last_name: string;
  phone: string;
  email: string;
  address: { street: string; city: string; state: string; zip: string };
  source: string;
  source_form_url: string;
  /** yes, no, or nothing was said. */
  tcpa_consent: string;
  tcpa_consent_text: string;
  tcpa_consent_timestamp: string;
  /** JSON. */
  custom_fields: string;
};

const TEXTS = [
  'first_name',
  'last_name',
  'phone',
  'email',
  'source',
  'source_form_url',
  'tcpa_consent_text',
  'tcpa_consent_timestamp',
] as const;
const ADDRESS = ['street', 'city', 'state', 'zip'] as const;

export function valuesOf(lead: Lead): LeadValues {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, lead[name] ?? '']));
  const address = Object.fromEntries(ADDRESS.map((part) => [part, lead.address?.[part] ?? '']));
  return {
    ...(texts as Record<(typeof TEXTS)[number], string>),
    address: address as LeadValues['address'],
    tcpa_consent: lead.tcpa_consent === null ? '' : lead.tcpa_consent ? 'yes' : 'no',
    custom_fields: JSON.stringify(lead.custom_fields, null, 2),
  };
}

/** What is different from the lead, as a merge patch (RFC 7396): null removes. */
export function changesOf(lead: Lead, values: LeadValues): LeadPatch {
  const before = valuesOf(lead);
  const changes: Record<string, unknown> = {};
  for (const name of TEXTS) {
    if (values[name] !== before[name]) changes[name] = values[name].trim() || null;
  }
  const parts = ADDRESS.filter((part) => values.address[part] !== before.address[part]);
  if (parts.length > 0) {
    changes.address = ADDRESS.some((part) => values.address[part].trim())
      ? Object.fromEntries(parts.map((part) => [part, values.address[part].trim() || null]))
      : null;
  }
  if (values.tcpa_consent !== before.tcpa_consent) {
    changes.tcpa_consent = values.tcpa_consent === '' ? null : values.tcpa_consent === 'yes';
  }
  if (values.custom_fields !== before.custom_fields) {
    const patch = patchBetween(lead.custom_fields, parseObject(values.custom_fields) ?? {});
    if (Object.keys(patch).length > 0) changes.custom_fields = patch;
  }
  return changes as LeadPatch;
}

/** What was typed over what the lead was, put over what it is now. */
export function reapplied(before: Lead, values: LeadValues, now: Lead): LeadValues {
  const [old, fresh] = [valuesOf(before), valuesOf(now)];
  const kept = <T extends object>(was: T, typed: T, is: T): T =>
    Object.fromEntries(
      Object.entries(typed).map(([name, value]) => [
        name,
        value === was[name as keyof T] ? is[name as keyof T] : value,
      ]),
    ) as T;
  const custom = patchBetween(before.custom_fields, parseObject(values.custom_fields) ?? {});
  return {
    ...kept(old, values, fresh),
    address: kept(old.address, values.address, fresh.address),
    custom_fields: JSON.stringify(merged(now.custom_fields, custom), null, 2),
  };
}

type JsonObject = Record<string, unknown>;

/** @returns null where the text is no JSON object */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The merge patch that makes `after` of `before`. */
export function patchBetween(before: JsonObject, after: JsonObject): JsonObject {
  const members = new Map<string, unknown>();
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) members.set(name, null);
  }
  for (const [name, value] of Object.entries(after)) {
    const was = Object.hasOwn(before, name) ? before[name] : undefined;
    if (isObject(value) && isObject(was)) {
      const inner = patchBetween(was, value);
      if (Object.keys(inner).length > 0) members.set(name, inner);
    } else if (JSON.stringify(value) !== JSON.stringify(was)) members.set(name, value);
  }
  return Object.fromEntries(members);
}

function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, merged(members.get(name), value));
  }
  return Object.fromEntries(members);
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
