import { AppError, unavailable } from '../errors/index.ts';

/** Thrown where a connection reached a server that takes no writes. */
export class NotPrimaryError extends Error {}

// Deadlock, serialization, shutdown, crash, starting up, read-only standby, too many connections.
const TRANSIENT_STATES = new Set(['40P01', '40001', '57P01', '57P02', '57P03', '25006', '53300']);
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
// node-postgres reports these without a code.
const LOST_CONNECTION =
  /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed/i;
const QUERY_CANCELED = '57014';
// Insufficient resources, such as a full disk, and errors of the system: they pass when somebody acts, not in a moment.
const OUT_OF_ORDER = /^5[38]/;

const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? '');

/** True where the same statement may well succeed a moment later, perhaps on another server. */
export function isTransient(error: unknown): boolean {
  if (error instanceof NotPrimaryError) return true;
  const code = codeOf(error);
  if (TRANSIENT_STATES.has(code) || code.startsWith('08') || NETWORK_CODES.has(code)) return true;
  return error instanceof Error && LOST_CONNECTION.test(error.message);
}

/** True for failures of the store itself, not of what was asked of it. */
export const isUnavailable = (error: unknown): boolean =>
  (error instanceof AppError && error.status === 503) ||
  isTransient(error) ||
  OUT_OF_ORDER.test(codeOf(error)) ||
  codeOf(error) === QUERY_CANCELED;

/** True where a statement took longer than it may, as `query` and `transaction` report it. */
export const isTimeout = (error: unknown): boolean =>
  [error, (error as { cause?: unknown })?.cause].some((one) => codeOf(one) === QUERY_CANCELED);

export type Retry = { forMs: number; now: () => number; wait: (ms: number) => Promise<void> };

/**
 * Runs `attempt` until it succeeds, its failure is no transient one, or `forMs` are over.
 * `attempt` must be safe to repeat after it may have committed.
 * @throws AppError 503 `unavailable` when the store stayed out of reach.
 */
export async function retryTransient<T>(attempt: () => Promise<T>, retry: Retry): Promise<T> {
  const deadline = retry.now() + retry.forMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 200)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (!isTransient(error) || retry.now() + pauseMs > deadline) throw unavailable(error);
      await retry.wait(pauseMs);
    }
  }
}
