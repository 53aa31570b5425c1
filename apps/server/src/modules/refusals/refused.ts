import type { Failure } from './redact.ts';

/** A request, or a row of a batch, that was refused. */
export type Refused = {
  accountId: string;
  keyId: string;
  /** Milliseconds since the Unix epoch. */
  atMs: number;
  requestId: string;
  /** Null where the request came without a key of its own, by a form: it would be a person's. */
  address: string | null;
  method: string;
  /** The pattern of the route: a URL can hold personal data. */
  route: string;
  row: number | null;
  failure: Failure;
};
