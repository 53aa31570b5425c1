import Type from 'typebox';
import { LIMITS } from '../../limits.ts';
import { FORM_LIMITS, type FORM_LOG_OUTCOMES } from '../forms.ts';
import { body, name, nullable } from './parts.ts';

const field = body({
  /** Name of the input, as the page sends it; names that begin with `_` are the form's own. */
  name: Type.String({ minLength: 1, maxLength: 100, format: 'form-input' }),
  label: Type.String({ minLength: 1, maxLength: 200, format: 'no-control-characters' }),
  /** One of FORM_TARGETS, or `custom_fields.<name>`. */
  to: Type.String({ format: 'form-target' }),
  required: Type.Boolean(),
});

const settings = {
  name,
  campaign_id: Type.Integer({ minimum: 1, maximum: LIMITS.maxInt32 }),
  /** Id of the API key whose rate limit the form shares; it needs leads:write. */
  key_id: Type.String({ format: 'uuid' }),
  fields: Type.Array(field, { minItems: 1, maxItems: FORM_LIMITS.fields }),
  /** Another text is another version; earlier ones stay, since pages may still show them. Null: the form asks for none. */
  consent: nullable(
    body({
      text: Type.String({ minLength: 1, maxLength: FORM_LIMITS.consentText }),
      required: Type.Boolean(),
    }),
  ),
  /** Seconds that a person needs at least; 0: not looked at. */
  min_fill_seconds: Type.Integer({ minimum: 0, maximum: FORM_LIMITS.minFillSeconds }),
  /** `https://shop.example`; none: pages of every origin may send. */
  allowed_origins: Type.Array(Type.String({ maxLength: 255, format: 'origin' }), {
    maxItems: FORM_LIMITS.allowedOrigins,
    uniqueItems: true,
  }),
  /** Where a browser goes after it sent the form; null: a page of ours that says thanks. */
  redirect_url: nullable(Type.String({ maxLength: 2048, format: 'http-url' })),
  /** Source of its leads; null: none. */
  source: nullable(Type.String({ minLength: 1, maxLength: 255, format: 'no-control-characters' })),
  /** Two letters (ISO 3166-1) of the country of phone numbers without a plus sign; null: they are refused. */
  default_country: nullable(Type.String({ format: 'country' })),
  /** Submissions that one address may send in a minute; 0: any number, up to the key's own limit. */
  per_address_a_minute: Type.Integer({ minimum: 0, maximum: FORM_LIMITS.perAddressAMinute }),
};

const { name: named, campaign_id, key_id, ...others } = settings;
const optional = Type.Partial(body(others)).properties;

export const formRequests = {
  /** What is left out has a default: first and last name, e-mail and phone; no consent; 2 seconds; 60 a minute. */
  createForm: { body: body({ name: named, campaign_id, key_id, ...optional }) },
  changeForm: {
    body: body({
      ...Type.Partial(body(settings)).properties,
      active: Type.Optional(Type.Boolean()),
    }),
  },
} as const;

export type FormField = { name: string; label: string; to: string; required: boolean };

/** Fields are in the order in which the form shows them. */
export type Form = {
  id: string;
  name: string;
  campaign_id: number;
  key: { id: string; public_key: string; name: string; state: 'active' | 'expired' | 'revoked' };
  active: boolean;
  fields: FormField[];
  consent: { version: number; text: string; required: boolean } | null;
  min_fill_seconds: number;
  allowed_origins: string[];
  redirect_url: string | null;
  source: string | null;
  default_country: string | null;
  per_address_a_minute: number;
  /** When the key that Google Ads sends was made; null where there is none. */
  google_key_made_at: string | null;
  /** Where the form is sent, and where Google Ads sends its leads. */
  url: string;
  google_url: string;
  created_at: string;
  updated_at: string;
};

/** What became of one submission; what it held is kept of tests alone. */
export type FormLogEntry = {
  id: string;
  at: string;
  /** `form`, or the name of a platform. */
  via: string;
  outcome: (typeof FORM_LOG_OUTCOMES)[number];
  /** Why it was refused: a stable code, and a sentence. */
  reason: string | null;
  message: string | null;
  fields: { path: string; code: string; message: string }[];
  lead_id: string | null;
  request_id: string;
  /** Of a test, the lead that it would have made. */
  test: Record<string, unknown> | null;
};

export type FormAnswers = {
  /** Newest first. */
  listForms: { forms: Form[] };
  createForm: Form;
  getForm: Form;
  changeForm: Form;
  /** HTML to paste: `plain` works without JavaScript; `script` is the tag that adds errors beside the fields. */
  getEmbedding: { plain: string; script: string };
  /** The newest hundred. */
  listFormLog: { entries: FormLogEntry[] };
  /** `google_key` is shown here and never again; an earlier one ends. */
  makeGoogleKey: { google_key: string; form: Form };
  endGoogleKey: Form;
};
