-- Forms that leads come by, what they say of consent, and what became of their submissions (ADR 0022).

-- The id alone finds a form: it is what a page sends, and tells the account.
CREATE TABLE forms (
  account_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL UNIQUE,
  name text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  campaign_id integer NOT NULL,
  -- Its rate bucket is the form's too.
  key_id uuid NOT NULL,
  fields json NOT NULL,
  -- The version of the text that the form shows; null: it asks for no consent.
  consent_version integer,
  consent_required boolean NOT NULL DEFAULT false,
  min_fill_seconds integer NOT NULL,
  allowed_origins text[] NOT NULL,
  redirect_url text,
  source text,
  default_country text,
  per_address_a_minute integer NOT NULL,
  google_key_hash bytea,
  google_key_made_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, id),
  FOREIGN KEY (account_id, key_id) REFERENCES api_keys (account_id, id),
  CHECK ((google_key_hash IS NULL) = (google_key_made_at IS NULL))
);
CREATE INDEX forms_by_key ON forms (account_id, key_id);

-- Every text that a form ever had: only ever added to, since a page may still show an earlier one.
CREATE TABLE form_consent_texts (
  account_id uuid NOT NULL,
  form_id uuid NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  text text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, form_id, version),
  FOREIGN KEY (account_id, form_id) REFERENCES forms (account_id, id)
);
REVOKE UPDATE, DELETE, TRUNCATE ON form_consent_texts FROM CURRENT_USER;

-- The newest hundred of each form. What was sent is kept of test leads alone. Written and trimmed once a second, so its dead rows are
-- many and it is vacuumed often.
CREATE TABLE form_log (
  account_id uuid NOT NULL,
  form_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  via text NOT NULL,
  outcome text NOT NULL,
  reason text,
  message text,
  fields json NOT NULL,
  lead_id uuid,
  request_id text NOT NULL,
  test json,
  PRIMARY KEY (account_id, form_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1);
