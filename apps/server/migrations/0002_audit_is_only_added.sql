-- Audit records are only ever added: the service gives up its own right to change them. A superuser is not bound by
-- this; the embedded service does not run as one.
REVOKE UPDATE, DELETE, TRUNCATE ON lead_audit_records FROM CURRENT_USER;
