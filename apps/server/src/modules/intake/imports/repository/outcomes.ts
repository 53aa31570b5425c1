import {
  type Database,
  int4Array,
  jsonArray,
  textArray,
  uuidArray,
} from '../../../../platform/database/index.ts';
import { parseJson } from '../../../../platform/json/index.ts';
import type { ImportKey } from './imports.ts';
import type { Lease } from './states.ts';

export type RowError = { field: string; column: string | null; code: string; message: string };
export type Outcome = 'good' | 'inserted' | 'patched' | 'deduped' | 'failed';
export type RowOutcome = {
  line: number;
  outcome: Outcome;
  leadId: string | null;
  errors: RowError[];
  byDefaultCountry: boolean;
};

const LETTERS = { g: 'good', i: 'inserted', p: 'patched', d: 'deduped', f: 'failed' } as const;

/**
 * Stores the outcomes of a chunk, how far the import is, and the renewed lease, all or nothing.
 * @returns the state of the import now; null where the lease was lost and nothing was stored
 */
export async function storeChunk(
  database: Database,
  key: ImportKey,
  lease: Lease,
  chunk: { firstRow: number; rows: RowOutcome[]; kind: 'check' | 'run' },
): Promise<string | null> {
  const { firstRow, rows } = chunk;
  const bad = rows.filter(({ errors }) => errors.length > 0);
  const count = (outcome: Outcome) => rows.filter((row) => row.outcome === outcome).length;
  const ids = [key.accountId, key.importId];
  return database.transaction(async (query) => {
    const [updated] = await query<{ state: string }>({
      name: 'store-import-progress',
      text: `UPDATE imports SET leased_until = clock_timestamp() + $4::float8 * interval '1 millisecond',
               rows_done = $5::int + $6::int, good = good + $7, inserted = inserted + $8, patched = patched + $9,
               deduped = deduped + $10, failed = failed + $11,
               phones_by_default_country = phones_by_default_country + $12
             WHERE account_id = $1 AND id = $2 AND lease_holder = $3 AND rows_done = $5::int
               AND (state IN ('checking', 'running') OR state = 'stopped' AND $13) RETURNING state`,
      values: [
        ...[...ids, lease.holder, lease.forMs, firstRow, rows.length, count('good')],
        ...[count('inserted'), count('patched'), count('deduped'), count('failed')],
        ...[rows.filter((row) => row.byDefaultCountry).length, chunk.kind === 'run'],
      ],
    });
    if (!updated) return null;
    await query({
      name: 'store-import-outcomes',
      text: `INSERT INTO import_outcomes (account_id, import_id, first_row, lines, outcomes, lead_ids)
             VALUES ($1, $2, $3, $4, $5, $6)`,
      values: [
        ...[...ids, firstRow, int4Array(rows.map(({ line }) => line))],
        rows.map(({ outcome }) => outcome[0]).join(''),
        uuidArray(rows.map(({ leadId }) => leadId)),
      ],
    });
    if (bad.length > 0) {
      await query({
        name: 'store-bad-rows',
        text: `INSERT INTO import_bad_rows (account_id, import_id, line, errors)
               SELECT $1, $2, line, errors FROM unnest($3::int4[], $4::json[]) AS bad (line, errors)`,
        values: [
          ...[...ids, int4Array(bad.map(({ line }) => line))],
          jsonArray(bad.map(({ errors }) => JSON.stringify(errors))),
        ],
      });
    }
    return updated.state;
  });
}

export type Ending =
  | { state: 'checked' | 'done' }
  | { state: 'failed'; failure: { code: string; message: string } };

/** Ends a check or a run and gives the lease back. @returns false where the lease was lost, or it was stopped */
export async function finish(
  database: Database,
  key: ImportKey,
  holder: string,
  ending: Ending & { at: string; fileUntil: string; rows: number },
): Promise<boolean> {
  const failure = ending.state === 'failed' ? JSON.stringify(ending.failure) : null;
  const rows = await database.query({
    text: `UPDATE imports SET state = $4, failure = $5, file_until = $7, lease_holder = NULL, leased_until = NULL,
             finished_at = CASE WHEN $4 <> 'checked' THEN $6::timestamptz END,
             rows_total = CASE WHEN $4 = 'failed' THEN rows_total ELSE $8::int END,
             check_result = CASE WHEN $4 = 'checked' THEN json_build_object('rows', $8::int, 'good', good, 'bad', failed,
               'phones_by_default_country', phones_by_default_country) ELSE check_result END,
             failed = CASE WHEN state = 'checking' THEN 0 ELSE failed END
           WHERE account_id = $1 AND id = $2 AND lease_holder = $3 AND state IN ('checking', 'running') RETURNING id`,
    values: [
      ...[key.accountId, key.importId, holder, ending.state, failure, ending.at],
      ...[ending.fileUntil, ending.rows],
    ],
  });
  return rows.length > 0;
}

/** Outcomes chunk by chunk, in the order of the file. @returns those of the chunk that begins at `firstRow`, or after it */
export async function readChunk(
  database: Database,
  key: ImportKey,
  firstRow: number,
): Promise<{
  firstRow: number;
  rows: { line: number; outcome: Outcome; leadId: string | null }[];
} | null> {
  const [row] = await database.query<{
    first_row: number;
    lines: number[];
    outcomes: string;
    lead_ids: (string | null)[];
  }>({
    text: `SELECT first_row, lines, outcomes, lead_ids::text[] AS lead_ids FROM import_outcomes
           WHERE account_id = $1 AND import_id = $2 AND first_row >= $3 ORDER BY first_row LIMIT 1`,
    values: [key.accountId, key.importId, firstRow],
  });
  if (!row) return null;
  const rows = row.lines.map((line, index) => ({
    line,
    outcome: LETTERS[row.outcomes[index] as keyof typeof LETTERS],
    leadId: row.lead_ids[index] ?? null,
  }));
  return { firstRow: row.first_row, rows };
}

/** Bad rows from line `from` on, in the order of the file. */
export async function listBadRows(
  database: Database,
  key: ImportKey,
  { from, to, limit }: { from: number; to?: number; limit: number },
): Promise<{ line: number; errors: RowError[] }[]> {
  const rows = await database.query<{ line: number; errors: string }>({
    text: `SELECT line, errors FROM import_bad_rows
           WHERE account_id = $1 AND import_id = $2 AND line >= $3 AND line <= $4 ORDER BY line LIMIT $5`,
    values: [key.accountId, key.importId, from, to ?? 2_147_483_647, limit],
  });
  return rows.map(({ line, errors }) => ({ line, errors: parseJson(errors) as RowError[] }));
}

/** What these requests did first with these leads, by request id: what an import that was killed has not written down. */
export async function findWrites(
  database: Database,
  { accountId, campaignId }: { accountId: string; campaignId: number },
  writes: { externalLeadId: string; requestId: string }[],
): Promise<Map<string, { kind: 'inserted' | 'patched'; leadId: string }>> {
  if (writes.length === 0) return new Map();
  const rows = await database.query<{
    request_id: string;
    kind: 'inserted' | 'patched';
    lead_id: string;
  }>({
    text: `SELECT DISTINCT ON (a.request_id) a.request_id, a.kind, a.lead_id
           FROM unnest($3::text[], $4::text[]) AS input (external_lead_id, request_id)
           JOIN leads l ON l.account_id = $1 AND l.campaign_id = $2 AND l.external_lead_id = input.external_lead_id
           JOIN lead_audit_records a ON a.account_id = $1 AND a.lead_id = l.id
             AND a.request_id = input.request_id
           ORDER BY a.request_id, a.version`,
    values: [
      ...[accountId, campaignId],
      textArray(writes.map(({ externalLeadId }) => externalLeadId)),
      textArray(writes.map(({ requestId }) => requestId)),
    ],
  });
  return new Map(
    rows.map(({ request_id: id, kind, lead_id: leadId }) => [id, { kind, leadId }] as const),
  );
}

/** The external ids of leads, by their ids. */
export async function findExternalIds(
  database: Database,
  accountId: string,
  leadIds: string[],
): Promise<Map<string, string>> {
  const rows = await database.query<{ id: string; external_lead_id: string }>({
    text: 'SELECT id, external_lead_id FROM leads WHERE account_id = $1 AND id = ANY($2::uuid[])',
    values: [accountId, uuidArray(leadIds)],
  });
  return new Map(rows.map((row) => [row.id, row.external_lead_id]));
}
