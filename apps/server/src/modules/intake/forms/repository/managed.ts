import type { FormField } from '@leadwire/contract/dashboard';
import type { Database, TimestampText } from '../../../../platform/database/index.ts';
import { parseJson } from '../../../../platform/json/index.ts';

type Query = Database['query'];
type Reference = { accountId: string; id: string };

/** What of a form can be chosen and changed. */
export type FormSettings = {
  name: string;
  active: boolean;
  campaignId: number;
  keyId: string;
  fields: FormField[];
  consentVersion: number | null;
  consentRequired: boolean;
  minFillSeconds: number;
  allowedOrigins: string[];
  redirectUrl: string | null;
  source: string | null;
  defaultCountry: string | null;
  perAddressAMinute: number;
};

export type FormRow = FormSettings & {
  id: string;
  consentText: string | null;
  keyPublicKey: string;
  keyName: string;
  keyExpiresAt: TimestampText | null;
  keyRevokedAt: TimestampText | null;
  googleKeyMadeAt: TimestampText | null;
  createdAt: TimestampText;
  updatedAt: TimestampText;
};

const SHOWN = `
  SELECT forms.id, forms.name, forms.active, forms.campaign_id AS "campaignId", forms.key_id AS "keyId",
    forms.fields::text AS fields, forms.consent_version AS "consentVersion", forms.consent_required AS "consentRequired",
    forms.min_fill_seconds AS "minFillSeconds", forms.allowed_origins AS "allowedOrigins",
    forms.redirect_url AS "redirectUrl", forms.source, forms.default_country AS "defaultCountry",
    forms.per_address_a_minute AS "perAddressAMinute", forms.google_key_made_at AS "googleKeyMadeAt",
    forms.created_at AS "createdAt", forms.updated_at AS "updatedAt", texts.text AS "consentText",
    keys.public_key AS "keyPublicKey", keys.name AS "keyName", keys.expires_at AS "keyExpiresAt",
    keys.revoked_at AS "keyRevokedAt"
  FROM forms
  JOIN api_keys keys ON keys.account_id = $1 AND keys.id = forms.key_id
  LEFT JOIN form_consent_texts texts ON texts.account_id = $1 AND texts.form_id = forms.id
    AND texts.version = forms.consent_version
  WHERE forms.account_id = $1`;

const toRow = (row: Omit<FormRow, 'fields'> & { fields: string }): FormRow => ({
  ...row,
  fields: parseJson(row.fields) as FormField[],
});
type Stored = Parameters<typeof toRow>[0];

/** Newest first. */
export async function list(database: Database, accountId: string): Promise<FormRow[]> {
  const rows = await database.query<Stored>({
    text: `${SHOWN} ORDER BY forms.id DESC`,
    values: [accountId],
  });
  return rows.map(toRow);
}

export async function find(query: Query, { accountId, id }: Reference): Promise<FormRow | null> {
  const text = `${SHOWN} AND forms.id = $2`;
  const [row] = await query<Stored>({ text, values: [accountId, id] });
  return row ? toRow(row) : null;
}

/** Holds a form until the end of the transaction: those who change it stand in a queue. */
export async function lock(query: Query, { accountId, id }: Reference): Promise<FormRow | null> {
  await query({
    text: 'SELECT id FROM forms WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE',
    values: [accountId, id],
  });
  return find(query, { accountId, id });
}

const values = (form: FormSettings): unknown[] => [
  ...[form.name, form.active, form.campaignId, form.keyId, JSON.stringify(form.fields)],
  ...[form.consentVersion, form.consentRequired, form.minFillSeconds, form.allowedOrigins],
  ...[form.redirectUrl, form.source, form.defaultCountry, form.perAddressAMinute],
];

/** @returns false where the account has `limit` forms already; exact whatever else is being created. */
export async function insert(
  query: Query,
  { accountId, id, at, limit, form }: Reference & { at: string; limit: number; form: FormSettings },
): Promise<boolean> {
  // The account's row is the queue in which its new forms stand: the count below sees those before them.
  await query({
    text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
    values: [accountId],
  });
  const rows = await query({
    text: `INSERT INTO forms (account_id, id, created_at, updated_at, name, active, campaign_id, key_id, fields, consent_version,
             consent_required, min_fill_seconds, allowed_origins, redirect_url, source, default_country, per_address_a_minute)
           SELECT $1, $2, $3, $3, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17
           WHERE (SELECT count(*) FROM forms WHERE account_id = $1) < $4
           RETURNING id`,
    values: [accountId, id, at, limit, ...values(form)],
  });
  return rows.length > 0;
}

/** Of a form that is locked. */
export async function update(
  query: Query,
  { accountId, id, at, form }: Reference & { at: string; form: FormSettings },
): Promise<void> {
  await query({
    text: `UPDATE forms SET updated_at = $3, name = $4, active = $5, campaign_id = $6, key_id = $7, fields = $8,
             consent_version = $9, consent_required = $10, min_fill_seconds = $11, allowed_origins = $12,
             redirect_url = $13, source = $14, default_country = $15, per_address_a_minute = $16
           WHERE account_id = $1 AND id = $2`,
    values: [accountId, id, at, ...values(form)],
  });
}

/** The newest version of the consent text of a form that is locked; null where it never had one. */
export async function findNewestText(
  query: Query,
  { accountId, id }: Reference,
): Promise<{ version: number; text: string } | null> {
  const [row] = await query<{ version: number; text: string }>({
    text: `SELECT version, text FROM form_consent_texts WHERE account_id = $1 AND form_id = $2
           ORDER BY version DESC LIMIT 1`,
    values: [accountId, id],
  });
  return row ?? null;
}

export async function insertText(
  query: Query,
  text: Reference & { version: number; text: string; at: string },
): Promise<void> {
  await query({
    text: `INSERT INTO form_consent_texts (account_id, form_id, version, text, created_at) VALUES ($1, $2, $3, $4, $5)`,
    values: [text.accountId, text.id, text.version, text.text, text.at],
  });
}

/** Sets the key of a platform, or with null ends it. @returns false where the account has no such form */
export async function setGoogleKey(
  database: Database,
  { accountId, id, hash, at }: Reference & { hash: Buffer | null; at: string },
): Promise<boolean> {
  const rows = await database.query({
    text: `UPDATE forms SET google_key_hash = $3, updated_at = $4,
             google_key_made_at = CASE WHEN $3::bytea IS NULL THEN NULL ELSE $4::timestamptz END
           WHERE account_id = $1 AND id = $2 RETURNING id`,
    values: [accountId, id, hash, at],
  });
  return rows.length > 0;
}

/** Moves every form of one key of the account to another one. */
export async function moveKey(
  query: Query,
  { accountId, from, to, at }: { accountId: string; from: string; to: string; at: string },
): Promise<void> {
  await query({
    text: 'UPDATE forms SET key_id = $3, updated_at = $4 WHERE account_id = $1 AND key_id = $2',
    values: [accountId, from, to, at],
  });
}

export async function findNames(
  database: Database,
  accountId: string,
  ids: string[],
): Promise<{ id: string; name: string }[]> {
  return database.query({
    text: 'SELECT id, name FROM forms WHERE account_id = $1 AND id = ANY ($2::uuid[])',
    values: [accountId, ids],
  });
}
