import type { DeliveryError } from '@leadwire/contract';
import type { Outbound, OutboundResult } from '../../../platform/outbound/index.ts';
import { parseRetryAfter } from './retry-after.ts';
import { createKeyCache, signatureHeaders } from './signature.ts';

export type AttemptInput = {
  url: string;
  /** `evt_…`: the webhook-id, the same on every attempt. */
  eventId: string;
  body: string;
  /** `whsec_…`, the newest first. */
  secrets: string[];
};

export type AttemptResult = {
  /** A whole 2xx answer came in time. */
  succeeded: boolean;
  /** Why not; null when it did. */
  error: DeliveryError | null;
  /** Of the answer, also of one that came too late or broke off; null where there was none. */
  status: number | null;
  /** A short text for people, e.g. ECONNREFUSED. */
  detail: string | null;
  durationMs: number;
  /** The beginning of the answer's body. */
  answer: Buffer | null;
  /** What a 429 or 503 asked for, at most a day. */
  retryAfterMs: number | null;
  /** It answered 410: it wants no more. */
  isGone: boolean;
};

export type Attempt = (input: AttemptInput) => Promise<AttemptResult>;

/**
 * Sends an event to an endpoint once, signed anew. A failure is a result; rejects only where there is no secret to sign
 * with.
 */
export function createAttempt(deps: {
  outbound: Pick<Outbound, 'post'>;
  nowMs: () => number;
}): Attempt {
  const { outbound, nowMs } = deps;
  const keyOf = createKeyCache();
  return async ({ url, eventId, body, secrets }) => {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Leadwire',
      ...signatureHeaders({ id: eventId, body, secrets }, nowMs(), keyOf),
    };
    return readResult(await outbound.post({ url, headers, body }), nowMs());
  };
}

function readResult(result: OutboundResult, nowMs: number): AttemptResult {
  const { status, detail, durationMs, answer, retryAfter } = result;
  const error = result.error ?? errorOfStatus(status);
  const mayAskToWait = status === 429 || status === 503;
  return {
    succeeded: error === null,
    ...{ error, status, detail, durationMs, answer },
    retryAfterMs: mayAskToWait ? parseRetryAfter(retryAfter, nowMs) : null,
    isGone: status === 410,
  };
}

function errorOfStatus(status: number | null): DeliveryError | null {
  if (status !== null && status >= 200 && status < 300) return null;
  return status !== null && status >= 300 && status < 400 ? 'redirect' : 'status';
}
