import type { Lead } from '@leadwire/contract';
import type { Database } from '../../../platform/database/index.ts';
import type { SearchText } from '../filter.ts';
import { UNINDEXED_TIME } from './find.ts';
import { LEAD_COLUMNS, leadColumns, toStoredLead } from './rows.ts';
import { FILTER, type SearchFilter, valuesOf } from './search.ts';

/** How leads are looked for: all of the filter, those that the text names as a whole, or those with it in their names. */
export type Looking = { how: 'all' } | ({ how: 'exact' | 'by name' } & SearchText);

/** `chars`: about how much text the rows hold. */
export type LeadPage = { leads: Lead[]; chars: number };

const COLUMNS = leadColumns('leads');

const ALL = `
  SELECT ${COLUMNS} FROM leads WHERE leads.account_id = $1 AND ${FILTER}
  ORDER BY leads.created_at DESC LIMIT $7`;

const IN_ORDER = `ORDER BY ${UNINDEXED_TIME} DESC LIMIT $7`;

/** As the list finds them (search.ts), by their keys: JSON columns cannot be compared by a UNION. */
const EXACT = `
  WITH found AS MATERIALIZED (
    (SELECT leads.account_id, leads.created_at FROM leads
     WHERE leads.account_id = $1 AND leads.external_lead_id = $8 AND ${FILTER} ${IN_ORDER})
    UNION
    (SELECT leads.account_id, leads.created_at FROM leads
     WHERE leads.account_id = $1 AND leads.phone = $9 AND ${FILTER} ${IN_ORDER})
    UNION
    (SELECT leads.account_id, leads.created_at FROM leads
     WHERE leads.account_id = $1 AND lower(leads.email) = lower($8) AND ${FILTER} ${IN_ORDER})
  )
  SELECT ${COLUMNS} FROM found
  JOIN leads ON leads.account_id = found.account_id AND leads.created_at = found.created_at
  ORDER BY leads.created_at DESC LIMIT $7`;

const BY_NAME = `
  WITH named AS MATERIALIZED (
    SELECT leads.account_id, leads.created_at FROM leads
    WHERE leads.account_id = $1 AND ${FILTER}
      AND strpos(lower(coalesce(leads.first_name, '') || ' ' || coalesce(leads.last_name, '')), lower($8)) > 0
    ORDER BY leads.created_at DESC LIMIT $7
  )
  SELECT ${COLUMNS} FROM named
  JOIN leads ON leads.account_id = named.account_id AND leads.created_at = named.created_at
  ORDER BY leads.created_at DESC`;

function statementOf(looking: Looking): { text: string; values: unknown[] } {
  if (looking.how === 'all') return { text: ALL, values: [] };
  if (looking.how === 'exact') return { text: EXACT, values: [looking.text, looking.phone] };
  return { text: BY_NAME, values: [looking.text] };
}

/** The newest leads of the filter; the pool's own timeout bounds the statement. */
export async function readLeadPage(
  database: Database,
  filter: SearchFilter,
  looking: Looking,
  limit: number,
): Promise<LeadPage> {
  const { text, values } = statementOf(looking);
  const rows = await database.queryArrays({
    text,
    values: [...valuesOf(filter, { limit }), ...values],
  });
  const chars = rows.reduce((sum, row) => sum + charsOf(row), 0);
  return { leads: rows.map((row) => toStoredLead(row).lead), chars };
}

/** What may be long: a consent's text and custom fields. The rest is about as much in every lead. */
const LONG = (['tcpa_consent_text', 'custom_fields'] as const).map((name) =>
  LEAD_COLUMNS.indexOf(name),
);
const CHARS_OF_THE_REST = 500;

const charsOf = (row: unknown[]): number =>
  LONG.reduce(
    (sum, column) => sum + ((row[column] as string | null)?.length ?? 0),
    CHARS_OF_THE_REST,
  );
