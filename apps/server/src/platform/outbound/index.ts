import { LRUCache } from 'lru-cache';
import { isPublicAddress } from './address.ts';
import { createConnections } from './connections.ts';
import { createDial } from './dial.ts';
import { type OutboundResult, runExchange } from './exchange.ts';
import { createNames, type Resolve } from './names.ts';
import { checkTargetUrl, readTarget, type Target } from './target.ts';

export type { TransportError } from './failure.ts';
export type { OutboundResult, Resolve };
export { checkTargetUrl };

const MAX_TARGETS = 10_000;

export type OutboundOptions = {
  /** Let requests go to private and reserved addresses and by plain http. */
  allowPrivate: boolean;
  /** Of a whole exchange: name, connection, TLS, answer. */
  timeoutMs: number;
  maxAnswerBytes?: number;
  keepAnswerBytes?: number;
  resolve?: Resolve;
  /** Certificate authorities in place of the built-in ones, as PEM. */
  tls?: { ca: string };
};

export type Post = {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs?: number;
};

export type Outbound = {
  /** Sends a request. Never rejects; follows no redirect; callers bound how many are in flight. */
  post(request: Post): Promise<OutboundResult>;
  /** Closes every connection; what is in flight ends as a lost connection. */
  close(): void;
};

/**
 * Requests to addresses that strangers chose. Nothing of theirs can cost more than its bound in time, memory and
 * traffic, and unless `allowPrivate` nothing but a public address is dialled.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { allowPrivate, timeoutMs, maxAnswerBytes = 65_536, keepAnswerBytes = 4096 } = options;
  const resolve = options.resolve ?? createNames({ useSystem: allowPrivate });
  const isAllowed = allowPrivate ? () => true : isPublicAddress;
  const connections = createConnections(createDial({ resolve, isAllowed, tls: options.tls }));
  const targets = new LRUCache<string, Target | string>({ max: MAX_TARGETS });

  function targetOf(url: string): Target | string {
    const known = targets.get(url);
    if (known !== undefined) return known;
    // Not only when it was saved: what a laptop may send to, production may not.
    const read = checkTargetUrl(url, { allowPrivate }) ?? readTarget(url);
    targets.set(url, read);
    return read;
  }

  return {
    async post({ url, headers, body, timeoutMs: own = timeoutMs }) {
      const target = targetOf(url);
      if (typeof target === 'string') return refusal(target);
      return runExchange({ target, headers, body, timeoutMs: own }, connections, {
        maxAnswerBytes,
        keepAnswerBytes,
      });
    },
    close: connections.close,
  };
}

function refusal(sentence: string): OutboundResult {
  return {
    ...{ status: null, error: 'address_refused', detail: `the URL ${sentence}`, durationMs: 0 },
    ...{ answer: null, retryAfter: null },
  };
}
