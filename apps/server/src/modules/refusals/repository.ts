import type { Refusal } from '@leadwire/contract/dashboard';
import {
  type Database,
  int4Array,
  jsonArray,
  type TimestampText,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../../platform/database/index.ts';

export type StoredRefusal = Refusal & { accountId: string; keyId: string };

// The DELETE does not see what the same statement inserts: of the older ones those stay that make a hundred with it.
const WRITE = `
  WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::int4[], $10::text[], $11::text[], $12::int4[], $13::json[])
      AS input (account_id, key_id, id, at, request_id, address, method, route, status, reason, message, batch_row, fields)
  ), inserted AS (
    INSERT INTO refused_requests (account_id, key_id, id, at, request_id, address, method, route, status, reason,
      message, batch_row, fields)
    SELECT account_id, key_id, id, at, request_id, address, method, route, status, reason, message, batch_row, fields
    FROM input
    ON CONFLICT (account_id, key_id, id) DO NOTHING
  ), fresh AS (
    SELECT account_id, key_id, count(*) AS count FROM input GROUP BY account_id, key_id
  ), doomed AS (
    SELECT refused.account_id, refused.key_id, refused.id
    FROM fresh
    JOIN refused_requests refused ON refused.account_id = fresh.account_id AND refused.key_id = fresh.key_id
    WHERE refused.id <= (
      SELECT older.id FROM refused_requests older
      WHERE older.account_id = fresh.account_id AND older.key_id = fresh.key_id
      ORDER BY older.id DESC OFFSET greatest(0, $14::int - fresh.count) LIMIT 1)
    FOR UPDATE OF refused SKIP LOCKED
  )
  DELETE FROM refused_requests gone USING doomed
  WHERE gone.account_id = doomed.account_id AND gone.key_id = doomed.key_id AND gone.id = doomed.id`;

/** Adds refusals, at most `kept` of a key, and removes what is older than the newest `kept` of their keys. */
export async function write(
  database: Database,
  refusals: StoredRefusal[],
  kept: number,
): Promise<void> {
  const texts = (field: 'request_id' | 'address' | 'method' | 'route' | 'reason' | 'message') =>
    textArray(refusals.map((one) => one[field]));
  await database.query({
    name: 'refusals-write',
    text: WRITE,
    values: [
      uuidArray(refusals.map((one) => one.accountId)),
      uuidArray(refusals.map((one) => one.keyId)),
      uuidArray(refusals.map((one) => one.id)),
      timestamptzArray(refusals.map((one) => one.at)),
      ...[texts('request_id'), texts('address'), texts('method'), texts('route')],
      int4Array(refusals.map((one) => one.status)),
      ...[texts('reason'), texts('message')],
      int4Array(refusals.map((one) => one.row)),
      jsonArray(refusals.map((one) => JSON.stringify(one.fields))),
      kept,
    ],
  });
}

export type RefusalRow = Omit<Refusal, 'at' | 'fields'> & { at: TimestampText; fields: string };

/** Newest first. */
export async function list(
  database: Database,
  { accountId, keyId, limit }: { accountId: string; keyId: string; limit: number },
): Promise<RefusalRow[]> {
  return database.query<RefusalRow>({
    text: `SELECT id, at, request_id, address, method, route, status, reason, message, batch_row AS row, fields
           FROM refused_requests WHERE account_id = $1 AND key_id = $2 ORDER BY id DESC LIMIT $3`,
    values: [accountId, keyId, limit],
  });
}
