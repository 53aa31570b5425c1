-- What the dashboard shows of leads, requests and deliveries, kept as they arrive (ADR 0017).

-- What has just happened and is not summed up yet: only ever added to, so that writers never wait for each other. A
-- statement that writes leads writes these rows too. Vacuumed often: the table is small and its dead rows are many.
CREATE TABLE tallies (
  account_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- The minute.
  at timestamptz NOT NULL,
  metric text NOT NULL CHECK (metric IN ('leads', 'requests', 'deliveries')),
  -- The campaign, the key or the webhook.
  subject text NOT NULL,
  outcome text NOT NULL,
  -- Of a lead: '=' and its source, '' without one, '*' for one of very many. Of a delivery: the bound of its latency in ms.
  detail text NOT NULL,
  n integer NOT NULL,
  PRIMARY KEY (account_id, id)
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0
);

-- Tallies summed up. `sources` and `latency` are by what tallies have as detail, whatever the campaign or webhook.
CREATE TABLE counts (
  account_id uuid NOT NULL,
  resolution text NOT NULL CHECK (resolution IN ('minute', 'hour', 'day', 'ever')),
  metric text NOT NULL CHECK (metric IN ('leads', 'sources', 'requests', 'deliveries', 'latency')),
  -- When the minute, hour or day (UTC) begins; -infinity for ever.
  at timestamptz NOT NULL,
  subject text NOT NULL,
  outcome text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (account_id, resolution, metric, at, subject, outcome)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- What the self-check of deliveries finds, for the account that it belongs to; no row where there is nothing.
CREATE TABLE unaccounted_events (
  account_id uuid NOT NULL PRIMARY KEY,
  n integer NOT NULL,
  seen_at timestamptz NOT NULL
);

-- Leads that came before they were counted: as inserted, since what became of later posts was kept nowhere by campaign and source.
-- Minutes for the last two days alone; of the sources of an hour the 50 largest by name.
SET LOCAL statement_timeout = 0;
WITH lead AS MATERIALIZED (
  SELECT account_id, campaign_id::text AS campaign, coalesce('=' || left(source, 120), '') AS source,
    date_trunc('minute', created_at, 'UTC') AS at, count(*) AS n
  FROM leads GROUP BY 1, 2, 3, 4
), ranked AS (
  SELECT account_id, date_trunc('hour', at, 'UTC') AS hour, source,
    row_number() OVER (PARTITION BY account_id, date_trunc('hour', at, 'UTC') ORDER BY sum(n) DESC, source) AS place
  FROM lead WHERE source <> '' GROUP BY 1, 2, 3
), figure AS (
  SELECT account_id, 'leads' AS metric, at, campaign AS subject, n FROM lead
  UNION ALL
  SELECT lead.account_id, 'sources', at, CASE WHEN place > 50 THEN '*' ELSE lead.source END, n
  FROM lead LEFT JOIN ranked ON ranked.account_id = lead.account_id
    AND ranked.hour = date_trunc('hour', lead.at, 'UTC') AND ranked.source = lead.source
)
INSERT INTO counts (account_id, resolution, metric, at, subject, outcome, n)
SELECT account_id, resolution, metric,
  CASE resolution WHEN 'ever' THEN '-infinity' ELSE date_trunc(resolution, at, 'UTC') END AS start,
  subject, 'inserted', sum(n)
FROM figure CROSS JOIN unnest(ARRAY['minute', 'hour', 'day', 'ever']) AS resolution
WHERE (resolution <> 'minute' OR at > now() - interval '2 days') AND (resolution <> 'ever' OR metric = 'leads')
GROUP BY account_id, resolution, metric, start, subject;
