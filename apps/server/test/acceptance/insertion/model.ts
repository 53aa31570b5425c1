/**
 * What the contract says of writes, in memory and as simply as it can be said: one tuple, valid values only.
 * Knows nothing of ids and times.
 */
export type Fields = Record<string, unknown>;

export const EMPTY: Fields = {
  ...{ phone: null, email: null, first_name: null, last_name: null, source: null },
  ...{ source_form_url: null, tcpa_consent: null, tcpa_consent_text: null },
  ...{ tcpa_consent_timestamp: null, custom_fields: {}, status: 'new', address: null },
};

type Outcome =
  | { kind: 'written'; lead: Fields; changed: string[] }
  | { kind: 'unchanged'; lead: Fields }
  | { kind: 'refused' };

/** A write on a lead, or on null where there is none yet. */
export function write(stored: Fields | null, sent: Fields): Outcome {
  const base = stored ?? EMPTY;
  const lead = { ...base };
  const changed: string[] = [];
  for (const field of Object.keys(EMPTY)) {
    if (!(field in sent)) continue;
    const value = valueAfter(field, base[field], sent[field]);
    if (isSame(field, base[field], value)) continue;
    lead[field] = value;
    changed.push(field);
  }
  if (lead.phone === null && lead.email === null) return { kind: 'refused' };
  if (stored && changed.length === 0) return { kind: 'unchanged', lead: stored };
  return { kind: 'written', lead, changed };
}

function valueAfter(field: string, stored: unknown, sent: unknown): unknown {
  if (field === 'custom_fields' || field === 'address') return mergePatch(stored, sent);
  if (sent === null) return null;
  if (field === 'phone') return String(sent).replace(/[ .()-]/g, '');
  // toISOString has three decimals, the contract six.
  if (field === 'tcpa_consent_timestamp')
    return new Date(String(sent)).toISOString().replace('Z', '000Z');
  return sent;
}

/** RFC 7396 section 2, word for word. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Fields = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isSame(field: string, a: unknown, b: unknown): boolean {
  if (field !== 'email' || a === null || b === null) return canonical(a) === canonical(b);
  const [localA, domainA] = String(a).split('@');
  const [localB, domainB] = String(b).split('@');
  return localA === localB && domainA?.toLowerCase() === domainB?.toLowerCase();
}

/** JSON with its keys sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
