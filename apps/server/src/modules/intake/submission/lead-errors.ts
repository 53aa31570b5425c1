import type { FormField } from '@leadwire/contract/dashboard';
import { AppError, type FieldError, invalid } from '../../../platform/errors/index.ts';
import type { PublicForm } from '../forms/form.ts';
import { fieldError } from './errors.ts';
import type { Inputs } from './inputs.ts';
import { isOwn } from './own-inputs.ts';

/** A failure of a lead as one of its submission; what is something else stays what it is. */
export function toldOfInputs(error: unknown, form: PublicForm, inputs: Inputs): unknown {
  if (!(error instanceof AppError) || !error.errors) return error;
  return invalid(toInputErrors(error.errors, form, inputs));
}

/**
 * What is wrong with a lead, told of the inputs of the form that it was made of: `path` is the name of the input, and the sentence calls it
 * what the page calls it. What comes of no input has the path ''.
 */
export const toInputErrors = (
  errors: readonly FieldError[],
  form: PublicForm,
  inputs: Inputs,
): FieldError[] => errors.map((error) => toInputError(error, form, inputs));

function toInputError(error: FieldError, { fields }: PublicForm, inputs: Inputs): FieldError {
  const { path, code, message } = error;
  if (path === 'phone' && code === 'required') return contactRequired(fields);
  const field = fields.find(({ to }) => to === path);
  if (field) return fieldError(field.name, code, field.label + message.slice(path.length));
  if (path !== 'custom_fields') return { ...error, path: '' };
  const name = longestOf(inputs, fields);
  const label = fields.find((one) => one.name === name)?.label ?? name;
  return name === undefined
    ? { ...error, path: '' }
    : fieldError(name, code, label + message.slice(path.length));
}

/** A lead needs one of both; the first input that can be it is where the person looks. */
export function contactRequired(fields: readonly FormField[]): FieldError {
  const contacts = fields.filter(({ to }) => to === 'phone' || to === 'email');
  const labels = contacts.map(({ label }) => label).join(' or ');
  return fieldError(
    contacts[0]?.name ?? '',
    'required',
    `${labels || 'A phone or email'} is required`,
  );
}

/** The input that takes the most room among those that go to custom_fields. */
function longestOf(inputs: Inputs, fields: readonly FormField[]): string | undefined {
  const targets = new Map(fields.map(({ name, to }) => [name, to]));
  const sizes = [...inputs]
    .filter(
      ([name]) =>
        !isOwn(name) && (targets.get(name) ?? 'custom_fields.').startsWith('custom_fields.'),
    )
    .map(([name, values]): [string, number] => [name, JSON.stringify(values).length]);
  return sizes.sort(([, a], [, b]) => b - a)[0]?.[0];
}
