import { FORMAT_NOTES } from './formats.ts';
import { NAMED } from './named.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

type Use = 'request' | 'answer';

// By their text: what is optional somewhere is a copy there.
const nameOf = new Map(
  Object.entries(NAMED).map(([name, schema]) => [JSON.stringify(schema), name]),
);

/** components.schemas: the shared schemas of the contract, each once. */
export const namedSchemas = (): JsonObject =>
  Object.fromEntries(
    Object.entries(NAMED).map(([name, schema]) => [name, membersOf(schema, useOf(name))]),
  );

const useOf = (name: string): Use => (/Input|Patch$/.test(name) ? 'request' : 'answer');

/**
 * A schema as the document shows it: shared ones as $ref, our own formats with a pattern beside them. Answers are open, as far
 * as clients can tell: one that refuses what it does not know would break with the next member that an answer gets.
 */
export const schemaOf = (schema: object, use: Use): Json => write(schema, use);

function write(value: unknown, use: Use): Json {
  if (Array.isArray(value)) return value.map((entry) => write(entry, use));
  if (typeof value !== 'object' || value === null) return value as Json;
  const name = nameOf.get(JSON.stringify(value));
  return name ? { $ref: `#/components/schemas/${name}` } : membersOf(value, use);
}

function membersOf(schema: object, use: Use): Json {
  const members = Object.entries(schema)
    .filter(([key, inner]) => !(use === 'answer' && key === 'additionalProperties' && !inner))
    .map(([key, inner]) => [key, write(inner, use)]);
  return withFormatNote(Object.fromEntries(members));
}

function withFormatNote(schema: JsonObject): JsonObject {
  const { format, description } = schema;
  const known = typeof format === 'string' ? FORMAT_NOTES[format] : undefined;
  if (!known) return schema;
  const text = [description, known.note].filter(Boolean).join(' ');
  return {
    ...schema,
    ...(text && { description: text }),
    ...(known.pattern && { pattern: known.pattern }),
  };
}
