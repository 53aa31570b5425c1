import { splitFullName } from '../full-name.ts';
import {
  isRecord,
  type LeadTarget,
  type Mapped,
  type PlatformAdapter,
  type PlatformLead,
  textOf,
} from './adapter.ts';

const TARGETS: Readonly<Record<string, LeadTarget>> = {
  FIRST_NAME: 'first_name',
  LAST_NAME: 'last_name',
  EMAIL: 'email',
  PHONE_NUMBER: 'phone',
  STREET_ADDRESS: 'address.street',
  CITY: 'address.city',
  REGION: 'address.state',
  POSTAL_CODE: 'address.zip',
};
const FULL_NAME = 'FULL_NAME';
/** Read only where a lead has no other way to reach the person: it was paid for. */
const AT_WORK: [id: string, to: LeadTarget][] = [
  ['WORK_PHONE', 'phone'],
  ['WORK_EMAIL', 'email'],
];

/** Members that are read; every other one, known today or not, is taken along. */
const READ = new Set(['lead_id', 'user_column_data', 'google_key', 'is_test']);

/**
 * Lead forms of Google Ads, as its webhook sends them: https://developers.google.com/google-ads/webhook/docs/implementation
 * Its ids are int64, sent as strings or as numbers.
 */
export const google: PlatformAdapter = {
  name: 'google',
  source: 'google_ads',
  keyName: 'google_key',
  keyHashOf: (form) => form.googleKeyHash,
  keyOf: (body) => (isRecord(body) && typeof body.google_key === 'string' ? body.google_key : null),
  read(body) {
    const lead = isRecord(body) ? body : {};
    const { mapped, others } = readColumns(lead.user_column_data);
    return {
      externalId: textOf(lead.lead_id),
      isTest: lead.is_test === true || lead.is_test === 'true',
      mapped,
      others: [...Object.entries(lead).filter(([name]) => !READ.has(name)), ...others],
    };
  },
};

function readColumns(data: unknown): Pick<PlatformLead, 'mapped' | 'others'> {
  const columns = (Array.isArray(data) ? data : []).map(toColumn);
  const mapped = new Map<LeadTarget, Mapped>();
  const others: [string, unknown][] = [];
  for (const { id, value } of columns) {
    const to = Object.hasOwn(TARGETS, id) ? TARGETS[id] : undefined;
    const text = textOf(value);
    if (to && text !== null && !mapped.has(to))
      mapped.set(to, { to, value: text, from: id, raw: value });
    else if (value !== null && value !== undefined && value !== '') others.push([id, value]);
  }
  if (!mapped.has('phone') && !mapped.has('email')) {
    for (const [id, to] of AT_WORK) {
      const [said] = takeFrom(others, id);
      if (said) mapped.set(to, { to, value: textOf(said[1]) ?? '', from: id, raw: said[1] });
    }
  }
  if (mapped.has('first_name') || mapped.has('last_name')) {
    return { mapped: [...mapped.values()], others };
  }
  const [full] = takeFrom(others, FULL_NAME);
  return { mapped: [...mapped.values(), ...(full ? splitName(full[1]) : [])], others };
}

/** Takes the first of that name which says something out of `others`. */
function takeFrom(others: [string, unknown][], name: string): [string, unknown][] {
  const index = others.findIndex(([id, value]) => id === name && textOf(value) !== null);
  return index < 0 ? [] : others.splice(index, 1);
}

/** A question that the advertiser wrote may have a name alone. */
function toColumn(entry: unknown, index: number): { id: string; value: unknown } {
  const nth = `column_${index + 1}`;
  if (!isRecord(entry)) return { id: nth, value: entry };
  const id = textOf(entry.column_id) ?? textOf(entry.column_name) ?? nth;
  return { id, value: entry.string_value };
}

function splitName(raw: unknown): Mapped[] {
  const { first_name: first, last_name: last } = splitFullName(textOf(raw) ?? '');
  const part = (to: LeadTarget, value: string): Mapped => ({ to, value, from: FULL_NAME, raw });
  return [part('first_name', first), ...(last === undefined ? [] : [part('last_name', last)])];
}
