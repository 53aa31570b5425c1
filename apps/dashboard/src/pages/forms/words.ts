import type { Form, FormLogEntry } from '@leadwire/contract/dashboard';
import type { Tone } from '../../parts/index.ts';
import { CUSTOM } from './form-values.ts';

/** Where the value of an input may go, as people call it. */
export const TARGETS: Readonly<Record<string, string>> = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  'address.street': 'Street',
  'address.city': 'City',
  'address.state': 'State',
  'address.zip': 'Zip',
  [CUSTOM]: 'A custom field',
};

/** The state of a form in a word or two. */
export function stateOf({ active, key }: Pick<Form, 'active' | 'key'>): {
  label: string;
  tone: Tone;
} {
  if (!active) return { label: 'Switched off', tone: 'calm' };
  if (key.state !== 'active') return { label: `Key ${key.state}`, tone: 'bad' };
  return { label: 'Active', tone: 'good' };
}

export const OUTCOMES: Readonly<Record<FormLogEntry['outcome'], { label: string; tone: Tone }>> = {
  inserted: { label: 'New lead', tone: 'good' },
  patched: { label: 'Lead updated', tone: 'good' },
  deduped: { label: 'Sent again', tone: 'calm' },
  refused: { label: 'Refused', tone: 'bad' },
  test: { label: 'Test', tone: 'info' },
};

const VIA: Readonly<Record<string, string>> = { form: 'Form', google: 'Google Ads' };

/** The way that a submission came, by name. */
export const viaName = (via: string): string => (Object.hasOwn(VIA, via) ? VIA[via] : via) ?? via;

const REASONS: Readonly<Record<string, string>> = {
  validation: 'Fields were not filled in right. Whoever sent it was told which:',
  looks_automated:
    'It looked automated: filled in too fast, or in the field that people do not see.',
  origin_not_allowed: 'It came from a page that is not among the allowed origins.',
  rate_limited: 'Too many at once. Whoever sent it was asked to wait and send again.',
  payload_too_large: 'It was larger than a form can be.',
  invalid_google_key: 'The key was not the one that this page made.',
  unavailable:
    'The service was not available for a moment. Whoever sent it was asked to send again.',
};

/** Why a submission was refused, in a sentence. */
export const reasonText = ({ reason, message }: Pick<FormLogEntry, 'reason' | 'message'>): string =>
  (reason && Object.hasOwn(REASONS, reason) ? REASONS[reason] : message?.replaceAll('`', '')) ?? '';

/** "2 seconds", "1 second", "Not looked at". */
export const secondsText = (seconds: number): string =>
  seconds === 0 ? 'Not looked at' : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;

/** How many one visitor may send. */
export const perAddressText = (count: number): string =>
  count === 0
    ? 'Any number, up to the limit of the key'
    : `${count.toLocaleString('en-US')} a minute`;
