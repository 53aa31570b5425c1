export type FieldError = { path: string; code: string; message: string };

type AppErrorOptions = {
  status: number;
  code: string;
  message: string;
  errors?: FieldError[];
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
};

/**
 * A failure with an answer: `status` and `code` go to the client as they are, `message` says what to do about it.
 * Everything else that is thrown is a defect and is answered as `internal_error`.
 */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: FieldError[] | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(options: AppErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.status = options.status;
    this.code = options.code;
    this.errors = options.errors;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}
