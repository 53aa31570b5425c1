import { type Received, requestIdOf } from './answer-errors.ts';
import { answerText } from './answer-text.ts';
import type { Clock } from './clock.ts';
import { DeadlineError, NetworkError } from './errors.ts';

/** How long a call may go on. */
export type Budget = {
  signal: AbortSignal | undefined;
  /** Of one try, in milliseconds. */
  timeoutMs: number;
  /** Of the whole call, in milliseconds since the Unix epoch. */
  deadlineAt: number;
};

type Deps = { fetch: typeof fetch; clock: Clock };

/**
 * Sends a request once and reads the whole answer, within the time of one try and of the call.
 * @throws the reason of the signal; DeadlineError; NetworkError where no answer came, or none that is whole
 */
export async function exchange(
  { fetch, clock }: Deps,
  url: string,
  init: RequestInit,
  { signal, timeoutMs, deadlineAt }: Budget,
): Promise<Received> {
  signal?.throwIfAborted();
  const leftMs = deadlineAt - clock.nowMs();
  if (leftMs <= 0) throw pastDeadline();
  const cut = new AbortController();
  const done = new AbortController();
  const abort = () => cut.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  let isLate = false;
  const ring = () => {
    isLate = true;
    cut.abort();
  };
  clock.sleep(Math.min(timeoutMs, leftMs), done.signal).then(ring, () => undefined);
  let response: Response | undefined;
  try {
    // A redirect would carry the key to another address, and no signature holds there.
    response = await fetch(url, { ...init, redirect: 'manual', signal: cut.signal });
    return { status: response.status, headers: response.headers, text: await answerText(response) };
  } catch (cause) {
    signal?.throwIfAborted();
    // What is left of an answer is not waited for.
    cut.abort();
    if (isLate && leftMs <= timeoutMs) throw pastDeadline();
    throw noAnswer(isLate ? timeoutMs : null, response, cause);
  } finally {
    done.abort();
    signal?.removeEventListener('abort', abort);
  }
}

export const pastDeadline = (cause?: unknown) =>
  new DeadlineError('The call took longer than its deadline allows.', {
    code: 'deadline_exceeded',
    cause,
  });

function noAnswer(timeoutMs: number | null, response: Response | undefined, cause: unknown) {
  const message =
    timeoutMs === null
      ? `The request failed${response ? ' while its answer was read' : ''}: ${cause instanceof Error ? cause.message : String(cause)}.`
      : `No whole answer came within ${timeoutMs} ms.`;
  return new NetworkError(message, {
    code: timeoutMs === null ? 'network_error' : 'timeout',
    status: response?.status,
    requestId: response && requestIdOf(response.headers),
    cause,
  });
}
