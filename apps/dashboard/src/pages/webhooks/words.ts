import type {
  DeliveryError,
  DeliveryState,
  EventType,
  InactiveReason,
  ReplayState,
  Webhook,
} from '@leadwire/contract';
import type { Tone } from '../../parts/index.ts';

/** What each event tells, for whoever chooses among them. */
export const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  'lead.created': 'A lead came in that was not known before.',
  'lead.updated': 'A field of a lead changed. Not sent where a repeated lead changes nothing.',
  'lead.converted': 'The status of a lead became converted.',
  'campaign.started': 'A campaign was started.',
  'campaign.paused': 'A campaign was paused.',
};

export const EVENT_TYPES = Object.keys(EVENT_MEANINGS) as EventType[];

export const DELIVERY_STATES: Readonly<Record<DeliveryState, { label: string; tone: Tone }>> = {
  waiting: { label: 'Waiting', tone: 'calm' },
  retrying: { label: 'Retrying', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'good' },
  given_up: { label: 'Given up', tone: 'bad' },
};

export const REPLAY_STATES: Readonly<Record<ReplayState, { label: string; tone: Tone }>> = {
  running: { label: 'Running', tone: 'info' },
  done: { label: 'Done', tone: 'good' },
  canceled: { label: 'Canceled', tone: 'calm' },
};

const ERRORS: Readonly<Record<DeliveryError, string>> = {
  address_refused: 'Not sent: this service may not send to that address.',
  name_not_resolved: 'The host name of the URL was not found.',
  connection_failed: 'No connection could be made.',
  tls_failed: 'The certificate or the TLS handshake failed.',
  timeout: 'The endpoint did not answer in full within 15 seconds.',
  connection_lost: 'The connection broke off before the answer was complete.',
  bad_answer: 'What came back was no HTTP answer.',
  redirect:
    'The endpoint answered with a redirect. Redirects are not followed: enter the final URL.',
  status: 'The endpoint refused the event.',
};

type Outcome = { status: number | null; error: DeliveryError | null; detail?: string | null };

/** How an attempt ended, in a sentence. */
export function outcomeText({ status, error, detail }: Outcome): string {
  if (error === null) return `The endpoint answered ${status}.`;
  if (error === 'status') return `The endpoint answered ${status}; only 2xx counts as delivered.`;
  return detail ? `${ERRORS[error]} (${detail})` : ERRORS[error];
}

/** The same for a cell of a table. */
export const outcomeShort = ({ status, error }: Outcome): string =>
  status === null ? (error ?? 'none yet').replaceAll('_', ' ') : String(status);

const INACTIVE: Readonly<Record<InactiveReason, { title: string; text: string }>> = {
  requested: {
    title: 'Paused',
    text: 'Somebody paused it. Nothing is sent, and events that happen meanwhile are not queued for it; a replay can send them later.',
  },
  gone: {
    title: 'Set inactive: the endpoint answered 410 Gone',
    text: 'With 410 an endpoint asks for no more events. Activate it when the endpoint takes them again, then replay what it missed.',
  },
  failing: {
    title: 'Set inactive: every request failed for five days',
    text: 'Mend the endpoint, send it a test event, then activate it and replay what it missed.',
  },
};

export const inactiveWords = (reason: InactiveReason | null) => INACTIVE[reason ?? 'requested'];

/** A count that ends at a thousand, which stands for more, too. */
export const countUpTo1000 = (n: number): string =>
  n >= 1_000 ? '1,000 or more' : n.toLocaleString('en-US');

/** The state of a webhook in a word or two. */
export function stateOf(webhook: Webhook): { label: string; tone: Tone } {
  if (webhook.active) {
    return webhook.failing_since
      ? { label: 'Failing', tone: 'bad' }
      : { label: 'Active', tone: 'good' };
  }
  return webhook.inactive_reason === 'requested'
    ? { label: 'Paused', tone: 'calm' }
    : { label: 'Set inactive', tone: 'bad' };
}

const SHORT_URL = 48;

/** A URL that fits a title: without its scheme and query, cut where it is long. */
export function shortUrl(url: string): string {
  const text = url.replace(/^https?:\/\//i, '').replace(/[?#].*$/, '');
  return text.length > SHORT_URL ? `${text.slice(0, SHORT_URL - 1)}…` : text;
}
