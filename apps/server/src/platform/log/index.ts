import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger };

const SECRET_FIELDS = [
  'phone',
  'email',
  'first_name',
  'last_name',
  'address',
  'custom_fields',
  'tcpa_consent_text',
  'secret',
  'secret_key',
  'authorization',
  'password',
  'cookie',
];

/**
 * JSON lines. Bodies and URLs are never logged; redaction is the second wall, for objects that a defect might let in.
 * `buffered`: lines are written in blocks, flushed each second and at exit.
 */
export function createLog(options: { level: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[redacted]',
      },
    },
    options.destination ?? pino.destination({ dest: 1, sync: false, minLength: 0 }),
  );
}

/** A database error's message and detail can quote values of a lead: only its codes are kept. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, code, cause } = error as Error & { code?: string };
  const isDatabaseError = 'severity' in error && 'routine' in error;
  if (isDatabaseError) {
    const { table, constraint, routine } = error as {
      table?: string;
      constraint?: string;
      routine?: string;
    };
    return { type: 'DatabaseError', code, table, constraint, routine };
  }
  return { type: name, message, code, stack, ...(cause ? { cause: describeError(cause) } : {}) };
}
