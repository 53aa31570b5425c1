import { IMPORT_TARGETS, type ImportPreview } from '@leadwire/contract/dashboard';

type Target = (typeof IMPORT_TARGETS)[number];

const NAMES: Readonly<Record<Target, string>> = {
  external_lead_id: 'External id',
  phone: 'Phone',
  email: 'Email',
  first_name: 'First name',
  last_name: 'Last name',
  full_name: 'Full name (split at its last word)',
  source: 'Source',
  source_form_url: 'Form address',
  tcpa_consent: 'Consent (yes or no)',
  tcpa_consent_text: 'Consent text',
  tcpa_consent_timestamp: 'Consent given (time)',
  status: 'Status',
  'address.street': 'Street',
  'address.city': 'City',
  'address.state': 'State or region',
  'address.zip': 'Postal code',
  custom_fields: 'Custom fields (JSON object)',
};

const CUSTOM = 'custom_fields.';
const SAMPLES = 3;

/** What a column's select holds: a field of the lead, `custom` for a field of its own, or nothing for a column left out. */
export const CHOICE_CUSTOM = 'custom';
export const CHOICES = [
  { value: '', label: 'Leave out' },
  { value: CHOICE_CUSTOM, label: 'Custom field' },
  ...IMPORT_TARGETS.map((value) => ({ value: value as string, label: NAMES[value] })),
];

export const choiceOf = (target: string | null | undefined): string =>
  target?.startsWith(CUSTOM) ? CHOICE_CUSTOM : (target ?? '');

/** Under which name a custom field stores a column; null where it is none. */
export const customName = (target: string | null | undefined): string | null =>
  target?.startsWith(CUSTOM) ? target.slice(CUSTOM.length) : null;

export const toCustom = (name: string): string => `${CUSTOM}${name}`;

/** The target of a choice; a custom field is named after the header, unless that is empty. */
export function targetOf(choice: string, header: string, index: number): string | null {
  if (choice === '') return null;
  if (choice !== CHOICE_CUSTOM) return choice;
  return toCustom(header.trim().slice(0, 100) || `column_${index + 1}`);
}

/** What a column becomes, for people. */
export function targetText(target: string | null | undefined): string {
  if (!target) return 'Left out';
  const name = customName(target);
  return name === null ? (NAMES[target as Target] ?? target) : `Custom field ${name}`;
}

/** The first different values of a column that are not empty. */
export function samplesOf({ rows }: ImportPreview, column: number): string[] {
  const values = rows.map((row) => row[column]?.trim() ?? '').filter((text) => text !== '');
  return [...new Set(values)].slice(0, SAMPLES);
}
