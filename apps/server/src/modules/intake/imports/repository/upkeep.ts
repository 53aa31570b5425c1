import type { Database } from '../../../../platform/database/index.ts';

/** Drops the files whose time is over, of every account. What never ran has failed with them. @returns how many */
export async function dropFiles(database: Database, now: string): Promise<number> {
  const failure = {
    code: 'file_gone',
    message: 'The file was not imported for seven days and is gone. Upload it again.',
  };
  const rows = await database.query({
    text: `WITH due AS MATERIALIZED (
             SELECT account_id, id FROM imports WHERE file_until < $1 AND state NOT IN ('checking', 'running')
             LIMIT 20 FOR UPDATE SKIP LOCKED
           ), parts AS (
             DELETE FROM import_parts p USING due WHERE p.account_id = due.account_id AND p.import_id = due.id
           )
           UPDATE imports i SET file_until = NULL,
             state = CASE WHEN i.state IN ('done', 'failed') THEN i.state ELSE 'failed' END,
             failure = CASE WHEN i.state IN ('done', 'failed') THEN i.failure ELSE $2::json END
           FROM due WHERE i.account_id = due.account_id AND i.id = due.id RETURNING i.id`,
    values: [now, JSON.stringify(failure)],
  });
  return rows.length;
}
