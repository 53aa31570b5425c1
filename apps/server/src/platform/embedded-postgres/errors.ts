export type EmbeddedPostgresErrorCode =
  | 'no_binaries'
  | 'binaries_unusable'
  | 'directory_locked'
  | 'directory_unusable'
  | 'cluster_missing'
  | 'wrong_major_version'
  | 'wrong_owner'
  | 'no_system_user'
  | 'initialisation_failed'
  | 'start_failed';

/**
 * A reason why the embedded PostgreSQL cannot serve. The message is one or two sentences for the
 * person who runs the service: what is wrong and what they can do. `details` (output of a program,
 * the end of a log) is for the log only.
 */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode;
  readonly details: string | undefined;

  constructor(code: EmbeddedPostgresErrorCode, message: string, details?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddedPostgresError';
    this.code = code;
    this.details = details;
  }
}

export const isEmbeddedPostgresError = (
  error: unknown,
  code?: EmbeddedPostgresErrorCode,
): error is EmbeddedPostgresError =>
  error instanceof EmbeddedPostgresError && (code === undefined || error.code === code);

/** True for file system and process errors with one of the codes, e.g. `ENOENT`. */
export const hasErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
