import type { ApiKey, DashboardApi } from '@leadwire/contract/dashboard';

type Scope = ApiKey['scopes'][number];

/** What the form of a new key holds. */
export type KeyValues = {
  name: string;
  scopes: Scope[];
  /** Days, `never`, or `day`: on `expiresOn`. */
  expiry: 'never' | '30' | '90' | '365' | 'day';
  /** YYYY-MM-DD, in the reader's zone. */
  expiresOn: string;
  limit: 'default' | 'own' | 'unlimited';
  max: number | string;
  windowSeconds: number | string;
};

export const EMPTY: KeyValues = {
  name: '',
  scopes: ['leads:read', 'leads:write'],
  expiry: 'never',
  expiresOn: '',
  limit: 'default',
  max: 600,
  windowSeconds: 60,
};

const DAY_MS = 86_400_000;

/** The values as the API takes them. */
export function bodyOf(values: KeyValues, nowMs: number): DashboardApi['createKey']['body'] {
  const expiresAt = expiryOf(values, nowMs);
  return {
    name: values.name.trim(),
    scopes: values.scopes,
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    ...limitOf(values),
  };
}

function expiryOf({ expiry, expiresOn }: KeyValues, nowMs: number): string | null {
  if (expiry === 'never') return null;
  // The end of that day here.
  if (expiry === 'day') return new Date(`${expiresOn}T23:59:59`).toISOString();
  return new Date(nowMs + Number(expiry) * DAY_MS).toISOString();
}

function limitOf({ limit, max, windowSeconds }: KeyValues) {
  if (limit === 'default') return {};
  if (limit === 'unlimited') return { rate_limit: { max: 0, window_seconds: 1 } };
  return { rate_limit: { max: Number(max), window_seconds: Number(windowSeconds) } };
}
