-- Consent evidence: what a person was shown and agreed to, when, where, and from where. Written by the statement that writes the
-- lead (ADR 0021), under the version that it wrote; only ever added.
CREATE TABLE lead_consents (
  account_id uuid NOT NULL,
  lead_id uuid NOT NULL,
  version integer NOT NULL,
  occurred_at timestamptz NOT NULL,
  form_id text NOT NULL,
  form_name text NOT NULL,
  given boolean NOT NULL,
  text text NOT NULL,
  text_version integer NOT NULL,
  page_url text,
  address text,
  user_agent text,
  request_id text NOT NULL,
  PRIMARY KEY (account_id, lead_id, version)
);

-- The one exception, as of audit records (0006): while the lead is erased, what tells where the person was may become blank.
REVOKE UPDATE, DELETE, TRUNCATE ON lead_consents FROM CURRENT_USER;
GRANT UPDATE (page_url, address, user_agent) ON lead_consents TO CURRENT_USER;
CREATE FUNCTION keep_lead_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.page_url IS NOT NULL OR new.address IS NOT NULL OR new.user_agent IS NOT NULL
    OR NOT EXISTS (
      SELECT FROM leads WHERE leads.account_id = old.account_id AND leads.id = old.lead_id AND leads.erased_at IS NOT NULL
    )
  THEN
    RAISE EXCEPTION 'consent evidence is only ever added' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN new;
END
$$;
CREATE TRIGGER keep_lead_consent BEFORE UPDATE ON lead_consents
  FOR EACH ROW EXECUTE FUNCTION keep_lead_consent();

-- Of a key or a user an audit record's address is that of a partner or of the account's own people; of a form it is the person's.
GRANT UPDATE (address) ON lead_audit_records TO CURRENT_USER;
CREATE OR REPLACE FUNCTION keep_audit_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.lead::text <> lead_json_without_person(old.lead)::text
    OR new.before::text IS DISTINCT FROM lead_json_without_person(old.before)::text
    OR new.address IS DISTINCT FROM (CASE WHEN old.actor_type = 'form' THEN NULL ELSE old.address END)
    OR NOT EXISTS (
      SELECT FROM leads WHERE leads.account_id = old.account_id AND leads.id = old.lead_id AND leads.erased_at IS NOT NULL
    )
  THEN
    RAISE EXCEPTION 'audit records are only ever added' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN new;
END
$$;
CREATE OR REPLACE FUNCTION blank_audit_records(of_account uuid, of_lead uuid, below integer) RETURNS void LANGUAGE sql AS $$
  UPDATE lead_audit_records
  SET lead = lead_json_without_person(lead), before = lead_json_without_person(before),
    address = CASE WHEN actor_type = 'form' THEN NULL ELSE address END
  WHERE account_id = of_account AND lead_id = of_lead AND version < below
$$;

-- Nothing of a refused submission tells which person it was of, so that no erasure could find its address: it is not kept.
ALTER TABLE refused_requests ALTER COLUMN address DROP NOT NULL;
