import type { Database } from '../../../../platform/database/index.ts';
import type { ImportKey } from './imports.ts';

/** A part that is there already stays as it is. */
export async function insertPart(
  database: Database,
  { accountId, importId }: ImportKey,
  part: number,
  data: Buffer,
): Promise<void> {
  await database.query({
    text: `INSERT INTO import_parts (account_id, import_id, part, data)
           SELECT account_id, id, $3, $4 FROM imports
           WHERE account_id = $1 AND id = $2 AND state = 'uploading' ON CONFLICT DO NOTHING`,
    values: [accountId, importId, part, data],
  });
}

/** Bytes of a part, from 0. @returns null where the part, or the file, is not there */
export async function readPart(
  database: Database,
  { accountId, importId }: ImportKey,
  part: number,
  piece: { from: number; bytes: number },
): Promise<Buffer | null> {
  const rows = await database.query<{ data: Buffer }>({
    name: 'read-import-part',
    text: `SELECT substring(data FROM $4 FOR $5) AS data FROM import_parts
           WHERE account_id = $1 AND import_id = $2 AND part = $3`,
    values: [accountId, importId, part, piece.from + 1, piece.bytes],
  });
  return rows[0]?.data ?? null;
}
