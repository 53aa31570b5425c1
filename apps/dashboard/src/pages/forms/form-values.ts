import type { Form, FormField } from '@leadwire/contract/dashboard';

/** A field as it is edited: `custom` is the name of the custom field that it goes to. */
export type FieldValues = {
  /** Of the row, for the page alone. */
  id: string;
  label: string;
  name: string;
  target: string;
  custom: string;
  required: boolean;
};

/** A form's settings as the page edits them: lists as lines, what is absent as an empty text. */
export type FormValues = {
  name: string;
  campaign_id: string;
  key_id: string;
  fields: FieldValues[];
  asksConsent: boolean;
  consent: { text: string; required: boolean };
  min_fill_seconds: number | string;
  allowed_origins: string;
  redirect_url: string;
  source: string;
  default_country: string;
  per_address_a_minute: number | string;
};

export const CUSTOM = 'custom_fields';

let rows = 0;

/** A field with defaults for what is not given. */
export const newField = (field: Partial<FieldValues> = {}): FieldValues => ({
  ...{ label: '', name: '', target: CUSTOM, custom: '', required: false },
  ...field,
  id: `row-${++rows}`,
});

/** What a new form begins with: with a name, a campaign and a key it is a good one. */
export const newValues = (chosen: { campaign_id: string; key_id: string }): FormValues => ({
  ...{ name: '', ...chosen, asksConsent: false, consent: { text: '', required: true } },
  fields: [
    newField({ label: 'First name', name: 'first_name', target: 'first_name', required: true }),
    newField({ label: 'Last name', name: 'last_name', target: 'last_name' }),
    newField({ label: 'E-mail address', name: 'email', target: 'email', required: true }),
    newField({ label: 'Phone number', name: 'phone', target: 'phone' }),
  ],
  ...{ min_fill_seconds: 2, per_address_a_minute: 60 },
  ...{ allowed_origins: '', redirect_url: '', source: '', default_country: '' },
});

export const valuesOf = (form: Form): FormValues => ({
  name: form.name,
  campaign_id: String(form.campaign_id),
  key_id: form.key.id,
  fields: form.fields.map(fieldValues),
  asksConsent: form.consent !== null,
  consent: { text: form.consent?.text ?? '', required: form.consent?.required ?? true },
  min_fill_seconds: form.min_fill_seconds,
  allowed_origins: form.allowed_origins.join('\n'),
  redirect_url: form.redirect_url ?? '',
  source: form.source ?? '',
  default_country: form.default_country ?? '',
  per_address_a_minute: form.per_address_a_minute,
});

const PREFIX = `${CUSTOM}.`;

const fieldValues = ({ label, name, to, required }: FormField): FieldValues =>
  to.startsWith(PREFIX)
    ? newField({ label, name, required, custom: to.slice(PREFIX.length) })
    : newField({ label, name, required, target: to });

/** Where the value of an input goes; to the custom field of its own name where no other is given. */
export const targetOf = ({ name, target, custom }: FieldValues): string =>
  target === CUSTOM ? PREFIX + (custom.trim() || name.trim()) : target;

/** The body of a request that makes or changes a form. */
export const bodyOf = (values: FormValues) => ({
  name: values.name.trim(),
  campaign_id: Number(values.campaign_id),
  key_id: values.key_id,
  fields: values.fields.map((field) => ({
    ...{ label: field.label.trim(), name: field.name.trim(), required: field.required },
    to: targetOf(field),
  })),
  consent: values.asksConsent
    ? { text: values.consent.text.trim(), required: values.consent.required }
    : null,
  min_fill_seconds: Number(values.min_fill_seconds),
  allowed_origins: linesOf(values.allowed_origins),
  redirect_url: values.redirect_url.trim() || null,
  source: values.source.trim() || null,
  default_country: values.default_country || null,
  per_address_a_minute: Number(values.per_address_a_minute),
});

/** The lines of a text, each once, as origins: a page's address that was pasted is cut to its origin. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((line) => (/^https?:/i.test(line) && URL.canParse(line) ? new URL(line).origin : line)),
  ),
];

/** A name for an input, out of its label: "Ihr Wohnort?" is `ihr_wohnort`. */
export const inputName = (label: string): string =>
  label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100);
