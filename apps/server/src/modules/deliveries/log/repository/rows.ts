/** One delivery as the statements here read it; times are PostgreSQL's text. */
export type DeliveryRow = {
  event_id: string;
  type: string;
  occurred_at: string;
  /** Null where nothing waits to be sent. */
  due_at: string | null;
  tries: number | null;
  waiting_replay_id: string | null;
  /** Of the newest attempt; null where none was made. */
  outcome: string | null;
  started_at: string | null;
  status: number | null;
  error: string | null;
  replay_id: string | null;
  attempt_count: string | null;
};

export const LAST_COLUMNS =
  'last.outcome, last.started_at, last.status, last.error, last.replay_id, last.attempt_count';

// Whoever has one sent again and again pays for it, and not those who list it.
const COUNTED = 1_000;

/**
 * The newest attempt of an event for a webhook, and how many there are, counted up to a thousand. Probes every partition of the log: an attempt may be
 * repeated by request long after its event.
 */
export const lastAttempt = (event: string): string => `
  LEFT JOIN LATERAL (
    SELECT outcome, started_at, status, error, replay_id, (
      SELECT count(*) FROM (
        SELECT FROM delivery_attempts
        WHERE delivery_attempts.account_id = $1 AND delivery_attempts.webhook_id = $2
          AND delivery_attempts.event_id = ${event}
        LIMIT ${COUNTED}
      ) counted
    ) AS attempt_count
    FROM delivery_attempts
    WHERE delivery_attempts.account_id = $1 AND delivery_attempts.webhook_id = $2
      AND delivery_attempts.event_id = ${event}
    ORDER BY delivery_attempts.id DESC LIMIT 1
  ) last ON true`;
