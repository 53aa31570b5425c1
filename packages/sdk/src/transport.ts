import { parseJson } from '@leadwire/contract/json';
import { isObject } from '@leadwire/contract/stored';
import { errorOf, type Received, requestIdOf } from './answer-errors.ts';
import type { IsAnswer } from './answer-shape.ts';
import { LeadwireError, NetworkError } from './errors.ts';
import { type Budget, exchange } from './exchange.ts';
import { jsonOf } from './json.ts';
import { type CallOptions, positive, type Settings } from './options.ts';
import { withRetries } from './retry.ts';
import { createSigner } from './signing.ts';

/** One request of the API. */
export type ApiRequest = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Percent-encoded. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  ifMatch?: string | undefined;
  /** Whether the API of this path takes signatures; default true. */
  takesHmac?: boolean;
  /** Whether it may be sent again when nobody knows what became of it; default true. */
  isRepeatable?: boolean;
  /** Whether an object can be the answer to it; default: any. */
  isAnswer?: IsAnswer;
};

export type ApiAnswer<T> = { body: T; etag: string };

/** Sends requests by the rules for clients: signed, with retries, within the time of a call. */
export type Transport = {
  request<T>(request: ApiRequest, budget: Budget): Promise<ApiAnswer<T>>;
  /** Starts the time of a call. */
  budget(options?: CallOptions): Budget;
};

export function createTransport(settings: Settings): Transport {
  const { clock } = settings;
  const authorize = authorizer(settings);
  return {
    budget: ({ signal, deadlineMs, timeoutMs } = {}) => ({
      signal,
      timeoutMs: positive('timeoutMs', timeoutMs ?? settings.timeoutMs),
      deadlineAt: clock.nowMs() + positive('deadlineMs', deadlineMs ?? settings.deadlineMs),
    }),
    async request<T>(request: ApiRequest, budget: Budget) {
      checkEtag(request.ifMatch);
      const url = urlOf(settings.origin, request);
      const body = bodyOf(request.body);
      const tryOnce = async () => {
        const headers = await authorize(request, url, body);
        const init: RequestInit = { method: request.method, headers };
        if (body !== undefined) init.body = body;
        const received = await exchange(settings, url.href, init, budget);
        return read<T>(received, clock.nowMs(), request.isAnswer);
      };
      return withRetries(tryOnce, { clock, budget, isRepeatable: request.isRepeatable ?? true });
    },
  };
}

/** @throws LeadwireError `invalid_option`, before fetch takes it for a failure of the network */
function checkEtag(etag: string | undefined): void {
  if (etag === undefined || /^[\x20-\x7e]+$/.test(etag)) return;
  throw new LeadwireError('ifMatch must be an etag as it was read', { code: 'invalid_option' });
}

function authorizer({ auth, publicKey, secretKey, clock }: Settings) {
  const sign = createSigner({ publicKey, secretKey });
  return async (request: ApiRequest, url: URL, body = ''): Promise<Record<string, string>> => {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (body !== '') headers['content-type'] = 'application/json';
    if (request.ifMatch !== undefined) headers['if-match'] = request.ifMatch;
    if (auth === 'bearer' || request.takesHmac === false) {
      return { ...headers, authorization: `Bearer ${secretKey}` };
    }
    const timestamp = Math.floor(clock.nowMs() / 1000);
    // What the URL says after parsing is what is sent, and so what is signed.
    const { pathname: path, search } = url;
    const query = search.slice(1);
    return { ...headers, ...(await sign({ ...request, path, query, body, timestamp })) };
  };
}

function urlOf(origin: string, { path, query = {} }: ApiRequest): URL {
  const url = new URL(origin + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  return url;
}

function bodyOf(body: unknown): string | undefined {
  return typeof body === 'string' || body === undefined ? body : jsonOf(body, 'The body');
}

function read<T>(received: Received, nowMs: number, isAnswer: IsAnswer = () => true): ApiAnswer<T> {
  const { status, headers, text } = received;
  if (status < 200 || status > 299) throw errorOf(received, nowMs);
  let body: unknown;
  try {
    body = parseJson(text);
  } catch (cause) {
    throw malformed(received, 'its body is no JSON: cut short, or not of the service', cause);
  }
  if (!isObject(body) || !isAnswer(body)) {
    throw malformed(received, 'its body is none of the service: something else answered');
  }
  // A proxy that compresses makes it weak (RFC 9110 section 8.8.1), and a weak one is good for no If-Match.
  const etag = headers.get('etag')?.replace(/^W\//, '') ?? '';
  return { body: body as T, etag };
}

const malformed = ({ status, headers }: Received, what: string, cause?: unknown) =>
  new NetworkError(`The answer was ${status}, but ${what}.`, {
    ...{ code: 'malformed_answer', status, requestId: requestIdOf(headers) },
    cause,
  });
