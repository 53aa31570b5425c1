import type { ApiKey } from '@leadwire/contract/dashboard';
import type { Tone } from '../../parts/index.ts';

const STATES: Readonly<Record<ApiKey['state'], { label: string; tone: Tone }>> = {
  active: { label: 'Active', tone: 'good' },
  expired: { label: 'Expired', tone: 'calm' },
  revoked: { label: 'Revoked', tone: 'bad' },
};

/** The state of a key in a word; one that was replaced and still works is on its way out. */
export function stateOf(key: ApiKey): { label: string; tone: Tone } {
  if (key.replaced_by && key.state === 'active') return { label: 'Replaced', tone: 'warn' };
  if (key.replaced_by) return { label: 'Replaced', tone: 'calm' };
  return STATES[key.state];
}

export const SCOPE_MEANINGS = {
  'leads:read': 'Read leads, events, webhooks and deliveries.',
  'leads:write': 'Send and change leads. Together with leads:read also create and change webhooks.',
} as const;

const count = (n: number): string => n.toLocaleString('en-US');

export function limitText(limit: ApiKey['rate_limit']): string {
  if (limit === null) return 'Default: 6,000 requests in 60 seconds';
  if (limit.max === 0) return 'Unlimited';
  return `${count(limit.max)} requests in ${count(limit.window_seconds)} seconds`;
}

type Advice = { title: string; todo: string };

const REASONS: Readonly<Record<string, Advice>> = {
  validation: {
    title: 'Invalid fields',
    todo: 'Correct the fields that are named, then send it again.',
  },
  malformed_json: {
    title: 'Not valid JSON',
    todo: 'Make the body with a JSON library, not by joining strings.',
  },
  empty_body: { title: 'Empty body', todo: 'Send a JSON object with at least one field.' },
  payload_too_large: {
    title: 'Body too large',
    todo: 'Send at most 256 KiB, or 5 MiB and 1,000 leads in a batch.',
  },
  rate_limited: {
    title: 'Rate limit reached',
    todo: 'Wait for the seconds in Retry-After, send batches, or give the key a higher limit.',
  },
  invalid_signature: {
    title: 'Wrong signature',
    todo: 'Paste the request into the signature check to see what differs.',
  },
  signature_expired: {
    title: 'Timestamp too old or ahead',
    todo: 'Sign each attempt anew when it is sent, and set the clock of the sender.',
  },
  invalid_public_key: {
    title: 'Key has ended',
    todo: 'This key has expired or was revoked. Use the key that replaces it.',
  },
  invalid_bearer: {
    title: 'Key has ended',
    todo: 'This key has expired or was revoked. Use the key that replaces it.',
  },
  not_found: {
    title: 'Nothing there',
    todo: 'Check the id, and that the feature is on under Settings.',
  },
  conflict: {
    title: 'Changed meanwhile',
    todo: 'Read the lead again, merge, and send the change again.',
  },
  looks_automated: {
    title: 'Looked automated',
    todo: 'Nothing, where it was a program. A visitor who was too fast saw a page that lets them send it again.',
  },
  invalid_google_key: {
    title: 'Wrong Google Ads key',
    todo: 'Copy the key from the page of the form into Google Ads, or make a new one there.',
  },
  origin_not_allowed: {
    title: 'Page not allowed',
    todo: 'Add the origin of the page to the allowed origins of the form.',
  },
  webhook_limit_reached: { title: 'Too many webhooks', todo: 'Delete one that is not needed.' },
};

/** What a reason means and what the sender is to do. */
export function adviceOn(reason: string): Advice {
  if (reason.startsWith('scope_required:')) {
    const scope = reason.slice('scope_required:'.length);
    return { title: `Lacks ${scope}`, todo: `Use a key with the scope ${scope}.` };
  }
  return REASONS[reason] ?? { title: reason.replaceAll('_', ' '), todo: 'See the message.' };
}
