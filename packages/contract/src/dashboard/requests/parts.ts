import Type, { type Static, type TSchema } from 'typebox';

/** A body that takes these fields and no others. */
export const body = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

/** The same, or null. */
export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [(schema as { type?: string }).type, 'null'],
  });

/** One of a few words. */
export const oneOf = <Word extends string>(words: readonly Word[]) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words] });

export const name = Type.String({ minLength: 1, maxLength: 100, format: 'no-control-characters' });
export const email = Type.String({ maxLength: 320, format: 'email' });
/** What a person types in as their password; its least length is asked of new ones alone. */
export const password = Type.String({ minLength: 1, maxLength: 128 });
export const newPassword = Type.String({ minLength: 12, maxLength: 128 });
/** The secret part of a link. */
export const linkToken = Type.String({ minLength: 1, maxLength: 128 });

/** The ranges that figures are shown for. */
export const RANGES = ['hour', 'day', 'week', 'month'] as const;
export type Range = (typeof RANGES)[number];
export const rangeQuery = Type.Object(
  {
    range: Type.Optional(Type.Unsafe<Range>({ type: 'string', enum: [...RANGES], default: 'day' })),
  },
  { additionalProperties: false },
);
