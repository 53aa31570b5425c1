import type { DashboardApi, LeadRow } from '@leadwire/contract/dashboard';
import { normalizeTimestamp } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/grouping/index.ts';
import { badCursor, searchTooSlow } from './errors.ts';
import { filterOf, type SearchText, searchOf } from './filter.ts';
import {
  type Direction,
  findByName,
  findExactly,
  listLeadRows,
  type SearchFilter,
} from './repository/search.ts';

type Query = DashboardApi['listLeads']['query'];
type Answer = DashboardApi['listLeads']['answer'];

export type SearchLeads = (accountId: string, query: Query) => Promise<Answer>;

const DEFAULT_LIMIT = 50;

/**
 * The leads of an account, newest first. `search` is an external id, a phone number or an e-mail address as a whole;
 * where it is none of those of any lead, it is part of a name.
 * @throws AppError 400 for a bad cursor, 503 where the search takes too long
 */
export function createSearchLeads(deps: { database: Database; heavyRead: FairQueue }): SearchLeads {
  return (accountId, query) =>
    deps.heavyRead(accountId, async () => {
      const { limit = DEFAULT_LIMIT } = query;
      const cursor = readCursor(query.cursor);
      const direction = cursor?.direction ?? 'older';
      // One more than asked for tells whether there is a next page.
      const page = { direction, limit: limit + 1 };
      const filter = from(cursor, filterOf(accountId, query));
      const rows = await find(deps.database, filter, searchOf(query.search), page);
      if (!rows) throw searchTooSlow();
      return toAnswer(rows, limit, cursor);
    });
}

async function find(
  database: Database,
  filter: SearchFilter,
  search: SearchText | null,
  page: { direction: Direction; limit: number },
): Promise<LeadRow[] | null> {
  if (!search) return listLeadRows(database, filter, page);
  const exact = await findExactly(database, filter, search, page);
  if (!exact || exact.length > 0) return exact;
  return findByName(database, filter, search.text, page);
}

type Cursor = { direction: Direction; at: string };

/** `<time>` goes on with older leads, `+<time>` with newer ones. @throws AppError 400 */
function readCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const direction = text.startsWith('+') ? 'newer' : 'older';
  const at = normalizeTimestamp(direction === 'newer' ? text.slice(1) : text);
  if (at === null) throw badCursor();
  return { direction, at };
}

/** The same leads, from where a page ended. Times in this form compare as their texts do. */
function from(cursor: Cursor | null, filter: SearchFilter): SearchFilter {
  const { createdAfter: after, createdBefore: before } = filter;
  if (cursor?.direction === 'newer' && (!after || cursor.at > after)) {
    return { ...filter, createdAfter: cursor.at };
  }
  if (cursor?.direction === 'older' && (!before || cursor.at < before)) {
    return { ...filter, createdBefore: cursor.at };
  }
  return filter;
}

function toAnswer(rows: LeadRow[], limit: number, cursor: Cursor | null): Answer {
  const hasMore = rows.length > limit;
  const leads = rows.slice(0, limit);
  const isNewer = cursor?.direction === 'newer';
  if (isNewer) leads.reverse();
  const [first, last] = [leads[0]?.created_at, leads.at(-1)?.created_at];
  const hasOlder = isNewer || hasMore;
  const hasNewer = isNewer ? hasMore : cursor !== null;
  return {
    leads,
    next_cursor: hasOlder ? (last ?? cursor?.at ?? null) : null,
    previous_cursor: hasNewer && first !== undefined ? `+${first}` : null,
  };
}
