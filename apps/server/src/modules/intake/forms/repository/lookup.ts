import type { FormField } from '@leadwire/contract/dashboard';
import { type Database, int4Array, uuidArray } from '../../../../platform/database/index.ts';
import { parseJson } from '../../../../platform/json/index.ts';
import type { FormSettings } from './managed.ts';

export type LookedUpForm = FormSettings & {
  accountId: string;
  id: string;
  googleKeyHash: Buffer | null;
  /** Versions of the consent text after the one that was known already, oldest first. */
  newTexts: [version: number, text: string][];
};

type Row = Omit<LookedUpForm, 'fields' | 'newTexts'> & {
  ord: number;
  fields: string;
  newTexts: string | null;
};

// The texts never change, so that only those are read that are not known yet.
const LOOK_UP = `
  SELECT input.ord::int AS ord, forms.account_id AS "accountId", forms.id, forms.active, forms.name,
    forms.campaign_id AS "campaignId", forms.key_id AS "keyId", forms.fields::text AS fields,
    forms.consent_version AS "consentVersion", forms.consent_required AS "consentRequired",
    forms.min_fill_seconds AS "minFillSeconds", forms.allowed_origins AS "allowedOrigins",
    forms.redirect_url AS "redirectUrl", forms.source, forms.default_country AS "defaultCountry",
    forms.per_address_a_minute AS "perAddressAMinute", forms.google_key_hash AS "googleKeyHash",
    (SELECT json_agg(json_build_array(texts.version, texts.text) ORDER BY texts.version)::text
      FROM form_consent_texts texts
      WHERE texts.account_id = forms.account_id AND texts.form_id = forms.id AND texts.version > input.known
    ) AS "newTexts"
  FROM forms, unnest($1::uuid[], $2::int4[]) WITH ORDINALITY AS input (id, known, ord) WHERE forms.id = input.id`;

/** Forms by their ids, whichever account they belong to, in the order that was asked; `known`: the newest version of a text that is known. */
export async function lookUp(
  database: Database,
  asked: { id: string; known: number }[],
): Promise<(LookedUpForm | null)[]> {
  const rows = await database.query<Row>({
    name: 'forms-look-up',
    text: LOOK_UP,
    values: [uuidArray(asked.map(({ id }) => id)), int4Array(asked.map(({ known }) => known))],
  });
  const found = new Map(rows.map((row) => [row.ord, row]));
  return asked.map((_, index) => {
    const row = found.get(index + 1);
    if (!row) return null;
    const { ord: _ord, fields, newTexts, ...others } = row;
    return {
      ...others,
      fields: parseJson(fields) as FormField[],
      newTexts: newTexts === null ? [] : (parseJson(newTexts) as [number, string][]),
    };
  });
}
