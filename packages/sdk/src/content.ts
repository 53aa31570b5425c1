import { CONTENT_FIELDS, contentOf } from '@leadwire/contract/content';
import {
  isObject,
  mergePatch,
  normalizePhone,
  normalizeTimestamp,
} from '@leadwire/contract/stored';
import { hexOf } from './signing.ts';
import type { LeadInput, LeadPatch } from './types.generated.ts';

/** What a content hash can cover. */
export type ContentField = keyof LeadPatch;

const encoder = new TextEncoder();

/**
 * The content hash of a lead as the service would store it: lower-case hex SHA-256 of the canonical JSON (RFC 8785) of `fields`,
 * by default all but status. Two leads with one hash agree in these fields; a field that is left out counts as empty.
 */
export async function contentHash(
  lead: LeadInput | LeadPatch,
  fields: readonly ContentField[] = CONTENT_FIELDS,
): Promise<string> {
  const text = contentOf(asStored(lead), fields);
  return hexOf(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

/** A lead as the service stores a new one. */
function asStored(lead: LeadInput | LeadPatch): LeadPatch {
  const stored = asSent(lead) as LeadPatch;
  const { phone, tcpa_consent_timestamp: time, custom_fields: fields, address } = stored;
  // What the service would refuse is left as it is: no stored lead has it.
  if (phone) stored.phone = normalizePhone(phone) ?? phone;
  if (time) stored.tcpa_consent_timestamp = normalizeTimestamp(time) ?? time;
  if (fields) stored.custom_fields = mergePatch(null, fields) as typeof fields;
  if (address) stored.address = mergePatch(null, address) as typeof address;
  return { ...stored, status: stored.status ?? 'new' };
}

/**
 * As it would be sent: a Date is text there, undefined is nothing. Not by way of JSON.parse, which can give an object the key of
 * another one where keys need escapes (V8 of Node 24.0 to 26.10, nodejs/node#63785).
 */
function asSent(value: unknown): unknown {
  const sent = hasOwnText(value) ? value.toJSON() : value;
  if (typeof sent === 'number') return Number.isFinite(sent) ? sent : null;
  if (typeof sent === 'function' || typeof sent === 'symbol') return undefined;
  if (Array.isArray(sent)) return Array.from(sent, (entry) => asSent(entry) ?? null);
  if (!isObject(sent)) return sent;
  const members = Object.entries(sent).map(([name, inner]) => [name, asSent(inner)] as const);
  return Object.fromEntries(members.filter(([, inner]) => inner !== undefined));
}

/** A Date has one. */
const hasOwnText = (value: unknown): value is { toJSON(): unknown } =>
  typeof (value as { toJSON?: unknown } | null | undefined)?.toJSON === 'function';
