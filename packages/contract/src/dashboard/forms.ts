import { WRITE_OUTCOMES } from '../outcomes.ts';

/** Where the value of an input goes: a field of the lead, a field of its address, or `custom_fields.<name>`. */
export const FORM_TARGETS = [
  'first_name',
  'last_name',
  'phone',
  'email',
  'address.street',
  'address.city',
  'address.state',
  'address.zip',
] as const;

/** The least and most of a form's settings. */
export const FORM_LIMITS = {
  fields: 50,
  allowedOrigins: 20,
  minFillSeconds: 60,
  consentText: 10_000,
  perAddressAMinute: 100_000,
} as const;

export const FORM_LOG_OUTCOMES = [...WRITE_OUTCOMES, 'refused', 'test'] as const;
