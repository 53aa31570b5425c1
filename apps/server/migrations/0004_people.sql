-- People sign in to the dashboard; what they may do in an account is a membership (ADR 0016). The users tables belong to no
-- account: a person may be a member of several.

CREATE TABLE users (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  second_factor boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- The cookie is this token and a signature: whoever reads the table alone cannot make one.
CREATE TABLE user_sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  address text,
  user_agent text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX user_sessions_of_user ON user_sessions (user_id);

-- How a person proves who they are: a password today. The columns for signing in by way of another service stay empty.
CREATE TABLE user_credentials (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider text NOT NULL,
  provider_user_id text NOT NULL,
  password_hash text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX user_credentials_one_each ON user_credentials (user_id, provider);

-- Links and challenges that are good once and for a while; the identifier is hashed.
CREATE TABLE user_verifications (
  id uuid PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX user_verifications_by_identifier ON user_verifications (identifier);
CREATE INDEX user_verifications_by_end ON user_verifications (expires_at);

-- Secret and backup codes are encrypted.
CREATE TABLE user_second_factors (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT false,
  failed_tries integer NOT NULL DEFAULT 0,
  locked_until timestamptz
);

CREATE TABLE members (
  account_id uuid NOT NULL REFERENCES accounts (id),
  person_id uuid NOT NULL REFERENCES users (id),
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, person_id)
);
-- The accounts of a person.
CREATE INDEX members_by_person ON members (person_id);

-- A link to join with, good once. For one address, or for whoever holds it; `expires_at` NULL: until it is used.
CREATE TABLE invitations (
  account_id uuid NOT NULL REFERENCES accounts (id),
  id uuid NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  email text CHECK (email = lower(email)),
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  invited_by uuid REFERENCES users (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  accepted_at timestamptz,
  accepted_by uuid REFERENCES users (id),
  PRIMARY KEY (account_id, id)
);
