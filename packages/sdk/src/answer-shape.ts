import { isObject } from '@leadwire/contract/stored';

/** Whether a body can be the answer that was asked for. What stands in front of the service may have sent it. */
export type IsAnswer = (body: Record<string, unknown>) => boolean;

/** One lead, and what belongs to it. */
export const isLeadAnswer: IsAnswer = ({ lead }) => isObject(lead);

/** A page: rows under a name, and where to go on. */
export const isPageOf =
  (name: string): IsAnswer =>
  ({ [name]: rows, nextCursor }) =>
    Array.isArray(rows) && (nextCursor === null || typeof nextCursor === 'string');

/** A result for each row that was sent, in order, and how many there are of each kind. */
export const isResultsOf =
  (rows: number, kinds: readonly string[]): IsAnswer =>
  ({ results, counts }) =>
    Array.isArray(results) &&
    results.length === rows &&
    results.every((result, index) => isObject(result) && result.index === index) &&
    isObject(counts) &&
    kinds.every((kind) => Number.isInteger(counts[kind]));
