import { type Lead, type LeadField, PERSONAL_FIELDS } from '@leadwire/contract';

type Person = Pick<Lead, (typeof PERSONAL_FIELDS)[number]>;

const NOBODY: Person = {
  phone: null,
  email: null,
  first_name: null,
  last_name: null,
  source_form_url: null,
  custom_fields: {},
  address: null,
};

/** The lead without what tells who the person is. */
export const withoutPerson = (lead: Lead): Lead => ({ ...lead, ...NOBODY });

/** The personal fields of a lead that hold something, in the order of the fields. */
export const personalFieldsOf = (lead: Lead): LeadField[] =>
  PERSONAL_FIELDS.filter((field) =>
    field === 'custom_fields' ? Object.keys(lead.custom_fields).length > 0 : lead[field] !== null,
  );

/** Whether nothing tells who the person is: true of erased leads alone, since all others have a phone or an e-mail address. */
export const isBlank = (lead: Lead): boolean => personalFieldsOf(lead).length === 0;

/** The same fields, each blank: what an audit record says of values that were erased. */
export const blankValues = (fields: readonly LeadField[]): Partial<Lead> =>
  Object.fromEntries(fields.map((field) => [field, NOBODY[field as keyof Person]]));
