-- The ground: accounts and what belongs to them. account_id leads every key (docs/architecture.md);
-- the two exceptions are the look-ups of an API key by its public key and by the hash of its
-- secret, because there the key is what tells the account.

CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  features jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX accounts_one_default ON accounts (is_default) WHERE is_default;

-- Campaign ids count from 1 in each account: an id tells nothing of other accounts.
CREATE TABLE campaigns (
  account_id uuid NOT NULL REFERENCES accounts (id),
  id integer NOT NULL CHECK (id >= 1),
  name text NOT NULL,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'active', 'paused')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);

CREATE TABLE api_keys (
  account_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL,
  public_key text NOT NULL UNIQUE,
  secret_hash bytea NOT NULL UNIQUE,
  secret_encrypted text NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  rate_limit_max integer CHECK (rate_limit_max >= 0),
  rate_limit_window_seconds integer CHECK (rate_limit_window_seconds >= 1),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  CHECK ((rate_limit_max IS NULL) = (rate_limit_window_seconds IS NULL))
);

-- One row a lead. `version` counts the writes: it is the ETag and what a change is compared and set against.
CREATE TABLE leads (
  account_id uuid NOT NULL,
  id uuid NOT NULL,
  campaign_id integer NOT NULL,
  external_lead_id text NOT NULL,
  version integer NOT NULL,
  status text NOT NULL CHECK (status IN ('new', 'contacted', 'qualified', 'converted')),
  phone text,
  email text,
  first_name text,
  last_name text,
  source text,
  source_form_url text,
  tcpa_consent boolean,
  tcpa_consent_text text,
  tcpa_consent_timestamp timestamptz,
  address json,
  custom_fields json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  CHECK (phone IS NOT NULL OR email IS NOT NULL)
);
-- The tuple of the contract. external_lead_id before campaign_id, so that it also finds a lead by external id alone.
CREATE UNIQUE INDEX leads_tuple ON leads (account_id, external_lead_id, campaign_id);
-- Paging, and the proof that no two leads of an account share a created_at, so that no cursor can skip one. What the
-- legacy list filters by is included, so that it counts from the index alone.
CREATE UNIQUE INDEX leads_by_time ON leads (account_id, created_at) INCLUDE (campaign_id, status);
CREATE INDEX leads_by_campaign ON leads (account_id, campaign_id, created_at);

-- What happened to a lead: one row a write, only ever added. `lead` is the lead as the API shows it after the
-- write; `before` has the earlier values of the changed fields (NULL on insert).
CREATE TABLE lead_audit_records (
  account_id uuid NOT NULL,
  lead_id uuid NOT NULL,
  version integer NOT NULL,
  kind text NOT NULL,
  occurred_at timestamptz NOT NULL,
  actor_type text NOT NULL,
  actor_id text NOT NULL,
  request_id text,
  address text,
  changed text[] NOT NULL,
  before json,
  lead json NOT NULL,
  PRIMARY KEY (account_id, lead_id, version)
);

-- What partners are told. A lead event points at the audit record that holds its facts; a campaign event carries them.
CREATE TABLE events (
  account_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  occurred_at timestamptz NOT NULL,
  lead_id uuid,
  lead_version integer,
  campaign json,
  PRIMARY KEY (account_id, id),
  CHECK ((lead_id IS NULL) <> (campaign IS NULL)),
  CHECK ((lead_id IS NULL) = (lead_version IS NULL))
);
