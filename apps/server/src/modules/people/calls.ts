import { ADDRESS_HEADER } from './auth.ts';

/** Where a request came from, as far as signing in needs it. */
export type From = { headers: Headers; address: string };

/** What an endpoint of better-auth answered, and the cookies it sets. */
export type Called<T> = { answer: T; cookies: string[] };

type Returned<T> = { response: T; headers: Headers };

/** Headers for an endpoint: the request's, with the address we know it came from. */
export function headersFrom({ headers, address }: From): Headers {
  const copy = new Headers(headers);
  copy.set(ADDRESS_HEADER, address);
  return copy;
}

export async function called<T>(call: Promise<unknown>): Promise<Called<T>> {
  const { response, headers } = (await call) as Returned<T>;
  return { answer: response, cookies: headers.getSetCookie() };
}

/** The code of a refusal by better-auth, e.g. INVALID_PASSWORD; null for any other error. */
export function refusalOf(error: unknown): { status: number; code: string } | null {
  const { statusCode, body } = (error ?? {}) as {
    statusCode?: unknown;
    body?: { code?: unknown };
  };
  if (typeof statusCode !== 'number' || statusCode >= 500) return null;
  return { status: statusCode, code: String(body?.code ?? '') };
}

/** Rethrows a refusal with one of these codes as an error of ours; `else` is what any other refusal becomes. */
export function explained(
  error: unknown,
  meanings: Record<string, () => Error>,
  otherwise?: () => Error,
): never {
  const refusal = refusalOf(error);
  if (!refusal) throw error;
  const meaning = meanings[refusal.code] ?? otherwise;
  throw meaning ? meaning() : error;
}
