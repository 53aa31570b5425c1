export type RedisUrl = {
  /** As given, with its credentials: for the client alone. */
  url: string;
  /** Scheme, host, port and database: for the log. */
  shown: string;
  /** A message with every credential of the URL blotted out. */
  redacted(message: string): string;
};

/**
 * Reads REDIS_URL (redis:// or rediss://). Throws an Error that never quotes the URL, since
 * Node's own "Invalid URL" carries it whole, password included.
 */
export function parseRedisUrl(url: string): RedisUrl {
  let parsed: URL;
  let secrets: string[];
  try {
    parsed = new URL(url);
    const { username, password } = parsed;
    secrets = [password, decodeURIComponent(password), username, decodeURIComponent(username)];
  } catch {
    throw new Error(NOT_A_REDIS_URL);
  }
  if (parsed.protocol !== 'redis:' && parsed.protocol !== 'rediss:') {
    throw new Error(NOT_A_REDIS_URL);
  }
  // Redis repeats the arguments of a command that it does not know, AUTH and HELLO included.
  const blot = (message: string) =>
    secrets.reduce((text, secret) => (secret ? text.replaceAll(secret, '***') : text), message);
  return { url, shown: `${parsed.protocol}//${parsed.host}${parsed.pathname}`, redacted: blot };
}

const NOT_A_REDIS_URL =
  'REDIS_URL is not a Redis address: it must look like redis://[user:password@]host[:port][/database], or rediss:// for TLS (special characters in the password percent-encoded)';
