import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { Dial } from './dial.ts';
import { TransportFailure } from './failure.ts';
import type { Target } from './target.ts';

const KEEP_ALIVE_MS = 10_000;
/** The most that an endpoint may ask for with its Keep-Alive header. */
const KEEP_ALIVE_MAX_MS = 60_000;

/** One HTTP/1.1 connection, for one request at a time. */
export type Connection = {
  client: Client;
  origin: string;
  /** Has answered before: the other side may have closed it just now. */
  isReused: boolean;
  socket: Socket | null;
  dialling: { abort(): void } | null;
  /** Told how many bytes the socket has read in all, each time that there are more. */
  onBytes: ((bytesRead: number) => void) | null;
};

export type Connections = {
  /** An idle connection of the target's origin, or one that is opened by the first request. */
  take(target: Target, options: { fresh: boolean }): Connection;
  /** After a whole answer: keeps the connection for the next request, if the other side does. */
  release(connection: Connection): void;
  /** Closes the connection, or stops dialling it. */
  drop(connection: Connection): void;
  /** Closes all; what is taken from now on fails at once. */
  close(): void;
};

/**
 * Keeps connections by origin: a client of undici's each, and not its Agent, because a request has to stop the dialling
 * that is its own when its time is over, and to know whether its connection is a kept one, which a retry must avoid.
 */
export function createConnections(dial: Dial): Connections {
  const idle = new Map<string, Connection[]>();
  const all = new Set<Connection>();
  let isClosed = false;

  function forget(connection: Connection) {
    all.delete(connection);
    const kept = idle.get(connection.origin);
    const index = kept?.indexOf(connection) ?? -1;
    if (index >= 0) kept?.splice(index, 1);
    if (kept?.length === 0) idle.delete(connection.origin);
  }

  function drop(connection: Connection) {
    forget(connection);
    connection.onBytes = null;
    connection.dialling?.abort();
    connection.client.destroy(null, () => undefined);
    connection.socket?.destroy();
  }

  function open(target: Target): Connection {
    const client = new Client(target.origin, {
      connect: (_options, connected) => connect(connection, target, dial, connected),
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      // The exchange's own time bounds both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const { origin } = target;
    const connection: Connection = {
      ...{ client, origin, isReused: false },
      ...{ socket: null, dialling: null, onBytes: null },
    };
    client.on('disconnect', () => {
      if (idle.get(origin)?.includes(connection)) drop(connection);
    });
    all.add(connection);
    if (isClosed) drop(connection);
    return connection;
  }

  return {
    take(target, { fresh }) {
      const kept = fresh ? undefined : idle.get(target.origin)?.pop();
      return kept ?? open(target);
    },
    release(connection) {
      connection.onBytes = null;
      if (isClosed || !connection.socket || connection.socket.destroyed) return drop(connection);
      connection.isReused = true;
      const kept = idle.get(connection.origin);
      if (kept) kept.push(connection);
      else idle.set(connection.origin, [connection]);
    },
    drop,
    close() {
      isClosed = true;
      for (const connection of all) drop(connection);
    },
  };
}

function connect(
  connection: Connection,
  target: Target,
  dial: Dial,
  connected: (...result: [null, Socket] | [Error, null]) => void,
) {
  // undici dials again by itself where a kept connection was closed as its request came: one that nobody waits for.
  if (connection.client.destroyed) {
    return connected(new TransportFailure('connection_lost', 'closed'), null);
  }
  connection.dialling = dial(target, (failure, socket) => {
    connection.dialling = null;
    if (!socket) return connected(failure as TransportFailure, null);
    connection.socket = socket;
    // In front of undici's own listener: it counts what is no body too (heads, interim answers, chunk extensions).
    socket.on('readable', () => connection.onBytes?.(socket.bytesRead));
    connected(null, socket);
  });
}
