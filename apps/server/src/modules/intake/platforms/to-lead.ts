import { AppError, invalid } from '../../../platform/errors/index.ts';
import { readLeadInput } from '../../leads/index.ts';
import type { PublicForm } from '../forms/index.ts';
import { readPhone } from '../phone.ts';
import type { LeadTarget, Mapped, PlatformLead } from './adapter.ts';

type LeadBody = ReturnType<typeof readLeadInput>;
type Values = Map<LeadTarget, Mapped>;

const ADDRESS = 'address.';

/**
 * The lead that a platform's lead makes. It was paid for: a value that its field cannot take goes to custom_fields as it was sent, as long as
 * a phone number or an e-mail address is left.
 * @throws AppError 400 where neither is, where the id is missing, and where the rest cannot be stored either
 */
export function toLead(
  lead: PlatformLead,
  form: Pick<PublicForm, 'campaignId' | 'source' | 'defaultCountry'>,
  defaultSource: string,
): LeadBody {
  if (lead.externalId === null) throw required('lead_id', 'lead_id is required');
  const values: Values = new Map(lead.mapped.map((one) => [one.to, withPhone(one, form)]));
  const unusable: Mapped[] = [];
  const fixed = {
    campaign_id: form.campaignId,
    external_lead_id: lead.externalId,
    source: form.source ?? defaultSource,
  };
  let refused: unknown = null;
  for (;;) {
    const others = [...lead.others, ...unusable.map(({ from, raw }) => [from, raw] as const)];
    try {
      const input = readLeadInput({ ...fixed, ...fieldsOf(values), custom_fields: custom(others) });
      if (values.has('phone') || values.has('email')) return input;
      throw refused ?? required('phone', 'phone or email is required');
    } catch (error) {
      refused ??= error;
      const bad = badOf(error, values);
      if (bad.length === 0) throw refused;
      for (const one of bad) {
        values.delete(one.to);
        // Both parts of a name were sent as one.
        if (!unusable.some(({ from }) => from === one.from)) unusable.push(one);
      }
    }
  }
}

const required = (path: string, message: string): AppError =>
  invalid([{ path, code: 'required', message }]);

function withPhone(one: Mapped, { defaultCountry }: Pick<PublicForm, 'defaultCountry'>): Mapped {
  if (one.to !== 'phone') return one;
  return { ...one, value: readPhone(one.value, defaultCountry)?.phone ?? one.value };
}

function fieldsOf(values: Values): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const address: Record<string, string> = {};
  for (const [to, { value }] of values) {
    if (to.startsWith(ADDRESS)) address[to.slice(ADDRESS.length)] = value;
    else fields[to] = value;
  }
  return Object.keys(address).length > 0 ? { ...fields, address } : fields;
}

/** Of several values of one name the later ones get a number. */
function custom(others: readonly (readonly [name: string, value: unknown])[]): object {
  const members = new Map<string, unknown>();
  const nextOf = new Map<string, number>();
  for (const [name, value] of others) {
    let free = name;
    // From where the last one of the name ended: a body has room for thousands.
    let nth = nextOf.get(name) ?? 2;
    while (members.has(free)) free = `${name}_${nth++}`;
    nextOf.set(name, nth);
    members.set(free, value);
  }
  // fromEntries makes __proto__ a member like any other.
  return Object.fromEntries(members);
}

/** The values that a failed validation speaks of. */
function badOf(error: unknown, values: Values): Mapped[] {
  if (!(error instanceof AppError)) throw error;
  const paths = new Set(error.errors?.map(({ path }) => path));
  return [...values.values()].filter(({ to }) => paths.has(to));
}
