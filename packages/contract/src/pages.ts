import Type from 'typebox';
import { LIMITS } from './limits.ts';

/** How long a page of a list is. */
export const pageLimit = (fallback: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.listMax,
      default: fallback,
      description: 'How many at most.',
      examples: [10],
    }),
  );

/** Where the next page begins; null behind the last one. */
export const nextCursorOf = (description = 'Non-null: more exist. Null: the last page.') =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });
