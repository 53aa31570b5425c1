/** One field that was refused; `path` is that of the body: `changes.phone`. */
export type FieldError = { path: string; code: string; message: string };

type Failure = {
  status: number;
  error: string;
  message: string;
  errors?: FieldError[];
  details?: Record<string, unknown>;
  requestId: string | null;
  retryAfterSeconds: number | null;
};

/** An answer of the service that is no success; `status` 0: it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  /** Short, stable, for programs. */
  readonly error: string;
  readonly errors: readonly FieldError[];
  readonly details: Readonly<Record<string, unknown>>;
  /** What to name when asking somebody for help. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'ApiError';
    this.status = failure.status;
    this.error = failure.error;
    this.errors = failure.errors ?? [];
    this.details = failure.details ?? {};
    this.requestId = failure.requestId;
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;

/** Nobody is signed in, or no longer. */
export const isSignedOut = (error: unknown): boolean =>
  isApiError(error) && error.status === 401 && error.error === 'session_required';

/** The service could not be reached, or it failed: the same again may succeed. */
export const isPassing = (error: unknown): boolean =>
  isApiError(error) && (error.status === 0 || error.status >= 500 || error.status === 429);

export const unreachable = (): ApiError =>
  new ApiError({
    ...{ status: 0, error: 'unreachable', requestId: null, retryAfterSeconds: null },
    message: 'The service could not be reached. Check your connection, then try again.',
  });

/** Reads a refusal; what does not come from the service itself (a proxy's page, say) gets a sentence of ours. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const retryAfter = Number(response.headers.get('retry-after'));
  const { error, message, errors, details } = body ?? {};
  return new ApiError({
    status: response.status,
    error: typeof error === 'string' ? error : `http_${response.status}`,
    message: typeof message === 'string' ? message : sentenceFor(response.status),
    errors: Array.isArray(errors) ? (errors as FieldError[]) : [],
    details: (details as Record<string, unknown> | undefined) ?? {},
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  });
}

const sentenceFor = (status: number): string =>
  status >= 500
    ? 'The service could not answer just now. Try again in a moment.'
    : `The service refused this with status ${status}.`;

/**
 * The field errors of a refusal by the name of their field, for a form: the path below `under`. The label of the field stands
 * beside it, so the sentence begins without its name: "Must be a valid email address".
 */
export function fieldErrors(error: unknown, under?: string): Record<string, string> {
  if (!isApiError(error)) return {};
  const prefix = under ? `${under}.` : '';
  const entries = error.errors
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path, message }) => [path.slice(prefix.length), withoutName(message, path)]);
  return Object.fromEntries(entries.reverse());
}

function withoutName(message: string, path: string): string {
  const name = [path, path.split('.').at(-1) ?? path].find((one) => message.startsWith(`${one} `));
  const rest = name ? message.slice(name.length + 1) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
