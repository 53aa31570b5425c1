import { ConfigError } from './platform/config/index.ts';
import { isEmbeddedPostgresError } from './platform/embedded-postgres/index.ts';
import { AppError } from './platform/errors/index.ts';

/** What went wrong, as a sentence for the person who started the service or a command; a stack only for a defect. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || isEmbeddedPostgresError(error)) return error.message;
  if (error instanceof AppError) {
    return error.code === 'unavailable' ? storeOutOfReach(error.cause) : error.message;
  }
  return (
    listenSentence(error) ??
    refusalSentence(error) ??
    tlsSentence(error) ??
    (error as Error).stack ??
    String(error)
  );
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
  // As PostgreSQL says it where pg_hba.conf lets nobody in without TLS.
  const advice = message?.includes('no encryption')
    ? 'Add ?sslmode=verify-full to DATABASE_URL, with &sslrootcert=/path/ca.pem for an authority of your own'
    : 'Check the user, the password and the database in DATABASE_URL';
  return `PostgreSQL refused the connection: ${message}. ${advice}.`;
}

const UNKNOWN_ISSUER =
  'Name the file with the certificate of its authority: ?sslmode=verify-full&sslrootcert=/path/ca.pem in DATABASE_URL';
const OWN_ISSUER =
  'It signed its certificate itself: get one from an authority, or trust this one by ' +
  '?sslmode=verify-full&sslrootcert=/path/server.pem in DATABASE_URL';
const RENEW = 'Renew it on the server, and see that the clocks of both machines are right';
// Error codes of Node's TLS (documentation of node:tls, "X509 certificate error codes").
const TLS_ADVICE: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Use a name that stands in the certificate as the host in DATABASE_URL',
  DEPTH_ZERO_SELF_SIGNED_CERT: OWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  CERT_HAS_EXPIRED: RENEW,
  CERT_NOT_YET_VALID: RENEW,
};

function tlsSentence(error: unknown): string | undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const advice = TLS_ADVICE[code];
  if (advice) return `The certificate of PostgreSQL is not trusted: ${message}. ${advice}.`;
  // node-postgres gives this one no code.
  if (!message.includes('server does not support SSL')) return undefined;
  return 'PostgreSQL offers no TLS, and DATABASE_URL asks for it. Switch it on there (ssl = on), or, in a network that you trust, set sslmode=disable in DATABASE_URL.';
}

function storeOutOfReach(cause: unknown): string {
  const { code, message } = (cause ?? {}) as { code?: string; message?: string };
  const reason = message || code || 'no answer';
  return `The store cannot be reached: ${reason}. Check DATABASE_URL and that PostgreSQL is running.`;
}
