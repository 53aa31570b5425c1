import Type, { type Static, type TSchemaOptions } from 'typebox';
import { LIMITS } from './limits.ts';
import { LEAD_STATUSES } from './names.ts';

const nullableString = (options: TSchemaOptions) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });

const LeadStatus = Type.Unsafe<(typeof LEAD_STATUSES)[number]>({
  type: 'string',
  enum: [...LEAD_STATUSES],
  description: 'How far the lead has come; `new` on create unless given.',
});

export const campaignId = Type.Integer({
  minimum: 1,
  maximum: LIMITS.maxInt32,
  description: 'A campaign of the account.',
});

export const externalLeadId = Type.String({
  minLength: 1,
  maxLength: 255,
  format: 'no-control-characters',
  description:
    "The partner's own id of the lead. Unique together with account and campaign: posting it again is no second lead.",
});

const addressPart = nullableString({ maxLength: 255 });

const AddressInput = Type.Unsafe<Record<string, string | null> | null>({
  type: ['object', 'null'],
  properties: { street: addressPart, city: addressPart, state: addressPart, zip: addressPart },
  additionalProperties: false,
  description: 'Merged as RFC 7396 merges: a part that is left out stays, null removes it.',
});

const CustomFields = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: `Free-form; at most ${LIMITS.customFieldsBytes / 1024} KiB as JSON and ${LIMITS.customFieldsDepth} levels deep. Merged as RFC 7396 merges: null removes a member.`,
});

const patchable = {
  phone: Type.Optional(
    nullableString({
      maxLength: 50,
      format: 'phone',
      description:
        'International format with a leading plus sign (E.164). Spaces, dots, dashes and parentheses are removed before storing.',
    }),
  ),
  email: Type.Optional(
    nullableString({
      maxLength: 320,
      format: 'email',
      description: 'Stored as sent; compared without regard to the case of the domain.',
    }),
  ),
  first_name: Type.Optional(nullableString({ maxLength: 100, description: 'Given name.' })),
  last_name: Type.Optional(nullableString({ maxLength: 100, description: 'Family name.' })),
  source: Type.Optional(
    nullableString({ maxLength: 255, description: 'Where the lead came from, as you name it.' }),
  ),
  source_form_url: Type.Optional(
    nullableString({
      maxLength: 2048,
      format: 'http-url',
      description: 'The page that the lead was captured on: an absolute http or https URL.',
    }),
  ),
  tcpa_consent: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'Whether the person agreed to be contacted (TCPA).',
    }),
  ),
  tcpa_consent_text: Type.Optional(
    nullableString({ maxLength: 10_000, description: 'The words that the person agreed to.' }),
  ),
  tcpa_consent_timestamp: Type.Optional(
    nullableString({
      maxLength: 64,
      format: 'timestamp',
      description: 'ISO 8601 with an offset or Z; stored and shown in UTC.',
    }),
  ),
  custom_fields: Type.Optional(CustomFields),
  status: Type.Optional(LeadStatus),
  address: Type.Optional(AddressInput),
};

/** Body of POST /api/v1/insertion/leads and one row of a batch. */
export const LeadInput = Type.Object(
  { campaign_id: campaignId, external_lead_id: externalLeadId, ...patchable },
  {
    additionalProperties: false,
    description: 'At least one of phone and email must be present after every write.',
    examples: [
      {
        campaign_id: 1,
        external_lead_id: 'partner-0001',
        phone: '+1 (415) 555-0132',
        email: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'Lovelace',
        source: 'landing-page',
        source_form_url: 'https://example.com/solar',
        tcpa_consent: true,
        tcpa_consent_text: 'I agree to be contacted.',
        tcpa_consent_timestamp: '2026-01-15T10:30:00Z',
        custom_fields: { roof: 'flat', kwh: 4200 },
        address: { street: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' },
      },
    ],
  },
);
export type LeadInput = Static<typeof LeadInput>;

/** Body of PATCH /api/v1/insertion/leads/:id. */
export const LeadPatch = Type.Object(patchable, {
  additionalProperties: false,
  minProperties: 1,
  description: 'Fields that are left out stay as they are; null clears.',
  examples: [{ status: 'contacted', custom_fields: { roof: null, caller: 'Grace' } }],
});
export type LeadPatch = Static<typeof LeadPatch>;

const timestamp = (description: string) =>
  Type.String({
    format: 'date-time',
    description,
    examples: ['2026-01-15T10:30:00.123456Z'],
  });

export const Address = Type.Object(
  {
    street: Type.Optional(Type.String()),
    city: Type.Optional(Type.String()),
    state: Type.Optional(Type.String()),
    zip: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type Address = Static<typeof Address>;

/** A field of a lead as it is shown: described as where it is written. */
const shown = (field: keyof typeof patchable, options: TSchemaOptions = {}) =>
  nullableString({ description: descriptionOf(field), ...options });

const descriptionOf = (field: keyof typeof patchable): string =>
  (patchable[field] as { description?: string }).description ?? '';

/** The writable fields of a lead as they are stored. */
const shownFields = {
  campaign_id: campaignId,
  external_lead_id: Type.String({ description: "The partner's own id of the lead." }),
  phone: nullableString({ description: 'E.164, e.g. +14155550132.' }),
  email: shown('email'),
  first_name: shown('first_name'),
  last_name: shown('last_name'),
  source: shown('source'),
  source_form_url: shown('source_form_url'),
  tcpa_consent: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description: descriptionOf('tcpa_consent'),
  }),
  tcpa_consent_text: shown('tcpa_consent_text'),
  tcpa_consent_timestamp: shown('tcpa_consent_timestamp', { format: 'date-time' }),
  custom_fields: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'Free-form; {} when there are none.',
  }),
  status: LeadStatus,
  address: Type.Unsafe<Address | null>({
    type: ['object', 'null'],
    properties: Address.properties,
    additionalProperties: false,
    description: 'The parts that are known; null where none is.',
  }),
};

/** A lead as the insertion API shows it. */
export const Lead = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'UUIDv7, assigned by the service.' }),
    account_id: Type.String({ format: 'uuid', description: 'The owning account.' }),
    ...shownFields,
    created_at: timestamp('UTC with six decimals; unique within an account.'),
    updated_at: timestamp('UTC with six decimals.'),
  },
  { additionalProperties: false },
);
export type Lead = Static<typeof Lead>;

/** What a lead would be after a write with validate_only; what the service assigns is not there. */
export const LeadPreview = Type.Object(shownFields, { additionalProperties: false });
export type LeadPreview = Static<typeof LeadPreview>;

/** A lead as the legacy list shows it. */
export const LegacyLead = Type.Object(
  {
    id: Type.String({ description: 'UUIDv7, assigned by the service.' }),
    campaign_id: Type.String({ description: 'The campaign, as a string.' }),
    status: LeadStatus,
    first_name: shown('first_name'),
    last_name: shown('last_name'),
    email: shown('email'),
    phone: nullableString({ description: 'E.164, e.g. +14155550132.' }),
    address: Type.Object(
      {
        street: Type.String(),
        city: Type.String(),
        state: Type.String(),
        zip: Type.String(),
      },
      { description: 'An empty string where nothing is known.' },
    ),
    created_at: timestamp('UTC with six decimals.'),
    updated_at: timestamp('UTC with six decimals.'),
  },
  { additionalProperties: false },
);
export type LegacyLead = Static<typeof LegacyLead>;

export const LeadStatusSchema = LeadStatus;
