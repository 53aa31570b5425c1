import type { FormField } from '@leadwire/contract/dashboard';
import { AppError, type FieldError, invalid } from '../../../platform/errors/index.ts';
import { isStorable, NOT_STORABLE } from '../../../platform/validation/index.ts';
import { readLeadInput } from '../../leads/index.ts';
import type { PublicForm } from '../forms/form.ts';
import { readPhone } from '../phone.ts';
import { type Consent, readConsent } from './consent.ts';
import { fieldError, looksAutomated } from './errors.ts';
import { digestOf, type Inputs, inputsOf, ownText } from './inputs.ts';
import { contactRequired, toInputErrors } from './lead-errors.ts';
import { isOwn, OWN } from './own-inputs.ts';
import { pageUrlOf } from './page-url.ts';
import type { Submission } from './read.ts';

export type FormLead = {
  input: ReturnType<typeof readLeadInput>;
  consent: Consent | null;
  pageUrl: string | null;
  inputs: Inputs;
};

const SUBMISSION_ID = /^[A-Za-z0-9_-]{8,64}$/;
const CUSTOM = 'custom_fields.';
const ADDRESS = 'address.';
// As in the schema of a lead: what is longer is told to be too long, whatever else it is.
const MAX_PHONE = 50;

/**
 * The lead that a submission makes.
 * @throws AppError 400: `looks_automated`, or what is wrong with which input
 */
export function toLead(
  form: PublicForm,
  submission: Submission,
  { referer }: { referer: string | undefined },
): FormLead {
  const inputs = inputsOf(submission.entries);
  const own = (name: string) => ownText(inputs, name);
  refuseAutomated(form, own);
  const body = createBody(form, inputs, submission.errors);
  const pageUrl = pageUrlOf(own(OWN.pageUrl), referer);
  const { consent, error } = readConsent(form, own);
  if (error) body.errors.push(error);
  const fields: Record<string, unknown> = {
    campaign_id: form.campaignId,
    external_lead_id: externalIdOf(form, inputs, body.errors),
    ...body.fields,
    ...(form.source === null ? {} : { source: form.source }),
    ...(pageUrl === null ? {} : { source_form_url: pageUrl }),
    ...consentFields(consent),
  };
  return { input: checked(fields, body.errors, form, inputs), consent, pageUrl, inputs };
}

function refuseAutomated(form: PublicForm, own: (name: string) => string | undefined): void {
  if (own(OWN.website) !== undefined) throw looksAutomated();
  const elapsed = own(OWN.elapsedMs);
  // Without JavaScript nothing measures it.
  if (elapsed !== undefined && Number(elapsed) < form.minFillSeconds * 1000) throw looksAutomated();
}

/** The fields of the lead that come of inputs, and what is wrong with those. */
function createBody(form: PublicForm, inputs: Inputs, errors: readonly FieldError[]) {
  const found = [...errors];
  const custom = new Map<string, unknown[]>();
  const address: [string, unknown][] = [];
  const fields: Record<string, unknown> = {};
  const known = new Set(form.fields.map(({ name }) => name));
  for (const field of form.fields) {
    const values = storable(field.name, field.label, inputs.get(field.name) ?? [], found);
    if (field.to.startsWith(CUSTOM)) {
      add(custom, field.to.slice(CUSTOM.length), values);
      if (field.required && !values.some(isFilled)) found.push(required(field));
      continue;
    }
    const text = textOf(field, values, found);
    if (text === null) {
      if (field.required) found.push(required(field));
    } else if (field.to.startsWith(ADDRESS)) address.push([field.to.slice(ADDRESS.length), text]);
    else fields[field.to] = field.to === 'phone' ? phoneOf(field, text, form, found) : text;
  }
  for (const [name, values] of inputs) {
    if (!known.has(name) && !isOwn(name)) add(custom, name, storable(name, name, values, found));
  }
  if (!reachable(form, fields, found)) found.push(contactRequired(form.fields));
  if (address.length > 0) fields.address = Object.fromEntries(address);
  if (custom.size > 0) {
    const members = [...custom].map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
    // fromEntries makes __proto__ a member like any other.
    fields.custom_fields = Object.fromEntries(members);
  }
  return { fields, errors: found };
}

/** A bad phone or e-mail is told to be bad, not to be missing. */
const reachable = (
  { fields: all }: PublicForm,
  { phone, email }: Record<string, unknown>,
  errors: readonly FieldError[],
): boolean =>
  phone !== undefined ||
  email !== undefined ||
  all.some(
    ({ name, to }) =>
      (to === 'phone' || to === 'email') && errors.some(({ path }) => path === name),
  );

function add(custom: Map<string, unknown[]>, name: string, values: readonly unknown[]): void {
  if (values.length > 0) custom.set(name, [...(custom.get(name) ?? []), ...values]);
}

/** The values without those that no store could keep. */
function storable(
  name: string,
  label: string,
  values: readonly unknown[],
  errors: FieldError[],
): readonly unknown[] {
  const isGood = (value: unknown) => typeof value !== 'string' || isStorable(value);
  if (isStorable(name) && values.every(isGood)) return values;
  const shown = name.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD');
  errors.push(
    fieldError(shown, 'invalid_characters', `${label === name ? shown : label} ${NOT_STORABLE}`),
  );
  return [];
}

/** The text of an input that goes to a field of the lead; null where it is empty or cannot be one. */
function textOf({ name, label }: FormField, values: readonly unknown[], errors: FieldError[]) {
  const [value] = values;
  if (value === undefined) return null;
  if (values.length > 1) {
    errors.push(fieldError(name, 'repeated', `${label} must be sent once`));
    return null;
  }
  if (typeof value === 'object') {
    errors.push(fieldError(name, 'type', `${label} must be text`));
    return null;
  }
  return String(value).trim() || null;
}

function phoneOf(
  { name, label }: FormField,
  text: string,
  { defaultCountry }: PublicForm,
  errors: FieldError[],
): string {
  if (text.length > MAX_PHONE) return text;
  const read = readPhone(text, defaultCountry);
  if (read) return read.phone;
  if (text.startsWith('+')) return text;
  const message =
    defaultCountry === null
      ? `${label} must begin with a plus sign and the country code, such as +1 415 555 0132`
      : `${label} must be a phone number, best in international format with a leading plus sign`;
  errors.push(fieldError(name, 'format', message));
  return text;
}

const isFilled = (value: unknown) => typeof value !== 'string' || value.trim() !== '';

const required = ({ name, label }: FormField) =>
  fieldError(name, 'required', `${label} is required`);

function externalIdOf({ id }: PublicForm, inputs: Inputs, errors: FieldError[]): string {
  const sent = ownText(inputs, OWN.submissionId);
  const prefix = `form:${id.replaceAll('-', '')}:`;
  // With a sign that no submission id has: whoever knows what somebody sent must not reach their lead with other words.
  if (sent === undefined) return `${prefix}=${digestOf(inputs)}`;
  if (!SUBMISSION_ID.test(sent)) {
    const message = `${OWN.submissionId} must be 8 to 64 letters, digits, - or _`;
    errors.push(fieldError(OWN.submissionId, 'format', message));
  }
  return prefix + sent.slice(0, 64);
}

/** The time of a consent is that of the write. */
function consentFields(consent: Consent | null): Record<string, unknown> {
  if (!consent) return {};
  return consent.given
    ? { tcpa_consent: true, tcpa_consent_text: consent.text }
    : { tcpa_consent: false, tcpa_consent_text: null, tcpa_consent_timestamp: null };
}

function checked(
  body: Record<string, unknown>,
  errors: FieldError[],
  form: PublicForm,
  inputs: Inputs,
): FormLead['input'] {
  try {
    const input = readLeadInput(body);
    if (errors.length === 0) return input;
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error;
    errors.push(...toInputErrors(error.errors, form, inputs));
  }
  throw invalid(oneEach(errors, form));
}

/** One failure an input, in the order of the form. */
function oneEach(errors: readonly FieldError[], { fields }: PublicForm): FieldError[] {
  const first = new Map<string, FieldError>();
  for (const error of errors) if (!first.has(error.path)) first.set(error.path, error);
  const places = new Map(fields.map(({ name }, index) => [name, index]));
  const place = ({ path }: FieldError) => places.get(path) ?? fields.length;
  return [...first.values()].sort((a, b) => place(a) - place(b));
}
