import type { Database } from '../../../platform/database/index.ts';
import { MAX_SOURCES, OTHER_SOURCES } from '../tally.ts';

// Any number that nothing else locks; one fold at a time, because two of them would wait for each other's rows.
const LOCK = 4_170_017;

/*
 * One statement takes tallies away and adds them to the counts, so that whoever reads both in one statement sees each of
 * them once. Sources of an hour that have no row yet get one while there are fewer than MAX_SOURCES, the largest first;
 * all others are summed up as one. IN and NOT IN, not joins: the planner takes what a DELETE returns for a few rows, and would compare
 * each of 20,000 with each, which takes longer than a statement may.
 */
const FOLD = `
  WITH moved AS (
    DELETE FROM tallies WHERE ctid = ANY (ARRAY(SELECT ctid FROM tallies LIMIT $1))
    RETURNING account_id, at, metric, subject, outcome, detail, n
  ),
  summed AS MATERIALIZED (
    SELECT account_id, at, date_trunc('hour', at, 'UTC') AS hour, metric, subject, outcome, detail, sum(n) AS n
    FROM moved GROUP BY account_id, at, metric, subject, outcome, detail
  ),
  source AS MATERIALIZED (
    SELECT account_id, hour, detail, sum(n) AS n FROM summed
    WHERE metric = 'leads' AND detail NOT IN ('', '${OTHER_SOURCES}')
    GROUP BY account_id, hour, detail
  ),
  known AS MATERIALIZED (
    SELECT DISTINCT counts.account_id, counts.at AS hour, counts.subject AS detail
    FROM (SELECT DISTINCT account_id, hour FROM source) touched
    JOIN counts ON counts.account_id = touched.account_id AND counts.resolution = 'hour'
      AND counts.metric = 'sources' AND counts.at = touched.hour
    WHERE counts.subject NOT IN ('', '${OTHER_SOURCES}')
  ),
  ranked AS (
    SELECT source.account_id, source.hour, source.detail,
      row_number() OVER (PARTITION BY source.account_id, source.hour ORDER BY source.n DESC, source.detail) AS place
    FROM source WHERE (account_id, hour, detail) NOT IN (SELECT account_id, hour, detail FROM known)
  ),
  nameless AS MATERIALIZED (
    SELECT ranked.account_id, ranked.hour, ranked.detail
    FROM ranked LEFT JOIN (SELECT account_id, hour, count(*) AS n FROM known GROUP BY account_id, hour) named
      ON named.account_id = ranked.account_id AND named.hour = ranked.hour
    WHERE ranked.place + coalesce(named.n, 0) > ${MAX_SOURCES}
  ),
  figure AS (
    SELECT account_id, metric, at, subject, outcome, n FROM summed
    UNION ALL
    SELECT summed.account_id, CASE metric WHEN 'leads' THEN 'sources' ELSE 'latency' END, at,
      CASE WHEN metric = 'leads' AND (account_id, hour, detail) IN (SELECT account_id, hour, detail FROM nameless)
        THEN '${OTHER_SOURCES}' ELSE detail END, outcome, n
    FROM summed WHERE metric = 'leads' OR metric = 'deliveries' AND detail <> ''
  ),
  counted AS (
    INSERT INTO counts (account_id, resolution, metric, at, subject, outcome, n)
    SELECT account_id, resolution, metric,
      CASE resolution WHEN 'ever' THEN '-infinity' ELSE date_trunc(resolution, at, 'UTC') END AS start,
      subject, outcome, sum(n)
    FROM figure CROSS JOIN unnest(ARRAY['minute', 'hour', 'day', 'ever']) AS resolution
    WHERE resolution <> 'ever' OR metric NOT IN ('sources', 'latency')
    GROUP BY account_id, resolution, metric, start, subject, outcome
    ON CONFLICT (account_id, resolution, metric, at, subject, outcome) DO UPDATE SET n = counts.n + excluded.n
  )
  SELECT count(*)::int AS moved FROM moved`;

/** Sums up at most `limit` tallies, of every account. @returns how many; 0 also where another process is at it */
export async function fold(database: Database, limit: number): Promise<number> {
  return database.transaction(async (query) => {
    const [lock] = await query<{ mine: boolean }>({
      text: 'SELECT pg_try_advisory_xact_lock($1) AS mine',
      values: [LOCK],
    });
    if (!lock?.mine) return 0;
    const [row] = await query<{ moved: number }>({ text: FOLD, values: [limit] });
    return row?.moved ?? 0;
  });
}

/** How long counts are kept: twice the longest range that is shown of them, at least. Days outlive a year. */
const KEPT = { minute: '2 days', hour: '35 days', day: '400 days' };

/** Removes at most `limit` counts that are past their time, of every account. @returns how many */
export async function removeOld(
  database: Database,
  resolution: keyof typeof KEPT,
  limit: number,
): Promise<number> {
  const rows = await database.query({
    text: `DELETE FROM counts WHERE ctid = ANY (ARRAY(
             SELECT old.place FROM accounts
             CROSS JOIN unnest(ARRAY['leads', 'sources', 'requests', 'deliveries', 'latency']) AS kept (metric)
             CROSS JOIN LATERAL (
               SELECT ctid AS place FROM counts
               WHERE counts.account_id = accounts.id AND counts.resolution = $1
                 AND counts.metric = kept.metric AND counts.at < now() - $2::interval
               LIMIT $3
             ) old
             LIMIT $3
           )) RETURNING 1`,
    values: [resolution, KEPT[resolution], limit],
  });
  return rows.length;
}
