import { type Dispatcher, request } from 'undici';
import { ConfigError } from '../../platform/config/index.ts';
import { parseJson } from '../../platform/json/index.ts';
import { elementsOf } from './elements.ts';

export type FeedEvent = {
  id: string;
  type: string;
  timestamp: string;
  /** The event as JSON, byte for byte as webhooks get it. */
  text: string;
};

export type FeedAnswer =
  | { kind: 'page'; events: FeedEvent[]; nextCursor: string; hasMore: boolean }
  /** No page this time. `waitMs` is what the server asked for; null: it is for us to back off. */
  | { kind: 'trouble'; isAway: boolean; waitMs: number | null; sentence: string };

export type FeedClient = (place: { cursor: string } | { from: string }) => Promise<FeedAnswer>;

type Options = {
  /** Where the service is. */
  url: string;
  key: string;
  /** null: of all types. */
  types: string[] | null;
  dispatcher: Dispatcher;
};

const PAGE = 100;
const TIMEOUT_MS = 30_000;

/**
 * Reads the event feed of a service by HTTP. @throws ConfigError with a sentence where asking again cannot help: a key that is
 * refused, a feature that is off, something that is no Leadwire.
 */
export function createFeedClient({ url, key, types, dispatcher }: Options): FeedClient {
  const feed = new URL('api/v1/events', url.endsWith('/') ? url : `${url}/`);
  const headers = { authorization: `Bearer ${key}`, 'user-agent': 'Leadwire listen' };
  return async (place) => {
    const query = new URLSearchParams({ limit: String(PAGE), ...place });
    if (types) query.set('type', types.join(','));
    const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
    try {
      const answer = await request(`${feed}?${query}`, { headers, dispatcher, ...timeouts });
      const text = await answer.body.text();
      return readAnswer(url, answer.statusCode, answer.headers['retry-after'], text);
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      const sentence = `The server at ${url} cannot be reached (${code ?? message}).`;
      return { kind: 'trouble', isAway: true, waitMs: null, sentence };
    }
  };
}

function readAnswer(
  url: string,
  status: number,
  retryAfter: string | string[] | undefined,
  text: string,
): FeedAnswer {
  const trouble = (sentence: string): FeedAnswer => {
    const seconds = /^\d{1,6}$/.test(String(retryAfter)) ? Number(retryAfter) : null;
    const waitMs = seconds === null ? null : seconds * 1000;
    return { kind: 'trouble', isAway: false, waitMs, sentence };
  };
  if (status === 200) return readPage(url, text);
  if (status === 429) return trouble('The rate limit of the key is used up.');
  if (status >= 500) return trouble(`The server at ${url} answers ${status}.`);
  throw new ConfigError(refusalOf(url, status, text));
}

/** Why it makes no sense to ask again. */
function refusalOf(url: string, status: number, text: string): string {
  const { error, message } = memberOf(text);
  if (status === 401 && error) {
    return `The server at ${url} does not accept the key. Take the secret key, lwsk_…, of a key that is neither revoked nor expired.`;
  }
  if (status === 403 && error) return 'The key needs the scope leads:read.';
  if (status === 404) {
    return `There is no event feed at ${url}: the feature webhooks is switched off, or it is another program.`;
  }
  if (!error)
    return `What answers at ${url} (${status}) is not Leadwire. Say where it is with --url.`;
  return `The server at ${url} answers ${status} ${error}: ${message}`;
}

function readPage(url: string, text: string): FeedAnswer {
  const { nextCursor, hasMore } = memberOf(text);
  if (typeof nextCursor !== 'string' || typeof hasMore !== 'boolean') {
    throw new ConfigError(`What answers at ${url} is not Leadwire. Say where it is with --url.`);
  }
  const events = elementsOf(text, 'data').map((element): FeedEvent => {
    const { id, type, timestamp } = parseJson(element) as FeedEvent;
    return { id, type, timestamp, text: element };
  });
  return { kind: 'page', events, nextCursor, hasMore };
}

function memberOf(text: string): Record<string, unknown> {
  try {
    return Object(parseJson(text));
  } catch {
    return {};
  }
}
