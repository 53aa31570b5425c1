import { after, before, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, seed, startServer, type TestServer } from '../../support/index.ts';
import { type Command, start } from './processes.ts';
import { receiverTests } from './receiver-tests.ts';

let server: TestServer;
const service = () => ({ server, key: seed().ours.full });

before(async () => {
  server = await startServer({ database: await createTestDatabase() });
});
after(() => server?.stop());

const node = (url: URL): Command => [process.execPath, fileURLToPath(url)];
const receivers = new URL('../../../../../examples/receivers/', import.meta.url);

for (const name of ['fastify', 'express', 'hono']) {
  describe(`the example for ${name}`, () => {
    receiverTests({
      receive: (port, env) => start(node(new URL(`${name}/server.ts`, receivers)), port, env),
      path: '/leadwire',
      service,
      skipsSeen: true,
    });
  });
}

// Next itself is not installed: its handler takes and gives what fetch knows, and is called so.
describe('the example for next', () => {
  receiverTests({
    receive: (port, env) => start(node(new URL('next-host.ts', import.meta.url)), port, env),
    path: '/api/leadwire',
    service,
    takesAnyLength: true,
    skipsSeen: true,
  });
});
