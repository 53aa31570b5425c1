import type { Clock } from './clock.ts';
import {
  DeadlineError,
  LeadwireError,
  NetworkError,
  RateLimitError,
  ServerError,
} from './errors.ts';
import type { Budget } from './exchange.ts';

/** Contract, section 6: 1, 2, 4, 8 s, capped at 30 s, at most five attempts. */
const MAX_ATTEMPTS = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

const backOffMs = (failures: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);

type Terms = {
  clock: Clock;
  budget: Budget;
  /** False: to be tried again after a 429 alone, since after anything else it may have been carried out. */
  isRepeatable: boolean;
};

/**
 * Tries until it succeeds or must not be tried again. A 429 is waited out and is no attempt: nothing was done.
 * @throws what the last try threw, with `attempts`; DeadlineError or RateLimitError where the next wait would pass the deadline
 */
export async function withRetries<T>(
  tryOnce: () => Promise<T>,
  { clock, budget, isRepeatable }: Terms,
): Promise<T> {
  let refusals = 0;
  let failures = 0;
  for (;;) {
    try {
      return await tryOnce();
    } catch (error) {
      if (!(error instanceof LeadwireError)) throw error;
      const isRefusal = error instanceof RateLimitError;
      if (isRefusal) refusals += 1;
      else failures += 1;
      error.attempts = failures;
      const mayRetry = isRefusal || (isRepeatable && isPassing(error) && failures < MAX_ATTEMPTS);
      if (!mayRetry) throw error;
      const waitMs = isRefusal
        ? error.retryAfterMs || backOffMs(refusals)
        : Math.max(backOffMs(failures), error instanceof ServerError ? error.retryAfterMs : 0);
      if (clock.nowMs() + waitMs >= budget.deadlineAt) throw isRefusal ? error : tooLate(error);
      await clock.sleep(waitMs, budget.signal);
      budget.signal?.throwIfAborted();
    }
  }
}

const isPassing = (error: LeadwireError): boolean =>
  error instanceof ServerError || error instanceof NetworkError;

function tooLate(last: LeadwireError): DeadlineError {
  const { status, requestId, attempts } = last;
  const message = `The next try would pass the deadline of the call; the last one failed: ${last.message}`;
  const error = new DeadlineError(message, {
    ...{ code: 'deadline_exceeded', status, requestId },
    cause: last,
  });
  return Object.assign(error, { attempts });
}
