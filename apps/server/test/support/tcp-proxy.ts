import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** Where connections go from now on; null: they are refused, and those that are open are cut. */
  pointTo(port: number | null): void;
  close(): Promise<void>;
};

/** An address on 127.0.0.1 that stays the same while what is behind it comes and goes. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  let current: number | null = target;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    if (current === null) {
      client.resetAndDestroy();
      return;
    }
    const behind = connect(current, '127.0.0.1');
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    pointTo(port) {
      current = port;
      if (port === null) cut();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
