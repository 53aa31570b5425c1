import type { Dispatcher } from 'undici';
import type { Connection, Connections } from './connections.ts';
import { readFailure, type TransportError, TransportFailure } from './failure.ts';
import type { Target } from './target.ts';

/** Heads, interim answers, chunk sizes: what may come besides a body. undici bounds one head at 16 KiB. */
const MAX_FRAMING_BYTES = 32 * 1024;

export type OutboundResult = {
  /** Of the answer; null where none came. */
  status: number | null;
  /** Why the exchange did not end well. Null when an answer came, whatever its status. */
  error: TransportError | null;
  /** A short text for people, e.g. ECONNREFUSED. */
  detail: string | null;
  /** Whole milliseconds. */
  durationMs: number;
  /** The beginning of the answer's body as it was sent, never decompressed. */
  answer: Buffer | null;
  /** The answer's Retry-After header. */
  retryAfter: string | null;
};

export type OutboundRequest = {
  target: Target;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
};

export type AnswerLimits = {
  /** An answer is read no further; it counts by its status then. */
  maxAnswerBytes: number;
  keepAnswerBytes: number;
};

type Exchange = {
  request: OutboundRequest;
  connections: Connections;
  limits: AnswerLimits;
  connection: Connection;
  startedAt: number;
  timer: NodeJS.Timeout;
  isOver: boolean;
  /** Where a timeout met it. */
  stage: 'connecting' | 'waiting for the answer' | 'reading the answer';
  /** Bytes of an answer have come: it is no longer one that a closed connection can have missed. */
  isAnswered: boolean;
  status: number | null;
  retryAfter: string | null;
  bodyBytes: number;
  kept: Buffer[];
  settle: (result: OutboundResult) => void;
};

/** Sends one POST and reads its answer, all within `timeoutMs`. Never rejects. */
export function runExchange(
  request: OutboundRequest,
  connections: Connections,
  limits: AnswerLimits,
): Promise<OutboundResult> {
  return new Promise((settle) => {
    const exchange: Exchange = {
      ...{ request, connections, limits, settle },
      connection: connections.take(request.target, { fresh: false }),
      startedAt: performance.now(),
      timer: setTimeout(() => timeOut(exchange), request.timeoutMs),
      ...{ stage: 'connecting', isOver: false, isAnswered: false },
      ...{ status: null, retryAfter: null, bodyBytes: 0, kept: [] },
    };
    dispatch(exchange);
  });
}

function dispatch(exchange: Exchange) {
  const { request, connection } = exchange;
  connection.client.dispatch(
    { method: 'POST', path: request.target.path, headers: request.headers, body: request.body },
    createHandler(exchange, connection),
  );
}

function createHandler(exchange: Exchange, connection: Connection): Dispatcher.DispatchHandler {
  const isCurrent = () => !exchange.isOver && exchange.connection === connection;
  return {
    onRequestStart() {
      exchange.stage = 'waiting for the answer';
      watchBytes(exchange, connection);
    },
    onResponseStarted() {
      exchange.isAnswered = true;
    },
    onResponseStart(_controller, status, headers) {
      if (!isCurrent() || status < 200) return;
      exchange.stage = 'reading the answer';
      exchange.status = status;
      const retryAfter = headers['retry-after'];
      exchange.retryAfter = (Array.isArray(retryAfter) ? retryAfter[0] : retryAfter) ?? null;
    },
    onResponseData(_controller, chunk) {
      if (isCurrent()) keep(exchange, chunk);
    },
    onResponseEnd() {
      if (!isCurrent()) return;
      // undici closes what is not to be kept only after this call.
      queueMicrotask(() => exchange.connections.release(connection));
      finish(exchange, null);
    },
    onResponseError(_controller, error) {
      if (isCurrent()) fail(exchange, readFailure(error));
    },
  };
}

function watchBytes(exchange: Exchange, connection: Connection) {
  const before = connection.socket?.bytesRead ?? 0;
  const most = exchange.limits.maxAnswerBytes + MAX_FRAMING_BYTES;
  connection.onBytes = (bytesRead) => {
    if (bytesRead - before <= most || exchange.isOver) return;
    if (exchange.status === null) stop(exchange, new TransportFailure('bad_answer', 'too long'));
    else stop(exchange, null);
  };
}

function keep(exchange: Exchange, chunk: Buffer) {
  const { maxAnswerBytes, keepAnswerBytes } = exchange.limits;
  const room = keepAnswerBytes - exchange.bodyBytes;
  // A copy: the chunk is a view of what the socket has read, which would be kept whole.
  if (room > 0) exchange.kept.push(Buffer.from(chunk.subarray(0, room)));
  exchange.bodyBytes += chunk.length;
  if (exchange.bodyBytes > maxAnswerBytes) stop(exchange, null);
}

function timeOut(exchange: Exchange) {
  fail(exchange, new TransportFailure('timeout', exchange.stage));
}

/**
 * A kept connection that is closed before any answer may never have seen the request: it is sent once more, over a new
 * connection, whose end is final.
 */
function fail(exchange: Exchange, failure: TransportFailure) {
  const { connection, connections, request } = exchange;
  const isStale = failure.kind === 'connection_lost' && connection.isReused;
  if (isStale && !exchange.isAnswered) {
    exchange.stage = 'connecting';
    exchange.connection = connections.take(request.target, { fresh: true });
    connections.drop(connection);
    dispatch(exchange);
    return;
  }
  stop(exchange, failure);
}

/** Ends the exchange and its connection. An answer that says no says so even where its body does not end. */
function stop(exchange: Exchange, failure: TransportFailure | null) {
  const { status, connection, connections } = exchange;
  const isRefusal = status !== null && (status < 200 || status > 299);
  finish(exchange, isRefusal ? null : failure);
  connections.drop(connection);
}

function finish(exchange: Exchange, failure: TransportFailure | null) {
  if (exchange.isOver) return;
  exchange.isOver = true;
  clearTimeout(exchange.timer);
  exchange.settle({
    status: exchange.status,
    error: failure?.kind ?? null,
    detail: failure?.message ?? null,
    durationMs: Math.round(performance.now() - exchange.startedAt),
    answer: exchange.status === null ? null : Buffer.concat(exchange.kept),
    retryAfter: exchange.retryAfter,
  });
}
