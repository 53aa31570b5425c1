import { ConfigError } from './platform/config/index.ts';
import { isEmbeddedPostgresError } from './platform/embedded-postgres/index.ts';
import { AppError } from './platform/errors/index.ts';

/** What went wrong, as a sentence for the person who started the service or a command; a stack only for a defect. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || isEmbeddedPostgresError(error)) return error.message;
  if (error instanceof AppError) {
    return error.status === 503 ? storeOutOfReach(error.cause) : error.message;
  }
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `The port is in use by another program (${message}). Choose another with PORT.`;
  }
  if (code === 'EACCES') return `This user may not listen there (${message}). Choose another PORT.`;
  return stack ?? String(error);
}

function storeOutOfReach(cause: unknown): string {
  const { code, message } = (cause ?? {}) as { code?: string; message?: string };
  const reason = message || code || 'no answer';
  return `The store cannot be reached: ${reason}. Check DATABASE_URL and that PostgreSQL is running.`;
}
