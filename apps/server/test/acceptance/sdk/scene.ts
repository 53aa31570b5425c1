import { createClient } from '@leadwire/sdk';
import {
  createTestDatabase,
  type Receiver,
  type SeededKey,
  seed,
  startReceiver,
  startServer,
} from '../../support/index.ts';

export type Scene = Awaited<ReturnType<typeof startScene>>;

/** A server that may send to loopback, and clients of it. */
export async function startScene() {
  const database = await createTestDatabase();
  const server = await startServer({ database, env: { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'on' } });
  const { ours } = seed();
  const receivers: Receiver[] = [];
  const clientOf = (key: SeededKey, auth: 'hmac' | 'bearer' = 'hmac') =>
    createClient({
      ...{ baseUrl: server.url, auth },
      ...{ publicKey: key.public_key, secretKey: key.secret_key },
    });
  return {
    ...{ database, server, ours, clientOf },
    leadwire: clientOf(ours.full),
    /** Ends with the scene. */
    async receiver(options?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
      const receiver = await startReceiver(options);
      receivers.push(receiver);
      return receiver;
    },
    async close(): Promise<void> {
      await server.stop();
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}

/** Everything that an iteration gives. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
