import type { FormLogEntry } from '@leadwire/contract/dashboard';
import {
  type Database,
  jsonArray,
  type TimestampText,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../../../../platform/database/index.ts';

export type StoredNote = Omit<FormLogEntry, 'fields' | 'test'> & {
  accountId: string;
  formId: string;
  /** JSON. */
  fields: string;
  test: string | null;
};

// The DELETE does not see what the same statement inserts: of the older ones those stay that make a hundred with it.
const WRITE = `
  WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::json[], $10::uuid[], $11::text[], $12::json[])
      AS input (account_id, form_id, id, at, via, outcome, reason, message, fields, lead_id, request_id, test)
  ), inserted AS (
    INSERT INTO form_log (account_id, form_id, id, at, via, outcome, reason, message, fields, lead_id, request_id, test)
    SELECT account_id, form_id, id, at, via, outcome, reason, message, fields, lead_id, request_id, test FROM input
    ON CONFLICT (account_id, form_id, id) DO NOTHING
  ), fresh AS (
    SELECT account_id, form_id, count(*) AS count FROM input GROUP BY account_id, form_id
  ), doomed AS (
    SELECT log.account_id, log.form_id, log.id
    FROM fresh
    JOIN form_log log ON log.account_id = fresh.account_id AND log.form_id = fresh.form_id
    WHERE log.id <= (
      SELECT older.id FROM form_log older
      WHERE older.account_id = fresh.account_id AND older.form_id = fresh.form_id
      ORDER BY older.id DESC OFFSET greatest(0, $13::int - fresh.count) LIMIT 1)
    FOR UPDATE OF log SKIP LOCKED
  )
  DELETE FROM form_log gone USING doomed
  WHERE gone.account_id = doomed.account_id AND gone.form_id = doomed.form_id AND gone.id = doomed.id`;

/** Adds notes, at most `kept` of a form, and removes what is older than the newest `kept` of their forms. */
export async function write(database: Database, notes: StoredNote[], kept: number): Promise<void> {
  const texts = (field: 'via' | 'outcome' | 'reason' | 'message' | 'request_id') =>
    textArray(notes.map((note) => note[field]));
  await database.query({
    name: 'form-log-write',
    text: WRITE,
    values: [
      uuidArray(notes.map((note) => note.accountId)),
      uuidArray(notes.map((note) => note.formId)),
      uuidArray(notes.map((note) => note.id)),
      timestamptzArray(notes.map((note) => note.at)),
      ...[texts('via'), texts('outcome'), texts('reason'), texts('message')],
      jsonArray(notes.map((note) => note.fields)),
      uuidArray(notes.map((note) => note.lead_id)),
      texts('request_id'),
      jsonArray(notes.map((note) => note.test)),
      kept,
    ],
  });
}

export type LogRow = Omit<FormLogEntry, 'at' | 'fields' | 'test'> & {
  at: TimestampText;
  fields: string;
  test: string | null;
};

/** Newest first. */
export async function list(
  database: Database,
  { accountId, formId, limit }: { accountId: string; formId: string; limit: number },
): Promise<LogRow[]> {
  return database.query<LogRow>({
    text: `SELECT id, at, via, outcome, reason, message, fields::text AS fields, lead_id, request_id, test::text AS test
           FROM form_log WHERE account_id = $1 AND form_id = $2 ORDER BY id DESC LIMIT $3`,
    values: [accountId, formId, limit],
  });
}
