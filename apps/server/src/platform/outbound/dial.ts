import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { detailOf, TransportFailure } from './failure.ts';
import type { Resolve } from './names.ts';
import type { Target } from './target.ts';

/** Of one name; happy eyeballs gives each but the last this long. */
const MAX_ADDRESSES = 8;
const ATTEMPT_TIMEOUT_MS = 500;
const MAX_TLS_SESSIONS = 1000;

export type DialDeps = {
  resolve: Resolve;
  /** Whether a connection may go to this address. */
  isAllowed: (address: string) => boolean;
  /** Certificate authorities besides the built-in ones. */
  tls?: { ca: string } | undefined;
};

export type Dialled = (failure: TransportFailure | null, socket: Socket | null) => void;

/** Opens a connection; calls back once, unless it is aborted first. */
export type Dial = (target: Target, dialled: Dialled) => { abort(): void };

/**
 * Dials nothing but allowed addresses: what the name leads to is judged here, on the very list that is dialled, so that
 * a name may change its mind between two look-ups (rebinding) without getting anywhere.
 */
export function createDial({ resolve, isAllowed, tls }: DialDeps): Dial {
  const sessions = new LRUCache<string, Buffer>({ max: MAX_TLS_SESSIONS });

  async function addressesOf(host: string): Promise<string[]> {
    const found = isIP(host) === 0 ? await resolve(host) : [host];
    const allowed = found.filter((address) => isIP(address) !== 0 && isAllowed(address));
    if (allowed.length === 0) throw refused();
    return allowed.slice(0, MAX_ADDRESSES);
  }

  function open(target: Target, addresses: string[], dialled: Dialled): Socket {
    const socket = connectTo(target, addresses, sessions, tls);
    let isConnected = false;
    const fail = (failure: TransportFailure) => {
      socket.destroy();
      dialled(failure, null);
    };
    socket.once('connect', () => {
      isConnected = true;
      if (!isAllowed(socket.remoteAddress ?? '')) fail(refused());
      else if (!target.isSecure) dialled(null, socket);
    });
    socket.once('secureConnect', () => dialled(null, socket));
    socket.on('error', (error) => {
      fail(new TransportFailure(isConnected ? 'tls_failed' : 'connection_failed', detailOf(error)));
    });
    return socket;
  }

  return (target, whenDialled) => {
    let isOver = false;
    let socket: Socket | null = null;
    const dialled: Dialled = (failure, opened) => {
      if (isOver) return;
      isOver = true;
      whenDialled(failure, opened);
    };
    addressesOf(target.host).then(
      (addresses) => {
        if (!isOver) socket = open(target, addresses, dialled);
      },
      (error) => dialled(asFailure(error), null),
    );
    return {
      abort() {
        isOver = true;
        socket?.destroy();
      },
    };
  };
}

function connectTo(
  target: Target,
  addresses: string[],
  sessions: LRUCache<string, Buffer>,
  tls: DialDeps['tls'],
): Socket {
  const { host, port, isSecure, origin } = target;
  const options = {
    host,
    port,
    lookup: lookupIn(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    noDelay: true,
    keepAlive: true,
  };
  if (!isSecure) return netConnect(options);
  const session = sessions.get(origin);
  const secure: ConnectionOptions = {
    ...options,
    ...tls,
    ALPNProtocols: ['http/1.1'],
    // RFC 6066, 3: no server name for an address.
    ...(isIP(host) === 0 && { servername: host }),
    ...(session && { session }),
  };
  const socket = tlsConnect(secure);
  socket.on('session', (fresh) => sessions.set(origin, fresh));
  return socket;
}

function lookupIn(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first] = all as [{ address: string; family: number }];
  return (_name, { all: wantsAll }, found) => {
    if (wantsAll) found(null, all);
    else found(null, first.address, first.family);
  };
}

function refused(): TransportFailure {
  return new TransportFailure('address_refused', 'leads to a private or reserved address');
}

function asFailure(error: Error): TransportFailure {
  if (error instanceof TransportFailure) return error;
  return new TransportFailure('name_not_resolved', detailOf(error));
}
