import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { createTestDatabase, seed, startServer } from '../../support/index.ts';

const database = await createTestDatabase();
const server = await startServer({ database });
const key = seed().ours.full;
const MIB = 1024 * 1024;

describe('a body over the limit', () => {
  after(() => server.stop());

  for (const length of [MIB, 8 * MIB]) {
    it(`of ${length / MIB} MiB gets its answer though the client sends to the end first`, async () => {
      for (let round = 0; round < 5; round++) {
        assert.match(await sendAll(length), /^HTTP\/1\.1 413 [\s\S]*payload_too_large/);
      }
    });
  }
});

/** Writes the whole request before it reads a byte, as simple clients do. */
function sendAll(length: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', reject);
    socket.pause();
    socket.write(
      `POST /api/v1/insertion/leads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret_key}\r\n` +
        `Content-Length: ${length}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(length, ' '), () => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
        if (received.includes('request_id')) socket.end();
      });
      socket.on('close', () => resolve(received));
      socket.resume();
    });
  });
}
