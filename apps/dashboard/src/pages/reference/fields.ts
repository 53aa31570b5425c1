import type { Resolve } from './document.ts';
import { membersOf } from './members.ts';

export type Field = {
  /** Members of members as `address.city`, those of entries as `data[].id`. */
  name: string;
  type: string;
  required: boolean;
  /** What a value must hold to, in words; empty where nothing. */
  rules: string;
  description: string;
};

export type Schema = {
  type?: string | string[];
  properties?: Record<string, unknown>;
  required?: string[];
  items?: unknown;
  anyOf?: unknown[];
  oneOf?: unknown[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  default?: unknown;
  [rule: string]: unknown;
};

const MAX_DEPTH = 3;

/** The members of an object schema, or of all that it may be, one row each, members of members below theirs. */
export function fieldsOf(schema: unknown, resolve: Resolve, depth = 0): Field[] {
  const { properties, required } = membersOf(schema, resolve);
  return Object.entries(properties).flatMap(([name, inner]) => {
    const member = resolve<Schema>(inner);
    const own = {
      ...{ name, type: typeOf(member, resolve), required: required.includes(name) },
      rules: rulesOf(member, resolve),
      description: member.description ?? '',
    };
    return [own, ...(depth < MAX_DEPTH ? innerFields(name, member, resolve, depth) : [])];
  });
}

function innerFields(name: string, member: Schema, resolve: Resolve, depth: number): Field[] {
  const prefix = member.items ? `${name}[]` : name;
  return fieldsOf(member.items ?? member, resolve, depth + 1).map((field) => ({
    ...field,
    name: `${prefix}.${field.name}`,
  }));
}

function typeOf(schema: Schema, resolve: Resolve): string {
  const { type, items, anyOf, oneOf } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = anyOf ?? oneOf;
  if (choices) {
    const types = choices.map((choice) => typeOf(resolve<Schema>(choice), resolve));
    return [...new Set(types)].join(' or ');
  }
  if (items) return `array of ${typeOf(resolve<Schema>(items), resolve)}`;
  return [type ?? 'any'].flat().join(' or ');
}

const list = (values: unknown[]) => values.map((value) => String(value)).join(', ');

/** JSON Schema's keywords that say more than the descriptions do; patterns only repeat them. */
const RULES: Record<string, (value: never) => string> = {
  enum: (values: unknown[]) => `one of ${list(values)}`,
  minLength: (n: number) => `at least ${n} ${n === 1 ? 'character' : 'characters'}`,
  maxLength: (n: number) => `at most ${n} characters`,
  minimum: (n: number) => `from ${n}`,
  maximum: (n: number) => `up to ${n}`,
  minItems: (n: number) => `at least ${n} ${n === 1 ? 'entry' : 'entries'}`,
  maxItems: (n: number) => `at most ${n} entries`,
  default: (value: unknown) => `default ${JSON.stringify(value)}`,
};

const rulesOf = (schema: Schema, resolve: Resolve): string => {
  const items = schema.items === undefined ? undefined : resolve<Schema>(schema.items);
  const rules = Object.entries(RULES).flatMap(([keyword, say]) =>
    schema[keyword] === undefined ? [] : [say(schema[keyword] as never)],
  );
  if (items?.enum) rules.unshift(`each one of ${list(items.enum)}`);
  return rules.join('; ');
};
