import { EVENT_TYPES, WebhookInput, WebhookPatch } from '@leadwire/contract';
import { emptyBody, type FieldError, invalid } from '../../platform/errors/index.ts';
import { checkTargetUrl } from '../../platform/outbound/index.ts';
import { createValidator, isStorable, NOT_STORABLE } from '../../platform/validation/index.ts';

type Rules = { allowPrivate: boolean };

const validateInput = createValidator(WebhookInput);
const validatePatch = createValidator(WebhookPatch);

/** Checks a new webhook. @throws AppError 400 with the summary of what is wrong. */
export function readWebhookInput(body: unknown, rules: Rules): WebhookInput {
  return read(body, validateInput, rules) as WebhookInput;
}

/** Checks a change of a webhook. @throws AppError 400: `empty_body` for {}, else the summary of what is wrong. */
export function readWebhookPatch(body: unknown, rules: Rules): WebhookPatch {
  if (isObject(body) && Object.keys(body).length === 0) throw emptyBody();
  return read(body, validatePatch, rules) as WebhookPatch;
}

const ORDER = Object.keys(WebhookInput.properties);

function read(body: unknown, validate: (value: unknown) => FieldError[], rules: Rules): object {
  if (!isObject(body)) throw invalid(validate(body));
  const errors = [...validate(shortened(body)), ...checkTexts(body, rules)];
  if (errors.length > 0) throw invalid(inFieldOrder(errors));
  return body;
}

/** A list that is far too long fails by its length, not by each of its entries. */
function shortened(body: Record<string, unknown>): Record<string, unknown> {
  const { events } = body;
  if (!Array.isArray(events)) return body;
  return { ...body, events: events.slice(0, EVENT_TYPES.length + 1) };
}

function checkTexts({ url, description }: Record<string, unknown>, rules: Rules): FieldError[] {
  const errors: FieldError[] = [];
  const add = (path: string, code: string, text: string) =>
    errors.push({ path, code, message: `${path} ${text}` });
  if (typeof url === 'string') {
    if (!isStorable(url)) add('url', 'invalid_characters', NOT_STORABLE);
    const refused = checkTargetUrl(url, rules);
    if (refused !== null) add('url', 'target', refused);
  }
  if (typeof description === 'string' && !isStorable(description)) {
    add('description', 'invalid_characters', NOT_STORABLE);
  }
  return errors;
}

/** One failure a field, in the order of the fields; a field as a whole before its entries; what is no field last. */
function inFieldOrder(errors: FieldError[]): FieldError[] {
  const first = new Map<string, FieldError>();
  for (const error of errors) {
    const field = error.code === 'unknown_field' ? error.path : fieldOf(error.path);
    const known = first.get(field);
    if (!known || (known.path !== field && error.path === field)) first.set(field, error);
  }
  const place = ([field]: [string, FieldError]) =>
    ORDER.includes(field) ? ORDER.indexOf(field) : ORDER.length;
  return [...first].sort((a, b) => place(a) - place(b)).map(([, error]) => error);
}

const fieldOf = (path: string): string => path.split('.', 1)[0] ?? '';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
