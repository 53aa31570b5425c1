import { isUuid } from '../../platform/ids/index.ts';

/** A place in the feed: behind the event `id`, which the transaction `writtenIn` wrote. */
export type Position = { writtenIn: string; id: string };

/** Before every event: no transaction has the number 0. */
export const START: Position = { writtenIn: '0', id: '00000000-0000-0000-0000-000000000000' };

const MAX_XID8 = 2n ** 64n - 1n;

/*
 * A cursor always names an event that was seen (or the start), never how far transactions had come: after a crash
 * PostgreSQL gives out again the numbers of transactions that left nothing behind, but never one at or below that of a
 * commit. A cursor in between would then skip events.
 */
export const toCursor = ({ writtenIn, id }: Position): string =>
  Buffer.from(`${writtenIn}.${id}`).toString('base64url');

/** @returns null where `text` is no cursor that toCursor() has made */
export function fromCursor(text: string): Position | null {
  const plain = Buffer.from(text, 'base64url').toString('latin1');
  const [writtenIn = '', id = '', ...rest] = plain.split('.');
  const isOurs = /^(?:0|[1-9]\d{0,19})$/.test(writtenIn) && isUuid(id) && rest.length === 0;
  if (!isOurs || BigInt(writtenIn) > MAX_XID8) return null;
  const position = { writtenIn, id };
  return toCursor(position) === text ? position : null;
}
