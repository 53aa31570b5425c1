import type { FormField } from '@leadwire/contract/dashboard';
import type { FieldError } from '../../../../platform/errors/index.ts';
import { type Html, html } from '../../../../platform/html/index.ts';
import type { PublicForm } from '../../forms/form.ts';
import { INPUT_KINDS } from '../../forms/input-kinds.ts';
import { isTicked } from '../consent.ts';
import { type Inputs, ownText } from '../inputs.ts';
import { isOwn, OWN } from '../own-inputs.ts';

/** What stands in the inputs, and what is wrong with it. */
export type Filled = { inputs: Inputs; errors: readonly FieldError[] };

const OTHER = { type: 'text', autocomplete: 'on' };

/** The inputs of a form with what stands in them. What a page sent beside its fields goes along unseen, unless something is wrong with it. */
export function fieldsOf(form: PublicForm, filled: Filled): Html[] {
  const known = new Set(form.fields.map(({ name }) => name));
  const others = [...filled.inputs].filter(([name]) => !known.has(name) && !isOwn(name));
  return [
    ...form.fields.map((field, index) => visible(field, `f${index}`, filled)),
    ...others.map(([name, values], index) =>
      errorOf(filled, name)
        ? visible({ name, label: name, to: '', required: false }, `o${index}`, filled)
        : hiddenAll(name, values),
    ),
    form.consent ? consentBox(form, form.consent, filled) : html``,
  ];
}

/** Where the errors stand that an input has; what has none of its own is told above the form. */
export function anchorOf(
  form: PublicForm,
  { inputs, errors }: Filled,
  path: string,
): string | null {
  const index = form.fields.findIndex(({ name }) => name === path);
  if (index >= 0) return `f${index}`;
  if (path === OWN.consent || path === OWN.consentVersion) return form.consent ? 'consent' : null;
  const known = new Set(form.fields.map(({ name }) => name));
  const others = [...inputs.keys()].filter((name) => !known.has(name) && !isOwn(name));
  const place = others.indexOf(path);
  return place >= 0 && errorOf({ inputs, errors }, path) ? `o${place}` : null;
}

function visible(field: FormField, id: string, filled: Filled): Html {
  const values = filled.inputs.get(field.name) ?? [];
  const error = errorOf(filled, field.name);
  if (values.length > 1 && !error) return hiddenAll(field.name, values);
  const value = textOf(values[0]);
  const { type, autocomplete } = INPUT_KINDS[field.to] ?? OTHER;
  const shared = html`id="${id}" name="${field.name}" autocomplete="${autocomplete}"${field.required && html` required`}${describedBy(id, error)}`;
  return html`<div class="field">
<label for="${id}">${field.label}${!field.required && html` <span>(optional)</span>`}</label>
${
  /[\r\n]/.test(value)
    ? // A line feed at its start would be dropped.
      html`<textarea ${shared}>
${value}</textarea>`
    : html`<input type="${type}" ${shared} value="${value}">`
}${errorText(id, error)}
</div>
`;
}

const describedBy = (id: string, error: FieldError | undefined) =>
  error && html` aria-invalid="true" aria-describedby="${id}-error"`;

const errorText = (id: string, error: FieldError | undefined) =>
  error &&
  html`
<p class="error" id="${id}-error">${error.message}</p>`;

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">
`;

/** All that people typed or ticked, unseen; what the form measured itself is over. */
export const allHidden = (inputs: Inputs): Html[] =>
  [...inputs]
    .filter(([name]) => !isOwn(name) || name === OWN.consent || name === OWN.consentVersion)
    .map(([name, values]) => hiddenAll(name, values));

const hiddenAll = (name: string, values: readonly unknown[]): Html =>
  html`${values.map((value) => hidden(name, textOf(value)))}`;

/** The box of the present text; ticked only where that very text was agreed to. */
function consentBox(
  form: PublicForm,
  { version, required }: NonNullable<PublicForm['consent']>,
  filled: Filled,
): Html {
  const given = isTicked(ownText(filled.inputs, OWN.consent));
  const sameText = ownText(filled.inputs, OWN.consentVersion) === String(version);
  const error =
    errorOf(filled, OWN.consent) ?? (errorOf(filled, OWN.consentVersion) && CHANGED_TEXT);
  return html`<div class="field">
<div class="consent">
<input type="checkbox" id="consent" name="${OWN.consent}" value="yes"${given && sameText && html` checked`}${required && html` required`}${describedBy('consent', error)}>
<label for="consent">${form.consentTexts.get(version) ?? ''}</label>
</div>${errorText('consent', error)}
${hidden(OWN.consentVersion, String(version))}</div>
`;
}

const CHANGED_TEXT: FieldError = {
  path: OWN.consent,
  code: 'required',
  message: 'Please read the text and tick the box if you agree',
};

const errorOf = ({ errors }: Filled, name: string): FieldError | undefined =>
  errors.find(({ path }) => path === name);

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
