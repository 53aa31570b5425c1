import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';

const MAX_URL_LENGTH = 2048;

/** Where a request goes, read once from its URL. */
export type Target = {
  /** Of connections that may be shared: scheme, host and port. */
  origin: string;
  isSecure: boolean;
  /** A name or an address, without brackets or the dot of a fully qualified name. */
  host: string;
  port: number;
  /** Path and query as they are sent. */
  path: string;
};

/**
 * Why requests may not go to `url`, as a sentence without its subject (`must be …`), or null where they may. Judges the
 * URL alone; where its name leads is judged when it is dialled. Decimal, octal, hexadecimal, percent-encoded and
 * full-width spellings of an address are read as the address (WHATWG URL).
 */
export function checkTargetUrl(
  url: string,
  { allowPrivate }: { allowPrivate: boolean },
): string | null {
  if (url.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  // URL drops line breaks and outer spaces and takes `https:host`: what was read would not be what was written.
  if (!/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(url) || !url.isWellFormed() || !URL.canParse(url)) {
    return 'must be an absolute http or https URL';
  }
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '') return 'must not contain credentials';
  if (parsed.port === '0') return 'must not have port 0';
  if (allowPrivate) return null;
  if (parsed.protocol !== 'https:') return 'must be an https URL';
  return checkHost(hostOf(parsed));
}

/** @returns the parts of a URL that `checkTargetUrl` has let through. */
export function readTarget(url: string): Target {
  const parsed = new URL(url);
  const isSecure = parsed.protocol === 'https:';
  return {
    origin: parsed.origin,
    isSecure,
    host: hostOf(parsed),
    port: Number(parsed.port || (isSecure ? 443 : 80)),
    path: parsed.pathname + parsed.search,
  };
}

/** Whether a name is this machine by definition (RFC 6761, 6.3). */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function checkHost(host: string): string | null {
  if (isIP(host) !== 0) {
    return isPublicAddress(host) ? null : 'must not point to a private or reserved address';
  }
  if (isLocalhost(host)) return 'must not point to a private or reserved address';
  return host.includes('.') ? null : 'must have a fully qualified host name';
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}
