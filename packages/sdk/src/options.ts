import { type Clock, systemClock } from './clock.ts';
import { LeadwireError } from './errors.ts';

/** How to reach the service, and as whom. */
export type ClientOptions = {
  /** Where the service is, e.g. https://leads.example.com; without a path, since the signature covers the path. */
  baseUrl: string;
  /** `lwpk_…`; not needed with auth 'bearer'. */
  publicKey?: string | undefined;
  /** `lwsk_…`; never leaves the client where requests are signed. */
  secretKey: string;
  /**
   * 'hmac' signs requests to the insertion API, 'bearer' sends the secret key. Webhooks and events are always asked with the
   * secret key: the service takes signatures for the insertion API alone. Default 'hmac'.
   */
  auth?: 'hmac' | 'bearer' | undefined;
  /** How long one try may take, with its body, in milliseconds. Default 30,000. */
  timeoutMs?: number | undefined;
  /** How long a call may take with its retries, in milliseconds. Default 300,000. */
  deadlineMs?: number | undefined;
  /** Sends requests; default: the platform's. */
  fetch?: typeof fetch | undefined;
  /** Default: the platform's. */
  clock?: Clock | undefined;
};

/** What every method takes as its last argument. */
export type CallOptions = {
  /** Ends the call at once, waits included; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** How long the whole call may take, in milliseconds; over the client's. */
  deadlineMs?: number | undefined;
  /** How long one try may take, in milliseconds; over the client's. */
  timeoutMs?: number | undefined;
};

export type Settings = {
  origin: string;
  publicKey: string;
  secretKey: string;
  auth: 'hmac' | 'bearer';
  timeoutMs: number;
  deadlineMs: number;
  fetch: typeof fetch;
  clock: Clock;
};

/** @throws LeadwireError `invalid_option` with what to do about it */
export function settingsOf(options: ClientOptions): Settings {
  const { publicKey = '', secretKey, auth = 'hmac' } = options;
  if (auth !== 'hmac' && auth !== 'bearer') throw invalid("auth must be 'hmac' or 'bearer'");
  if (!secretKey) throw invalid('secretKey is missing: the lwsk_… that was shown with the key');
  if (auth === 'hmac' && !publicKey) {
    throw invalid("publicKey is missing: the lwpk_… of the key, or choose auth: 'bearer'");
  }
  checkKey('secretKey', secretKey);
  checkKey('publicKey', publicKey);
  return {
    origin: originOf(options.baseUrl),
    ...{ publicKey, secretKey, auth },
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? 30_000),
    deadlineMs: positive('deadlineMs', options.deadlineMs ?? 300_000),
    // Called as a plain function and looked up late: some platforms refuse it with another `this`, some tests replace it.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock: options.clock ?? systemClock,
  };
}

/** Says so without the key itself, which the errors of fetch show. A line end comes along where a key is read from a file. */
function checkKey(name: string, key: string): void {
  if (typeof key === 'string' && /^[\x21-\x7e]*$/.test(key)) return;
  throw invalid(`${name} must be the key alone: it holds a space, a line end, or what no key has`);
}

/** @throws LeadwireError `invalid_option` */
export function positive(name: string, value: number): number {
  if (!(value > 0)) throw invalid(`${name} must be a number of milliseconds above 0`);
  return value;
}

function originOf(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw invalid('baseUrl must be an absolute URL such as https://leads.example.com');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid('baseUrl must begin with http:// or https://');
  }
  if (url.username || url.password) throw invalid('baseUrl must not hold credentials');
  if (url.pathname !== '/' || url.search || url.hash) {
    throw invalid(
      `baseUrl must have no path or query: the signature covers the path that the service sees, so it must be served at the root of ${url.origin}`,
    );
  }
  return url.origin;
}

const invalid = (message: string) => new LeadwireError(message, { code: 'invalid_option' });
