import type { ImportSettings } from '@leadwire/contract/dashboard';
import type { Database } from '../../../../platform/database/index.ts';
import type { ImportKey } from './imports.ts';

/** Who starts it, as audit records name it. */
export type Starter = { actorType: 'user' | 'operator'; actorId: string };
export type Lease = { holder: string; forMs: number };

const LEASE = `clock_timestamp() + $8::float8 * interval '1 millisecond'`;

/**
 * Begins a check, or a run from the first row: what was kept of an earlier check goes. `lease`: for who runs it at once.
 * @returns whether it was ready for that, with the same settings
 */
export async function begin(
  database: Database,
  key: ImportKey,
  how: {
    state: 'checking' | 'running';
    settings: ImportSettings;
    starter: Starter;
    lease: Lease | null;
    at: string;
    fileUntil: string;
  },
): Promise<boolean> {
  return database.transaction(async (query) => {
    const rows = await query({
      text: `UPDATE imports SET state = $3, actor_type = $4, actor_id = $5, rows_done = 0, failed = 0, good = 0,
               phones_by_default_country = 0, started_at = $6, file_until = $9, lease_holder = $7,
               leased_until = CASE WHEN $7::uuid IS NOT NULL THEN ${LEASE} END
             WHERE account_id = $1 AND id = $2 AND settings::text = $10 AND file_until IS NOT NULL
               AND (state IN ('ready', 'checked') OR state = 'stopped' AND rows_done = 0) RETURNING id`,
      values: [
        ...[key.accountId, key.importId, how.state, how.starter.actorType, how.starter.actorId],
        ...[how.at, how.lease?.holder ?? null, how.lease?.forMs ?? 0, how.fileUntil],
        JSON.stringify(how.settings),
      ],
    });
    if (rows.length === 0) return false;
    for (const text of [
      'DELETE FROM import_outcomes WHERE account_id = $1 AND import_id = $2',
      'DELETE FROM import_bad_rows WHERE account_id = $1 AND import_id = $2',
    ]) {
      await query({ text, values: [key.accountId, key.importId] });
    }
    return true;
  });
}

/** Goes on with a run that was stopped. @returns whether there was one to go on with */
export async function goOn(
  database: Database,
  key: ImportKey,
  how: { starter: Starter; lease: Lease | null; fileUntil: string },
): Promise<boolean> {
  const rows = await database.query({
    text: `UPDATE imports SET state = 'running', actor_type = $3, actor_id = $4, file_until = $5,
             lease_holder = CASE WHEN leased_until > clock_timestamp() THEN lease_holder ELSE $6 END,
             leased_until = CASE WHEN leased_until > clock_timestamp() THEN leased_until
               WHEN $6::uuid IS NOT NULL THEN clock_timestamp() + $7::float8 * interval '1 millisecond' END
           WHERE account_id = $1 AND id = $2 AND state = 'stopped' AND file_until IS NOT NULL RETURNING id`,
    values: [
      ...[key.accountId, key.importId, how.starter.actorType, how.starter.actorId, how.fileUntil],
      ...[how.lease?.holder ?? null, how.lease?.forMs ?? 0],
    ],
  });
  return rows.length > 0;
}

/** A run is stopped, a check is given up; who runs it notices at its next checkpoint. */
export async function halt(
  database: Database,
  key: ImportKey,
  fileUntil: string,
): Promise<boolean> {
  const rows = await database.query({
    text: `UPDATE imports SET state = CASE state WHEN 'checking' THEN 'ready' ELSE 'stopped' END, file_until = $3,
             rows_done = CASE state WHEN 'checking' THEN 0 ELSE rows_done END,
             failed = CASE state WHEN 'checking' THEN 0 ELSE failed END
           WHERE account_id = $1 AND id = $2 AND state IN ('checking', 'running') RETURNING id`,
    values: [key.accountId, key.importId, fileUntil],
  });
  return rows.length > 0;
}
