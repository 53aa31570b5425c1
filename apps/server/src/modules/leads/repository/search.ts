import type { LeadRow } from '@leadwire/contract/dashboard';
import { type Database, isTimeout, timestampToIso } from '../../../platform/database/index.ts';
import { UNINDEXED_TIME } from './find.ts';

export type SearchFilter = {
  accountId: string;
  campaignId: number | null;
  status: string | null;
  source: string | null;
  /** ISO 8601; exclusive. */
  createdAfter: string | null;
  createdBefore: string | null;
};

/** `older` begins at the newest, `newer` at the oldest that meets the filter; rows come in that order. */
export type Direction = 'older' | 'newer';

type Page = { direction: Direction; limit: number };

const COLUMNS = `leads.id, leads.campaign_id, leads.external_lead_id, leads.status, leads.phone, leads.email,
  leads.first_name, leads.last_name, leads.source, leads.created_at, leads.erased_at`;

/** $1 to $6: a SearchFilter. Parameters that are null fall away when the statement is planned, which it is each time. */
export const FILTER = `
    ($2::int IS NULL OR leads.campaign_id = $2) AND ($3::text IS NULL OR leads.status = $3)
    AND ($4::text IS NULL OR leads.source = $4)
    AND ($5::timestamptz IS NULL OR leads.created_at > $5) AND ($6::timestamptz IS NULL OR leads.created_at < $6)`;

const ORDER = { older: 'DESC', newer: 'ASC' } as const;

const list = (direction: Direction) => `
  SELECT ${COLUMNS} FROM leads WHERE leads.account_id = $1 AND ${FILTER}
  ORDER BY leads.created_at ${ORDER[direction]} LIMIT $7`;

/** The rows of each index by themselves: with OR the planner may walk all leads by time instead. */
const exact = (direction: Direction) => {
  const inOrder = `ORDER BY ${UNINDEXED_TIME} ${ORDER[direction]} LIMIT $7`;
  return `
  SELECT * FROM (
    (SELECT ${COLUMNS} FROM leads
     WHERE leads.account_id = $1 AND leads.external_lead_id = $8 AND ${FILTER} ${inOrder})
    UNION
    (SELECT ${COLUMNS} FROM leads WHERE leads.account_id = $1 AND leads.phone = $9 AND ${FILTER} ${inOrder})
    UNION
    (SELECT ${COLUMNS} FROM leads
     WHERE leads.account_id = $1 AND lower(leads.email) = lower($8) AND ${FILTER} ${inOrder})
  ) found
  ORDER BY created_at ${ORDER[direction]} LIMIT $7`;
};

/** Looks at names in the index by time alone, and fetches the rows of those that fit. strpos() knows no wildcards. */
const named = (direction: Direction) => `
  WITH named AS MATERIALIZED (
    SELECT leads.account_id, leads.created_at FROM leads
    WHERE leads.account_id = $1 AND ${FILTER}
      AND strpos(lower(coalesce(leads.first_name, '') || ' ' || coalesce(leads.last_name, '')), lower($8)) > 0
    ORDER BY leads.created_at ${ORDER[direction]} LIMIT $7
  )
  SELECT ${COLUMNS} FROM named
  JOIN leads ON leads.account_id = named.account_id AND leads.created_at = named.created_at
  ORDER BY leads.created_at ${ORDER[direction]}`;

/** $1 to $7 of every statement here. */
export const valuesOf = (filter: SearchFilter, { limit }: Pick<Page, 'limit'>): unknown[] => [
  filter.accountId,
  filter.campaignId,
  filter.status,
  filter.source,
  filter.createdAfter,
  filter.createdBefore,
  limit,
];

type Query = Database['query'];
type Row = Omit<LeadRow, 'created_at' | 'erased_at'> & {
  created_at: string;
  erased_at: string | null;
};

const toRow = (row: Row): LeadRow => ({
  ...row,
  created_at: timestampToIso(row.created_at),
  erased_at: row.erased_at && timestampToIso(row.erased_at),
});

/** @param timeoutMs after which the statement ends. @returns null where it took longer */
async function bounded(
  database: Database,
  timeoutMs: number,
  statement: { text: string; values: unknown[] },
): Promise<LeadRow[] | null> {
  const run = async (query: Query) => {
    await query({
      text: `SELECT set_config('statement_timeout', $1, true)`,
      values: [String(timeoutMs)],
    });
    return query<Row>(statement);
  };
  try {
    return (await database.transaction(run)).map(toRow);
  } catch (error) {
    if (isTimeout(error)) return null;
    throw error;
  }
}

const SEARCH_TIMEOUT_MS = 5_000;

export const listLeadRows = (database: Database, filter: SearchFilter, page: Page) =>
  bounded(database, SEARCH_TIMEOUT_MS, {
    text: list(page.direction),
    values: valuesOf(filter, page),
  });

/** Leads with this external id, phone number (null: the text is none) or e-mail address, whatever the case of its letters. */
export const findExactly = (
  database: Database,
  filter: SearchFilter,
  { text, phone }: { text: string; phone: string | null },
  page: Page,
) =>
  bounded(database, SEARCH_TIMEOUT_MS, {
    text: exact(page.direction),
    values: [...valuesOf(filter, page), text, phone],
  });

/** Leads with this text in first and last name, whatever the case of its letters. */
export const findByName = (database: Database, filter: SearchFilter, text: string, page: Page) =>
  bounded(database, SEARCH_TIMEOUT_MS, {
    text: named(page.direction),
    values: [...valuesOf(filter, page), text],
  });
