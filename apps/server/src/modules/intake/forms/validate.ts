import type { DashboardApi, FormField } from '@leadwire/contract/dashboard';
import { emptyBody, type FieldError, invalid } from '../../../platform/errors/index.ts';
import { isStorable, NOT_STORABLE } from '../../../platform/validation/index.ts';

export type NewForm = DashboardApi['createForm']['body'];
export type FormChange = DashboardApi['changeForm']['body'];

/** What a form has that was made with no more than a name, a campaign and a key. */
export const DEFAULT_FIELDS: FormField[] = [
  { name: 'first_name', label: 'First name', to: 'first_name', required: true },
  { name: 'last_name', label: 'Last name', to: 'last_name', required: false },
  { name: 'email', label: 'E-mail address', to: 'email', required: true },
  { name: 'phone', label: 'Phone number', to: 'phone', required: false },
];

export const fieldError = (path: string, code: string, text: string): FieldError => ({
  ...{ path, code },
  message: `${path} ${text}`,
});

/**
 * What the schemas of a new form and of a change cannot say. @returns the input with trimmed texts
 * @throws AppError 400: `empty_body` for a change of nothing, else the summary of what is wrong
 */
export function readForm<Input extends FormChange>(input: Input): Input {
  if (Object.keys(input).length === 0) throw emptyBody();
  const form: Input = { ...input };
  if (form.name !== undefined) form.name = form.name.trim();
  if (form.consent) form.consent = { ...form.consent, text: form.consent.text.trim() };
  if (form.fields) form.fields = form.fields.map((one) => ({ ...one, label: one.label.trim() }));
  const errors = [...checkTexts(form), ...(form.fields ? checkFields(form.fields) : [])];
  if (errors.length > 0) throw invalid(errors);
  return form;
}

function checkTexts({
  name,
  consent,
  source,
  redirect_url,
  fields = [],
}: FormChange): FieldError[] {
  const texts: [path: string, text: string | null | undefined][] = [
    ...([['name', name]] as [string, string | undefined][]),
    ...fields.flatMap((field, index): [string, string][] => [
      [`fields.${index}.name`, field.name],
      [`fields.${index}.label`, field.label],
      [`fields.${index}.to`, field.to],
    ]),
    ['consent.text', consent?.text],
    ['redirect_url', redirect_url],
    ['source', source],
  ];
  return texts.flatMap(([path, text]) => {
    if (text === '') return [fieldError(path, 'empty', 'must not be empty')];
    const isGood = typeof text !== 'string' || isStorable(text);
    return isGood ? [] : [fieldError(path, 'invalid_characters', NOT_STORABLE)];
  });
}

function checkFields(fields: readonly FormField[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const targets = new Set<string>();
  for (const [index, { name, to }] of fields.entries()) {
    if (names.has(name)) {
      const text = 'must not be the name of another input of the form';
      errors.push(fieldError(`fields.${index}.name`, 'repeated', text));
    }
    if (targets.has(to)) {
      const text = 'must not be where another input of the form goes';
      errors.push(fieldError(`fields.${index}.to`, 'repeated', text));
    }
    names.add(name);
    targets.add(to);
  }
  if (!targets.has('phone') && !targets.has('email')) {
    const text = 'must have an input for phone or email: a lead needs one of them';
    errors.push(fieldError('fields', 'required', text));
  }
  return errors;
}
