import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** Self-signed, for receiver.test, localhost and 127.0.0.1, until 2126. */
export const CERTIFICATE = readFileSync(new URL('certificate.pem', import.meta.url), 'utf8');
const KEY = readFileSync(new URL('key.pem', import.meta.url), 'utf8');

export type Receiver = {
  port: number;
  /** http://127.0.0.1:PORT/hook */
  url: string;
  /** Connections that stand. */
  open(): number;
  /** Connections that ever stood. */
  opened(): number;
  /** Requests that came whole, as text. */
  requests: string[];
  close(): void;
};

type Behaviour = {
  /** On each connection, before anything is read. */
  onConnection?: (socket: Socket) => void;
  /** On each whole request; `n` counts from 1 on this connection. */
  onRequest?: (socket: Socket, n: number) => void;
  tls?: boolean;
  /** 127.0.0.1 unless told otherwise. */
  host?: string;
};

/** A server at the level of bytes, for answers that no HTTP library would give. */
export async function startReceiver(behaviour: Behaviour): Promise<Receiver> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  const onSocket = (socket: Socket) => {
    socket.on('error', () => undefined);
    behaviour.onConnection?.(socket);
    if (behaviour.onRequest) readRequests(socket, requests, behaviour.onRequest);
    else socket.resume();
  };
  const server: Server = behaviour.tls
    ? createTlsServer({ key: KEY, cert: CERTIFICATE }, onSocket)
    : createServer(onSocket);
  server.on('connection', (socket: Socket) => {
    opened++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((listening) =>
    server.listen(0, behaviour.host ?? '127.0.0.1', listening),
  );
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${behaviour.tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    open: () => sockets.size,
    opened: () => opened,
    requests,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** An answer with a length and without haste. */
export function answer(status: number, body = '', headers = ''): string {
  return `HTTP/1.1 ${status} X\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Writes as fast as the other side reads, until it goes. */
export function writeEndlessly(socket: Socket, chunk: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', write);
  };
  write();
}

/** Writes a little, again and again, until the other side goes. */
export function drip(socket: Socket, chunk: string): void {
  const timer = setInterval(() => socket.write(chunk), 10);
  socket.once('close', () => clearInterval(timer));
}

function readRequests(
  socket: Socket,
  requests: string[],
  onRequest: NonNullable<Behaviour['onRequest']>,
) {
  let read = '';
  let count = 0;
  socket.on('data', (chunk) => {
    read += chunk.toString('latin1');
    for (;;) {
      const head = read.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(read)?.[1] ?? 0);
      if (head < 0 || read.length < head + 4 + length) return;
      requests.push(read.slice(0, head + 4 + length));
      read = read.slice(head + 4 + length);
      onRequest(socket, ++count);
    }
  });
}
