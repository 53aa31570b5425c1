import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';

export { createDestination } from './destination.ts';
export type { Logger };

const LINE_FORMAT: LoggerOptions = {
  base: { pid: process.pid },
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
};

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
 * The line of each request, from fields that platform/http chooses: without the redaction of createLog, which took 15 % of
 * the service's time under load.
 */
export function createRequestLog(options: {
  level: string;
  destination: DestinationStream;
}): Logger {
  return pino({ ...LINE_FORMAT, level: options.level }, options.destination);
}

/**
 * JSON lines. Bodies and URLs are never logged; redaction is the second wall, for objects that a defect might let in.
 */
export function createLog(options: { level: string; destination: DestinationStream }): Logger {
  return pino(
    {
      ...LINE_FORMAT,
      level: options.level,
      serializers: { err: describeError },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[redacted]',
      },
    },
    options.destination,
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
