import type { Database } from '../../../../platform/database/index.ts';
import type { ReplayReference } from './replays.ts';

export type RunningReplay = ReplayReference & { toAt: string; isDeleted: boolean };

/** Replays with something to queue, of all accounts, by rising key from behind `after` on. */
export async function listRunning(
  database: Database,
  after: ReplayReference,
  limit: number,
): Promise<RunningReplay[]> {
  const rows = await database.query<Record<string, string> & { is_deleted: boolean }>({
    name: 'running-replays',
    text: `SELECT replay.account_id, replay.webhook_id, replay.id, replay.to_at,
             webhooks.deleted_at IS NOT NULL AS is_deleted
           FROM webhook_replays replay
           JOIN webhooks ON webhooks.account_id = replay.account_id AND webhooks.id = replay.webhook_id
           WHERE replay.state = 'running' AND (webhooks.active OR webhooks.deleted_at IS NOT NULL)
             AND (replay.account_id, replay.webhook_id, replay.id) > ($1::uuid, $2::uuid, $3::uuid)
           ORDER BY replay.account_id, replay.webhook_id, replay.id LIMIT $4`,
    values: [after.accountId, after.webhookId, after.id, limit],
  });
  return rows.map((row) => ({
    accountId: row.account_id as string,
    webhookId: row.webhook_id as string,
    id: row.id as string,
    toAt: row.to_at as string,
    isDeleted: row.is_deleted,
  }));
}

export type Step = ReplayReference & {
  /** Ids of events below this one are looked at. */
  below: string;
  /** Whether the range ends there. */
  isLast: boolean;
  at: string;
  maxWaiting: number;
  look: number;
};

/*
 * One step of one replay. Its row is locked by whoever steps, so that two workers never queue the same page; read
 * anew where another step has just ended. `created_in` is below every transaction that still runs: none can commit an event late that ran
 * when the replay was made. What waits already is passed over by looking, so that the insert waits for nobody
 * who removes it just now; ON CONFLICT is for what came meanwhile.
 */
const STEP = `
  WITH room AS MATERIALIZED (
    SELECT $6::int - count(*) AS places FROM (
      SELECT FROM deliveries WHERE deliveries.account_id = $1 AND deliveries.webhook_id = $2
        AND deliveries.replay_id IS NOT NULL AND deliveries.due_at <= now() LIMIT $6
    ) waiting
  ),
  replay AS MATERIALIZED (
    SELECT webhook_replays.* FROM webhook_replays
    JOIN webhooks ON webhooks.account_id = $1
      AND webhooks.id = webhook_replays.webhook_id AND webhooks.active
    WHERE webhook_replays.account_id = $1 AND webhook_replays.webhook_id = $2 AND webhook_replays.id = $3
      AND webhook_replays.state = 'running' AND (SELECT places FROM room) > 0
      AND webhook_replays.created_in < pg_snapshot_xmin(pg_current_snapshot())
    FOR NO KEY UPDATE OF webhook_replays SKIP LOCKED
  ),
  seen AS MATERIALIZED (
    SELECT event.id, event.type = ANY (replay.event_types)
      AND event.occurred_at >= replay.from_at AND event.occurred_at < replay.to_at AS wanted
    FROM replay, LATERAL (
      SELECT events.id, events.type, events.occurred_at FROM events
      WHERE events.account_id = $1 AND events.id > replay.position AND events.id < $4::uuid
      ORDER BY events.id LIMIT $7
    ) event
  ),
  taken AS MATERIALIZED (
    SELECT id FROM seen WHERE wanted ORDER BY id LIMIT (SELECT places FROM room)
  ),
  queued AS (
    INSERT INTO deliveries (account_id, webhook_id, event_id, due_at, replay_id)
    SELECT $1::uuid, $2::uuid, taken.id, now(), $3::uuid FROM taken
    WHERE (SELECT waiting.event_id FROM deliveries waiting WHERE waiting.account_id = $1
      AND waiting.webhook_id = $2 AND waiting.event_id = taken.id LIMIT 1) IS NULL
    ON CONFLICT DO NOTHING
    RETURNING event_id
  ),
  sums AS MATERIALIZED (
    SELECT (SELECT count(*) FROM seen) AS seen, (SELECT count(*) FROM taken) AS taken,
      (SELECT count(*) FROM queued) AS queued,
      (SELECT count(*) FROM taken) = (SELECT count(*) FROM seen WHERE wanted) AS took_all
  ),
  progress AS MATERIALIZED (
    SELECT replay.account_id, replay.webhook_id, replay.id, sums.*,
      coalesce(
        CASE WHEN took_all THEN (SELECT id FROM seen ORDER BY id DESC LIMIT 1)
             ELSE (SELECT id FROM taken ORDER BY id DESC LIMIT 1) END, replay.position) AS position,
      took_all AND sums.seen < $7 AND $5::boolean AS exhausted
    FROM replay, sums
  )
  UPDATE webhook_replays SET
    position = progress.position,
    queued = webhook_replays.queued + progress.queued,
    already_waiting = webhook_replays.already_waiting + progress.taken - progress.queued,
    state = CASE WHEN progress.exhausted THEN 'queued' ELSE 'running' END,
    finished_at = CASE WHEN progress.exhausted THEN $8::timestamptz END
  FROM progress
  WHERE webhook_replays.account_id = progress.account_id
    AND webhook_replays.webhook_id = progress.webhook_id AND webhook_replays.id = progress.id
    AND (progress.seen > 0 OR progress.exhausted)
  RETURNING progress.queued, progress.seen = $7 AND progress.took_all AS more`;

/** @returns how many it queued, and whether another step can go on at once */
export async function stepReplay(
  database: Database,
  step: Step,
): Promise<{ queued: number; hasMore: boolean }> {
  const [row] = await database.query<{ queued: string; more: boolean }>({
    name: 'step-replay',
    text: STEP,
    values: [
      ...[step.accountId, step.webhookId, step.id, step.below, step.isLast],
      ...[step.maxWaiting, step.look, step.at],
    ],
  });
  return { queued: Number(row?.queued ?? 0), hasMore: row?.more ?? false };
}
