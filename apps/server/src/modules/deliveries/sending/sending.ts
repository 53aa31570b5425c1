import { createOutbound } from '../../../platform/outbound/index.ts';
import { createAttempt } from './attempt.ts';

export type Sending = ReturnType<typeof createSending>;

// Contract section 8: the whole exchange.
const TIMEOUT_MS = 15_000;

/** What leaves the service: one agent for all of a process's requests to endpoints. */
export function createSending(options: { allowPrivate: boolean; nowMs: () => number }) {
  const outbound = createOutbound({ allowPrivate: options.allowPrivate, timeoutMs: TIMEOUT_MS });
  return {
    attempt: createAttempt({ outbound, nowMs: options.nowMs }),
    close: outbound.close,
  };
}
