import type { FeedEvent } from './feed-client.ts';
import type { Forwarded } from './forward.ts';

export type ListenOptions = {
  url: string;
  forwardTo?: string;
  secret: string;
  from: string;
  json?: boolean;
};

/** What the person sees first, once the key is known to be good. */
export function greeting({ url, forwardTo, secret, from, json }: ListenOptions): string {
  const shown = forwardTo ? secret : null;
  if (json) {
    return JSON.stringify({
      listening_to: url,
      from,
      forward_to: forwardTo ?? null,
      secret: shown,
    });
  }
  const to = forwardTo ? `, forwarding to ${forwardTo}` : '';
  const signing = shown ? `\nSigning secret  ${shown}` : '';
  return `Listening to the events of ${url}${to}. End with Ctrl-C.${signing}`;
}

/** One line an event; with --json the event as it is, and what became of it. */
export function eventLine(
  event: FeedEvent,
  forwarded: Forwarded | null,
  { json }: { json?: boolean },
): string {
  if (json) return `{"event":${event.text},"forward":${JSON.stringify(forwarded)}}`;
  const what = `${timeOf(event)}  ${event.type.padEnd(16)}  ${event.id}`;
  return forwarded ? `${what}  ${outcomeOf(forwarded)}` : what;
}

/** Of the day, UTC, to the millisecond. */
const timeOf = ({ timestamp }: FeedEvent) => `${timestamp.slice(11, 23)}Z`;

function outcomeOf({ status, error, attempts, duration_ms }: Forwarded): string {
  if (status === null) return `not forwarded: ${error}, ${attempts} attempts`;
  return error === null || error === 'status' || error === 'redirect'
    ? `${status} in ${duration_ms} ms`
    : `${status}, ${error}`;
}
