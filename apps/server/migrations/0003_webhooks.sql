-- Where partners are told: endpoints, what waits to be sent to them, and what became of each attempt (ADR 0011 to 0014).

-- The order of the event feed: the transaction that wrote an event. Every transaction below
-- pg_snapshot_xmin() has ended, so that a cursor below it can skip none that commits late.
ALTER TABLE events ADD COLUMN written_in xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX events_feed ON events (account_id, written_in, id);

-- A deleted webhook stays as a row without secrets: attempts that were made name it.
CREATE TABLE webhooks (
  account_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  description text,
  active boolean NOT NULL,
  -- Why it is inactive: by request, answered 410, or failed for five days.
  inactive_reason text CHECK (inactive_reason IN ('requested', 'gone', 'failing')),
  secret_encrypted text,
  previous_secret_encrypted text,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Since when `events` and `active` are what they are.
  subscribed_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (account_id, id),
  CHECK (active = (inactive_reason IS NULL)),
  CHECK (deleted_at IS NULL OR NOT active),
  CHECK (deleted_at IS NOT NULL OR secret_encrypted IS NOT NULL)
);
CREATE INDEX webhooks_active ON webhooks (account_id) WHERE active;
CREATE INDEX webhooks_kept ON webhooks (account_id, id) WHERE deleted_at IS NULL;

-- One row a webhook: who sends for it now, and how its endpoint does. Apart from webhooks, because it changes all the time.
CREATE TABLE webhook_queues (
  account_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  lease_holder uuid,
  leased_until timestamptz,
  -- Failures in a row, and since when.
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  PRIMARY KEY (account_id, webhook_id),
  CHECK ((lease_holder IS NULL) = (leased_until IS NULL)),
  CHECK ((failures = 0) = (failing_since IS NULL))
) WITH (fillfactor = 50);

-- What waits to be sent, and nothing else: a row goes as soon as its delivery is done or given up. An event waits once for a webhook.
-- Vacuumed often: the queue of a busy service is small and its dead rows are many.
CREATE TABLE deliveries (
  account_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  -- Set where it waits because of a replay: those yield to live events.
  replay_id uuid,
  PRIMARY KEY (account_id, webhook_id, event_id)
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX deliveries_due ON deliveries (account_id, webhook_id, due_at) WHERE replay_id IS NULL;
CREATE INDEX deliveries_replayed ON deliveries (account_id, webhook_id, due_at) WHERE replay_id IS NOT NULL;

-- Every attempt that was made, by day: `id` is a UUIDv7, whose first bits are the time. Retention drops a day.
CREATE TABLE delivery_attempts (
  account_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id uuid NOT NULL,
  id uuid NOT NULL,
  -- succeeded; failed: will be tried again; given_up: will not.
  outcome text NOT NULL CHECK (outcome IN ('succeeded', 'failed', 'given_up')),
  -- What went wrong, and where: see DELIVERY_ERRORS of the contract.
  error text,
  -- The same for people, e.g. ECONNREFUSED.
  detail text,
  url text NOT NULL,
  status smallint,
  duration_ms integer NOT NULL,
  -- The first 4 KiB of the answer's body.
  answer bytea,
  started_at timestamptz NOT NULL,
  next_attempt_at timestamptz,
  replay_id uuid,
  PRIMARY KEY (account_id, webhook_id, event_id, id),
  CHECK ((outcome = 'succeeded') = (error IS NULL)),
  CHECK ((outcome = 'failed') = (next_attempt_at IS NOT NULL))
) PARTITION BY RANGE (id);
CREATE INDEX delivery_attempts_unsuccessful ON delivery_attempts (account_id, webhook_id, event_id) WHERE outcome <> 'succeeded';
-- For the time before the first partitions are made, and for a machine whose clock is far off: no attempt is ever refused.
CREATE TABLE delivery_attempts_other PARTITION OF delivery_attempts DEFAULT;

CREATE TABLE webhook_replays (
  account_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  id uuid NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  event_types text[] NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'queued', 'canceled')),
  -- The last event that was queued; events are queued in the order of their ids.
  position uuid NOT NULL,
  -- It begins when every transaction that ran beside its creation has ended, so that it misses no event that commits late.
  created_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  queued bigint NOT NULL DEFAULT 0,
  -- Those that were waiting to be sent anyway.
  already_waiting bigint NOT NULL DEFAULT 0,
  delivered bigint NOT NULL DEFAULT 0,
  given_up bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (account_id, webhook_id, id)
);
CREATE INDEX webhook_replays_running ON webhook_replays (account_id, webhook_id) WHERE state = 'running';
