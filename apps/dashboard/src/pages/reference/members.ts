import type { Resolve } from './document.ts';
import type { Schema } from './fields.ts';

type Members = { properties: Record<string, unknown>; required: readonly string[] };

/**
 * The members of an object. Of one that is this or that (oneOf, anyOf): the members of all of them, required where each has
 * to have it, with a word on which has it where not each does.
 */
export function membersOf(schema: unknown, resolve: Resolve): Members {
  const found = resolve<Schema | undefined>(schema) ?? {};
  const choices = found.oneOf ?? found.anyOf;
  if (found.properties || !choices) return { properties: {}, required: [], ...found };
  const variants = choices
    .map((choice) => ({ name: nameOf(choice, resolve), ...membersOf(choice, resolve) }))
    // What is no object, such as null, has none.
    .filter(({ properties }) => Object.keys(properties).length > 0);
  const names = new Set(variants.flatMap(({ properties }) => Object.keys(properties)));
  return {
    properties: Object.fromEntries(
      [...names].map((name) => [name, merged(name, variants, resolve)]),
    ),
    required: [...names].filter((name) =>
      variants.every(({ required }) => required.includes(name)),
    ),
  };
}

type Variant = Members & { name: string | undefined };

function merged(member: string, variants: readonly Variant[], resolve: Resolve): unknown {
  const having = variants.filter(({ properties }) => Object.hasOwn(properties, member));
  const distinct = new Map(
    having.map(({ properties }) => [JSON.stringify(properties[member]), properties[member]]),
  );
  const [first, ...others] = [...distinct.values()].map((one) => resolve<Schema>(one));
  const one = others.length === 0 ? first : { ...wordsOf(first), anyOf: [...distinct.values()] };
  if (having.length === variants.length) return one;
  const only = having.every(({ name }) => name)
    ? `Only in ${having.map(({ name }) => name).join(', ')}.`
    : 'Not in each.';
  return { ...one, description: [one?.description, only].filter(Boolean).join(' ') };
}

const wordsOf = (schema: Schema | undefined) =>
  schema?.description === undefined ? {} : { description: schema.description };

/** What the document calls a schema; undefined where it has no name. */
function nameOf(schema: unknown, resolve: Resolve): string | undefined {
  const { $ref } = schema as { $ref?: string };
  return $ref?.split('/').at(-1) ?? resolve<{ title?: string }>(schema).title;
}
