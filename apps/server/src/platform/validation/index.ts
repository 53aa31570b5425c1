import { isObject } from '@leadwire/contract/stored';
import { Ajv, type ValidateFunction } from 'ajv';
import type { FieldError } from '../errors/index.ts';
import { FORMATS } from './formats.ts';
import { describeFailure } from './messages.ts';

export { normalizePhone } from '@leadwire/contract/stored';
export { isStorable, NOT_STORABLE } from './text.ts';

type ObjectSchema = {
  type?: unknown;
  properties?: Record<string, ObjectSchema>;
  additionalProperties?: unknown;
  maxItems?: number;
};

export type Validate = (value: unknown) => FieldError[];

const MAX_UNKNOWN_NAMED = 10;
const MAX_NAME_SHOWN = 64;

const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.test);
for (const documented of ['uuid', 'date-time']) ajv.addFormat(documented, true);

/**
 * A function that lists what is wrong with a value by a JSON schema, at most one failure a field, in the order of the schema's
 * properties; unknown fields last. `unknownHint` follows the name of an unknown field. The schema is compiled with the first
 * value: that takes a process some hundred of them a fifth of its start, and a command uses hardly any.
 */
export function createValidator(schema: object, unknownHint = 'is not a known field'): Validate {
  let compiled: ValidateFunction | undefined;
  const properties = (schema as ObjectSchema).properties ?? {};
  const order = new Map(Object.keys(properties).map((name, index) => [name, index]));
  const longest = longestLists(properties);
  const place = (error: FieldError) => order.get(error.path.split('.', 1)[0] ?? '') ?? -1;
  return (value) => {
    compiled ??= ajv.compile(withoutUnknownChecks(schema as ObjectSchema)) as ValidateFunction;
    const isValid = compiled;
    const unknown = unknownFields(schema as ObjectSchema, value, '', unknownHint);
    if (isValid(withoutSurplus(longest, value))) return unknown;
    const first = new Map<string, FieldError>();
    for (const failure of isValid.errors ?? []) {
      const error = describeFailure(failure);
      if (!first.has(error.path)) first.set(error.path, error);
    }
    return [...first.values()].sort((a, b) => place(a) - place(b)).concat(unknown);
  };
}

type Longest = [name: string, maxItems: number][];

const longestLists = (properties: Record<string, ObjectSchema>): Longest =>
  Object.entries(properties).flatMap(
    ([name, { maxItems }]): Longest => (maxItems === undefined ? [] : [[name, maxItems]]),
  );

/** With lists cut to one entry more than they may have: what is wrong with each of a hundred thousand takes seconds to say. */
function withoutSurplus(longest: Longest, value: unknown): unknown {
  if (longest.length === 0 || !isObject(value)) return value;
  const shortened = longest.flatMap(([name, maxItems]) => {
    const list = Object.hasOwn(value, name) ? value[name] : undefined;
    return Array.isArray(list) && list.length > maxItems
      ? [[name, list.slice(0, maxItems + 1)]]
      : [];
  });
  return shortened.length > 0 ? { ...value, ...Object.fromEntries(shortened) } : value;
}

// Unknown fields are looked for by unknownFields, which stays cheap when a body has ten thousand of them.
function withoutUnknownChecks(schema: ObjectSchema): object {
  const { additionalProperties: _dropped, ...rest } = schema;
  if (!rest.properties) return rest;
  const properties = Object.entries(rest.properties).map(
    ([name, property]) => [name, withoutUnknownChecks(property)] as const,
  );
  return { ...rest, properties: Object.fromEntries(properties) };
}

function unknownFields(
  schema: ObjectSchema,
  value: unknown,
  prefix: string,
  hint: string,
): FieldError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { properties = {}, additionalProperties } = schema;
  const errors: FieldError[] = [];
  let unnamed = 0;
  for (const name of Object.keys(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property) {
      if (property.properties) {
        const inner = (value as Record<string, unknown>)[name];
        errors.push(...unknownFields(property, inner, `${prefix}${name}.`, hint));
      }
    } else if (additionalProperties === false) {
      if (errors.length >= MAX_UNKNOWN_NAMED) unnamed++;
      else errors.push(unknownField(prefix + printable(name), hint));
    }
  }
  if (unnamed > 0) {
    const message = `${unnamed} more unknown fields`;
    errors.push({ path: prefix, code: 'unknown_field', message });
  }
  return errors;
}

const unknownField = (path: string, hint: string): FieldError => ({
  path,
  code: 'unknown_field',
  message: `${path} ${hint}`,
});

/** A name that a client chose, made fit for an answer: short, well-formed, without control characters. */
function printable(name: string): string {
  const shown = name.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD');
  if (shown.length <= MAX_NAME_SHOWN) return shown;
  return `${shown.slice(0, MAX_NAME_SHOWN).toWellFormed()}…`;
}
