-- Files of leads: what was uploaded, what its columns mean, how far it is, and what became of each row (ADR 0023).

CREATE TABLE imports (
  account_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL,
  file_name text NOT NULL,
  bytes integer NOT NULL,
  -- Known when the whole file is there.
  sha256 bytea,
  -- The person; NULL for the command line.
  made_by text,
  state text NOT NULL CHECK (state IN
    ('uploading', 'ready', 'checking', 'checked', 'running', 'stopped', 'done', 'failed')),
  failure json,
  settings json,
  detected json,
  -- The headers, each by a name of its own.
  columns json,
  -- Of the last check or run: everything before the row of this number has its outcome.
  rows_done integer NOT NULL DEFAULT 0,
  -- Of the whole file, once all of it was read.
  rows_total integer,
  check_result json,
  phones_by_default_country integer NOT NULL DEFAULT 0,
  good integer NOT NULL DEFAULT 0,
  inserted integer NOT NULL DEFAULT 0,
  patched integer NOT NULL DEFAULT 0,
  deduped integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  -- Who started it, as audit records name it.
  actor_type text,
  actor_id text,
  lease_holder uuid,
  leased_until timestamptz,
  -- When a worker took it last: accounts take turns.
  turn_at timestamptz,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  -- Until when the file is kept; NULL once it is gone.
  file_until timestamptz,
  PRIMARY KEY (account_id, id),
  CHECK ((lease_holder IS NULL) = (leased_until IS NULL))
) WITH (fillfactor = 50);
CREATE INDEX imports_to_do ON imports (account_id, id) WHERE state IN ('checking', 'running');
CREATE INDEX imports_with_file ON imports (account_id, file_until) WHERE file_until IS NOT NULL;

-- The file as it was sent. Not compressed: what compresses well is small, and each part is read once or twice.
CREATE TABLE import_parts (
  account_id uuid NOT NULL,
  import_id uuid NOT NULL,
  part integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (account_id, import_id, part)
);
ALTER TABLE import_parts ALTER COLUMN data SET STORAGE EXTERNAL;

-- What became of the rows, one row a chunk: nothing of what they said.
CREATE TABLE import_outcomes (
  account_id uuid NOT NULL,
  import_id uuid NOT NULL,
  -- Number of the chunk's first row, counted from 0.
  first_row integer NOT NULL,
  -- Where each row begins in the file.
  lines integer[] NOT NULL,
  -- A letter a row: g(ood), i(nserted), p(atched), d(eduped), f(ailed).
  outcomes text NOT NULL,
  -- NULL for a row that made no lead.
  lead_ids uuid[] NOT NULL,
  PRIMARY KEY (account_id, import_id, first_row)
);

CREATE TABLE import_bad_rows (
  account_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line integer NOT NULL,
  errors json NOT NULL,
  PRIMARY KEY (account_id, import_id, line)
);

-- What the columns of a file meant, by its source and by its headers.
CREATE TABLE import_mappings (
  account_id uuid NOT NULL,
  -- 'source <name>' or 'headers <SHA-256 in hex>'.
  remembered_by text NOT NULL,
  -- Header to target, and the settings that a file of that source or form shares.
  columns json NOT NULL,
  settings json NOT NULL,
  used_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, remembered_by)
);
