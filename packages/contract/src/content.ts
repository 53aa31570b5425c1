import { PATCHABLE_FIELDS } from './names.ts';

export type ContentField = (typeof PATCHABLE_FIELDS)[number];

/** What a content hash covers unless fields are named: what a partner delivers, so not status, which the account moves on. */
export const CONTENT_FIELDS: readonly ContentField[] = PATCHABLE_FIELDS.filter(
  (field) => field !== 'status',
);

/** A lead with every value as the service stores it: phone in E.164, times in UTC with six decimals. */
type StoredContent = { [field in ContentField]?: unknown };

/**
 * The text whose SHA-256, as lower-case hex, is the content hash of a lead: RFC 8785 canonical JSON of an object of `fields`.
 * A field without a value, or with the empty text, is null; an address has the parts that have a text and is null without any;
 * custom_fields without a member is {}; the domain of the e-mail address is in lower case.
 */
export function contentOf(lead: StoredContent, fields: readonly ContentField[]): string {
  return canonicalJson(
    Object.fromEntries(fields.map((field) => [field, contentValue(lead, field)])),
  );
}

function contentValue(lead: StoredContent, field: ContentField): unknown {
  const value = lead[field] ?? null;
  if (field === 'custom_fields') return value ?? {};
  // A file has no other way to write "nothing" than an empty cell.
  if (value === '') return null;
  if (field === 'email' && typeof value === 'string') return withLowerCaseDomain(value);
  return field === 'address' && value !== null ? knownParts(value) : value;
}

function knownParts(address: object): object | null {
  const parts = Object.entries(address).filter(([, part]) => (part ?? '') !== '');
  return parts.length > 0 ? Object.fromEntries(parts) : null;
}

function withLowerCaseDomain(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + email.slice(at).toLowerCase();
}

/** JSON Canonicalization Scheme, RFC 8785: members sorted by UTF-16 code units, numbers and strings as ECMAScript writes them. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const member = canonicalJson((value as Record<string, unknown>)[name]);
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${member}`;
  }
  return text === '' ? '{}' : `${text}}`;
}
