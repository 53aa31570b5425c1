import { EVENT_TYPES, type EventFeedQuery } from '@leadwire/contract';
import type { Database } from '../../platform/database/index.ts';
import { type FieldError, invalid } from '../../platform/errors/index.ts';
import { composeEvent } from './body.ts';
import { fromCursor, type Position, START, toCursor } from './cursor.ts';
import * as repository from './repository.ts';

/** What a caller asks the feed for. */
export type FeedRequest = {
  limit: number;
  /** null: of all types. */
  types: string[] | null;
  /** Where to go on; `now`: behind everything that can be shown by now. */
  after: Position | 'now';
};

/** `events` are JSON texts, oldest first; `nextCursor` is where to go on, also behind an empty page. */
export type FeedPage = { events: string[]; nextCursor: string; hasMore: boolean };

export type Feed = (accountId: string, request: FeedRequest) => Promise<FeedPage>;

// A page of a rare type ends here, short or empty: what one request costs is bounded, and its cursor has moved on.
const LOOK_AT = 5_000;

/**
 * The events of an account in the order of the transactions that wrote them (ADR 0013): an event that
 * commits late comes later, and is never skipped.
 */
export function createFeed(database: Database): Feed {
  return async (accountId, { after, types, limit }) => {
    const { horizon, next } = await repository.readReach(database);
    if (after === 'now') {
      const newest = await repository.findNewest(database, { accountId, horizon });
      return { events: [], nextCursor: toCursor(newest ?? START), hasMore: false };
    }
    // Of another server than this one, e.g. from before a dump was restored: it would skip events until numbers catch up.
    if (BigInt(after.writtenIn) >= BigInt(next)) throw invalid([STRANGE_CURSOR]);
    const stretch = { accountId, after, horizon };
    const lookAt = types ? LOOK_AT : limit + 1;
    const rows = await repository.readEvents(database, stretch, {
      ...{ types, lookAt, limit: limit + 1 },
    });
    const shown = rows.slice(0, limit);
    const { end, hasMore } =
      rows.length <= limit && types
        ? endOf(await repository.findEnd(database, stretch, lookAt))
        : { end: positionOf(shown.at(-1)), hasMore: rows.length > limit };
    return { events: shown.map(composeEvent), nextCursor: toCursor(end ?? after), hasMore };
  };
}

const endOf = (end: (Position & { count: number }) | null) => ({
  end,
  hasMore: end?.count === LOOK_AT,
});

const positionOf = (row: repository.FeedRow | undefined): Position | null =>
  row ? { writtenIn: row.written_in, id: row.id } : null;

const STRANGE_CURSOR: FieldError = {
  path: 'cursor',
  code: 'unknown_cursor',
  message: 'cursor is not of this store; begin with from=start',
};

/** @throws AppError 400 for what is no cursor or no event type, or a cursor beside from=now */
export function readFeedRequest(query: EventFeedQuery & { limit: number }): FeedRequest {
  const errors: FieldError[] = [];
  const types = query.type === undefined ? null : [...new Set(query.type.split(','))];
  const position = query.cursor === undefined ? START : fromCursor(query.cursor);
  if (!position) {
    errors.push({
      path: 'cursor',
      code: 'format',
      message: 'cursor must be an earlier nextCursor',
    });
  }
  if (types?.some((type) => !EVENT_TYPES.some((known) => known === type))) {
    const message = `type must be ${EVENT_TYPES.join(' or ')}, several comma-separated`;
    errors.push({ path: 'type', code: 'enum', message });
  }
  if (query.from === 'now' && query.cursor !== undefined) {
    errors.push({ path: 'from', code: 'conflict', message: 'from=now must come without a cursor' });
  }
  if (errors.length > 0) throw invalid(errors);
  return {
    limit: query.limit,
    types,
    after: query.from === 'now' ? 'now' : (position as Position),
  };
}
