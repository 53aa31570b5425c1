-- What a key was rotated into, and why requests with a key were refused (ADR 0019).

ALTER TABLE api_keys ADD COLUMN replaced_by uuid;
ALTER TABLE api_keys ADD FOREIGN KEY (account_id, replaced_by) REFERENCES api_keys (account_id, id);

-- The newest hundred of each key: what was wrong with a request, never what it held. Written and trimmed once a second, so its dead
-- rows are many and it is vacuumed often.
CREATE TABLE refused_requests (
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  request_id text NOT NULL,
  address text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  status smallint NOT NULL,
  reason text NOT NULL,
  message text NOT NULL,
  -- Which row of a batch, counted from 0.
  batch_row integer,
  fields json NOT NULL,
  PRIMARY KEY (account_id, key_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1);
