import type { BatchAnswer } from './types.generated.ts';

/** One failed constraint of what was sent. */
export type FieldError = { path: string; code: string; message: string };

/** What an insertMany had done when it failed. */
export type Completed = Pick<BatchAnswer, 'results' | 'counts'>;

/** What is known of a failure beside its message. */
export type Failure = {
  code: string;
  status?: number | undefined;
  requestId?: string | undefined;
  details?: Record<string, unknown> | undefined;
  cause?: unknown;
};

/** Whatever goes wrong in a call is one of these, but for the reason of an AbortSignal, which is thrown as it is. */
export class LeadwireError extends Error {
  override name = 'LeadwireError';
  /** Short, stable and machine-readable: the `error` of the answer, or one of the client's own. */
  readonly code: string;
  /** HTTP status of the answer; undefined where none came. */
  readonly status: number | undefined;
  /** Name it when you ask for help; undefined where no answer came. */
  readonly requestId: string | undefined;
  /** What a signer needs to find its mistake; on `signature_expired` and `invalid_signature`. */
  readonly details: Record<string, unknown> | undefined;
  /** How many times the request was sent, those that got a 429 apart. */
  attempts = 0;
  /** On a failure of insertMany: the results of the batches before. */
  completed: Completed | undefined;

  constructor(message: string, { code, status, requestId, details, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }
}

/** 400: what was sent is wrong; the same again fails again. `code` is `validation_failed`, `malformed_json` or `empty_body`. */
export class ValidationError extends LeadwireError {
  override name = 'ValidationError';
  /** Each failed constraint, in the order of the fields. */
  readonly errors: FieldError[];

  constructor(message: string, failure: Failure, errors: FieldError[]) {
    super(message, failure);
    this.errors = errors;
  }
}

/** 401: no valid key or signature. */
export class AuthenticationError extends LeadwireError {
  override name = 'AuthenticationError';
}

/** 403: the key lacks a scope; `code` names it, e.g. `scope_required:leads:write`. */
export class ScopeError extends LeadwireError {
  override name = 'ScopeError';
}

/** 404: the account has no such record, or the endpoint is switched off. */
export class NotFoundError extends LeadwireError {
  override name = 'NotFoundError';
}

/** 409: somebody else wrote between read and write. Read again, merge, write again; patchWith does it. */
export class ConflictError extends LeadwireError {
  override name = 'ConflictError';
}

/** 429, where waiting would take longer than the call may. */
export class RateLimitError extends LeadwireError {
  override name = 'RateLimitError';
  /** When to try again, in milliseconds from the answer. */
  readonly retryAfterMs: number;

  constructor(message: string, failure: Failure, retryAfterMs: number) {
    super(message, failure);
    this.retryAfterMs = retryAfterMs;
  }
}

/** 5xx, the last of the attempts. */
export class ServerError extends LeadwireError {
  override name = 'ServerError';
  /** What a 503 asked for, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(message: string, failure: Failure, retryAfterMs: number) {
    super(message, failure);
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer, or none that is whole, at the last attempt. `code` is `network_error`, `timeout` or `malformed_answer`. */
export class NetworkError extends LeadwireError {
  override name = 'NetworkError';
}

/** The call took longer than deadlineMs, or would have with its next wait; `cause` is the failure of the try before. */
export class DeadlineError extends LeadwireError {
  override name = 'DeadlineError';
}
