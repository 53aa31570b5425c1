import type { ImportSettings, ImportState } from '@leadwire/contract/dashboard';
import { type Database, timestampToIso } from '../../../../platform/database/index.ts';
import { parseJson } from '../../../../platform/json/index.ts';

export type ImportKey = { accountId: string; importId: string };

export type Detected = {
  encoding: ImportSettings['encoding'];
  separator: ImportSettings['separator'];
  remembered: boolean;
  /** What to say of an encoding that is a guess. */
  unsure: string | null;
};

export type StoredImport = ImportKey & {
  fileName: string;
  bytes: number;
  sha256: string | null;
  madeBy: string | null;
  state: ImportState;
  failure: { code: string; message: string } | null;
  settings: ImportSettings | null;
  detected: Detected | null;
  columns: string[] | null;
  rowsDone: number;
  rowsTotal: number | null;
  check: { rows: number; good: number; bad: number; phones_by_default_country: number } | null;
  counts: { inserted: number; patched: number; deduped: number; failed: number };
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  fileUntil: string | null;
  partsArrived: number;
};

type Row = Record<string, string | number | boolean | null>;

const COLUMNS = `i.account_id, i.id, i.file_name, i.bytes, encode(i.sha256, 'hex') AS sha256, i.made_by, i.state, i.failure,
  i.settings, i.detected, i.columns, i.rows_done, i.rows_total, i.check_result, i.inserted, i.patched, i.deduped, i.failed,
  i.created_at, i.started_at, i.finished_at, i.file_until,
  CASE i.state WHEN 'uploading' THEN (
    SELECT count(*)::int FROM import_parts p WHERE p.account_id = i.account_id AND p.import_id = i.id
  ) ELSE -1 END AS arrived`;

const json = (value: unknown) => (value === null ? null : parseJson(value as string));
const time = (value: unknown) => (value === null ? null : timestampToIso(value as string));

function toImport(row: Row): StoredImport {
  const number = (name: string) => row[name] as number;
  return {
    accountId: row.account_id as string,
    importId: row.id as string,
    fileName: row.file_name as string,
    bytes: number('bytes'),
    sha256: row.sha256 as string | null,
    madeBy: row.made_by as string | null,
    state: row.state as ImportState,
    failure: json(row.failure) as StoredImport['failure'],
    settings: json(row.settings) as StoredImport['settings'],
    detected: json(row.detected) as StoredImport['detected'],
    columns: json(row.columns) as StoredImport['columns'],
    rowsDone: number('rows_done'),
    rowsTotal: row.rows_total as number | null,
    check: json(row.check_result) as StoredImport['check'],
    counts: {
      inserted: number('inserted'),
      patched: number('patched'),
      deduped: number('deduped'),
      failed: number('failed'),
    },
    createdAt: time(row.created_at) as string,
    startedAt: time(row.started_at),
    finishedAt: time(row.finished_at),
    fileUntil: time(row.file_until),
    partsArrived: number('arrived'),
  };
}

export async function insertImport(
  query: Database['query'],
  one: ImportKey & {
    fileName: string;
    bytes: number;
    madeBy: string | null;
    at: string;
    fileUntil: string | null;
    failure: StoredImport['failure'];
  },
): Promise<void> {
  await query({
    text: `INSERT INTO imports (account_id, id, file_name, bytes, made_by, state, failure, created_at, file_until)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    values: [
      ...[one.accountId, one.importId, one.fileName, one.bytes, one.madeBy],
      one.failure ? 'failed' : 'uploading',
      one.failure && JSON.stringify(one.failure),
      ...[one.at, one.fileUntil],
    ],
  });
}

export async function findImport(database: Database, key: ImportKey): Promise<StoredImport | null> {
  const rows = await database.query<Row>({
    text: `SELECT ${COLUMNS} FROM imports i WHERE i.account_id = $1 AND i.id = $2`,
    values: [key.accountId, key.importId],
  });
  return rows[0] ? toImport(rows[0]) : null;
}

/** The newest, at most `limit`. */
export async function listImports(
  database: Database,
  accountId: string,
  limit: number,
): Promise<StoredImport[]> {
  const rows = await database.query<Row>({
    text: `SELECT ${COLUMNS} FROM imports i WHERE i.account_id = $1 ORDER BY i.id DESC LIMIT $2`,
    values: [accountId, limit],
  });
  return rows.map(toImport);
}

/** The newest import of the same bytes into the same campaign that has neither ended nor lost its file. */
export async function findUnfinished(
  database: Database,
  file: { accountId: string; sha256: string; campaignId: number },
): Promise<StoredImport | null> {
  const rows = await database.query<Row>({
    text: `SELECT ${COLUMNS} FROM imports i
           WHERE i.account_id = $1 AND i.sha256 = decode($2, 'hex') AND i.settings ->> 'campaign_id' = $3
             AND i.state IN ('stopped', 'running') AND i.file_until IS NOT NULL
           ORDER BY i.id DESC LIMIT 1`,
    values: [file.accountId, file.sha256, String(file.campaignId)],
  });
  return rows[0] ? toImport(rows[0]) : null;
}

/** What was found in a file that has arrived; nothing where that is stored already. */
export async function storeFound(
  database: Database,
  key: ImportKey,
  found:
    | { failure: { code: string; message: string } }
    | { sha256: string; settings: ImportSettings; detected: Detected; columns: string[] },
): Promise<void> {
  const { failure, sha256, settings, detected, columns } = found as Record<string, unknown>;
  const asJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await database.query({
    text: `UPDATE imports SET state = $3, failure = $4, sha256 = decode($5, 'hex'), settings = $6, detected = $7, columns = $8
           WHERE account_id = $1 AND id = $2 AND state = 'uploading'`,
    values: [
      ...[key.accountId, key.importId, failure ? 'failed' : 'ready', asJson(failure)],
      ...[sha256 ?? null, asJson(settings), asJson(detected), asJson(columns)],
    ],
  });
}

/** Other settings, while nothing was imported by the old ones. @returns whether that was so */
export async function storeSettings(
  database: Database,
  key: ImportKey,
  to: {
    settings: ImportSettings;
    detected: Detected;
    columns: string[];
    was: ImportSettings;
    keepsRows: boolean;
  },
): Promise<boolean> {
  const rows = await database.query({
    text: `UPDATE imports SET state = 'ready', settings = $3, detected = $4, columns = $5, check_result = NULL,
             rows_done = 0, failed = 0, rows_total = CASE WHEN $7 THEN rows_total END
           WHERE account_id = $1 AND id = $2 AND settings::text = $6
             AND (state IN ('ready', 'checked') OR state = 'stopped' AND rows_done = 0) RETURNING id`,
    values: [
      ...[key.accountId, key.importId, JSON.stringify(to.settings), JSON.stringify(to.detected)],
      ...[JSON.stringify(to.columns), JSON.stringify(to.was), to.keepsRows],
    ],
  });
  return rows.length > 0;
}
