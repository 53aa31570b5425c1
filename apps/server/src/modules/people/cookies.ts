import { isSignature, signature } from './keys.ts';

export const COOKIE_PREFIX = 'leadwire';
export const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;
export const CHALLENGE_COOKIE = `${COOKIE_PREFIX}.two_factor`;
export const KNOWN_COOKIE = `${COOKIE_PREFIX}.known`;

/** The text of a signed cookie (`text.signature`, URL-encoded); null where it is missing or not signed by us. */
export function signedCookie(headers: Headers, name: string, secret: string): string | null {
  const value = cookie(headers, name);
  const split = value?.lastIndexOf('.') ?? -1;
  if (!value || split < 1) return null;
  const text = value.slice(0, split);
  return isSignature(secret, text, value.slice(split + 1)) ? text : null;
}

/** A cookie that no script reads and no other site's form sends along. */
export function makeSignedCookie(
  name: string,
  text: string,
  secret: string,
  { maxAgeSeconds, path }: { maxAgeSeconds: number; path: string },
): string {
  const value = encodeURIComponent(`${text}.${signature(secret, text)}`);
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; SameSite=Lax`;
}

/** Headers with these cookies of the request alone: what is asked must not depend on others. */
export function onlyCookies(headers: Headers, names: readonly string[]): Headers {
  const kept = cookiesOf(headers).filter(([name]) => names.includes(name));
  const copy = new Headers(headers);
  copy.delete('cookie');
  if (kept.length > 0) {
    copy.set('cookie', kept.map(([name, value]) => `${name}=${value}`).join('; '));
  }
  return copy;
}

function cookie(headers: Headers, name: string): string | null {
  const value = cookiesOf(headers).find(([one]) => one === name)?.[1];
  if (value === undefined) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

const cookiesOf = (headers: Headers): [name: string, value: string][] =>
  (headers.get('cookie') ?? '').split(';').map((part) => {
    const split = part.indexOf('=');
    return [part.slice(0, split).trim(), part.slice(split + 1).trim()];
  });
