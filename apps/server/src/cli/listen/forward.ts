import type { Sending } from '../../modules/deliveries/index.ts';
import type { FeedEvent } from './feed-client.ts';

/** What became of an event that was passed on. */
export type Forwarded = {
  /** Of the local program's answer; null where there was none. */
  status: number | null;
  /** Why it failed; null where the answer was a 2xx. */
  error: string | null;
  attempts: number;
  duration_ms: number;
};

type Deps = {
  attempt: Sending['attempt'];
  url: string;
  secret: string;
  /** Told before each new attempt. */
  onRetry: (sentence: string) => void;
  /** Resolves early, to false, where the person wants to end. */
  wait: (ms: number) => Promise<boolean>;
};

const RETRIES_MS = [1_000, 2_000, 4_000];

/**
 * Passes events on to a local program, signed anew each time, as a delivery is. One that does not answer gets a few more tries; an
 * answer, also a bad one, is for the developer to see.
 */
export function createForward({ attempt, url, secret, onRetry, wait }: Deps) {
  return async (event: FeedEvent): Promise<Forwarded> => {
    for (let attempts = 1; ; attempts++) {
      const input = { url, eventId: event.id, body: event.text, secrets: [secret] };
      const { status, error, detail, durationMs } = await attempt(input);
      const reason = error && (detail ?? error);
      const done = { status, error: reason, attempts, duration_ms: Math.round(durationMs) };
      const delayMs = RETRIES_MS[attempts - 1];
      if (status !== null || delayMs === undefined) return done;
      onRetry(`${url} does not answer (${reason}); trying again in ${delayMs / 1000} s.`);
      if (!(await wait(delayMs))) return done;
    }
  };
}
