import type { ImportState } from '@leadwire/contract/dashboard';
import {
  type Database,
  type TimestampText,
  timestampToIso,
  uuidArray,
} from '../../../../platform/database/index.ts';

type Query = Database['query'];

export type KeptFile = { id: string; bytes: number; state: ImportState; createdAt: string };

/** The files that are kept for an account, oldest first; until the end of the transaction nobody else can add one. */
export async function lockKept(query: Query, accountId: string): Promise<KeptFile[]> {
  await query({
    text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
    values: [accountId],
  });
  const rows = await query<Omit<KeptFile, 'createdAt'> & { createdAt: TimestampText }>({
    text: `SELECT id, bytes, state, created_at AS "createdAt" FROM imports
           WHERE account_id = $1 AND file_until IS NOT NULL ORDER BY id`,
    values: [accountId],
  });
  return rows.map((row) => ({ ...row, createdAt: timestampToIso(row.createdAt) }));
}

/** Drops these files, unless they are being read. What was not imported yet has failed with its file. */
export async function dropKept(query: Query, accountId: string, ids: string[]): Promise<void> {
  const failure = {
    code: 'file_gone',
    message: 'The file was not imported and made room for newer ones. Upload it again.',
  };
  await query({
    text: `WITH gone AS (
             UPDATE imports i SET file_until = NULL,
               state = CASE WHEN i.state IN ('done', 'failed') THEN i.state ELSE 'failed' END,
               failure = CASE WHEN i.state IN ('done', 'failed') THEN i.failure ELSE $3::json END
             WHERE i.account_id = $1 AND i.id = ANY($2::uuid[]) AND i.state NOT IN ('checking', 'running')
             RETURNING i.id
           )
           DELETE FROM import_parts p USING gone WHERE p.account_id = $1 AND p.import_id = gone.id`,
    values: [accountId, uuidArray(ids), JSON.stringify(failure)],
  });
}
