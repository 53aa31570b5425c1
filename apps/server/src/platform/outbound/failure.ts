import type { DeliveryError } from '@leadwire/contract';
import { errors } from 'undici';

/** Why an exchange did not end with an answer. `status` and `redirect` are the caller's reading of an answer. */
export type TransportError = Exclude<DeliveryError, 'status' | 'redirect'>;

/** A failure whose stage is known where it is made. The message is for people: no address, no secret. */
export class TransportFailure extends Error {
  readonly kind: TransportError;

  constructor(kind: TransportError, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** Reads what undici reports once a connection stands. */
export function readFailure(error: Error): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const kind = isBadAnswer(error) ? 'bad_answer' : 'connection_lost';
  return new TransportFailure(kind, detailOf(error));
}

function isBadAnswer(error: Error): boolean {
  // Chunks that end with the connection are no worse than a length that does.
  if (error instanceof errors.HTTPParserError) return !error.message.includes('EOF');
  if (error instanceof errors.HeadersOverflowError) return true;
  if (error instanceof errors.ResponseContentLengthMismatchError) return true;
  // An interim 100 or an upgrade that nobody asked for.
  if (error instanceof errors.SocketError) return error.message.startsWith('bad ');
  return error.name === 'AssertionError';
}

/** A short text for people, e.g. ECONNREFUSED; a message only where there is no code, or the code says nothing. */
export function detailOf(error: Error & { code?: string }): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return [...new Set(error.errors.map((each: Error) => detailOf(each)))].join(', ');
  }
  const { code, message } = error;
  const text = code && !code.startsWith('UND_ERR') ? code : message || error.name;
  return text.slice(0, 200);
}
