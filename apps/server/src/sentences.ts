import { ConfigError } from './platform/config/index.ts';
import { isEmbeddedPostgresError } from './platform/embedded-postgres/index.ts';
import { AppError } from './platform/errors/index.ts';

/** What went wrong, as a sentence for the person who started the service or a command; a stack only for a defect. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || isEmbeddedPostgresError(error)) return error.message;
  if (error instanceof AppError) {
    return error.code === 'unavailable' ? storeOutOfReach(error.cause) : error.message;
  }
  return listenSentence(error) ?? refusalSentence(error) ?? (error as Error).stack ?? String(error);
}

function listenSentence(error: unknown): string | undefined {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen') return undefined;
  if (code === 'EADDRINUSE') {
    return `The port is in use by another program (${message}). Choose another with PORT.`;
  }
  if (code === 'EACCES') return `This user may not listen there (${message}). Choose another PORT.`;
  return undefined;
}

// invalid_authorization_specification, invalid_password, invalid_catalog_name: PostgreSQL, Appendix A.
const REFUSED = new Set(['28000', '28P01', '3D000']);

function refusalSentence(error: unknown): string | undefined {
  const { code = '', message } = error as { code?: string; message?: string };
  if (!REFUSED.has(code)) return undefined;
  return `PostgreSQL refused the connection: ${message}. Check the user, the password and the database in DATABASE_URL.`;
}

function storeOutOfReach(cause: unknown): string {
  const { code, message } = (cause ?? {}) as { code?: string; message?: string };
  const reason = message || code || 'no answer';
  return `The store cannot be reached: ${reason}. Check DATABASE_URL and that PostgreSQL is running.`;
}
