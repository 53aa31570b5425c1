import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createSecureContext, TLSSocket } from 'node:tls';
import { cli, createTestDatabase } from '../../support/index.ts';
import { SELF_SIGNED } from '../../support/self-signed.ts';

const database = await createTestDatabase({ from: 'empty' });
const directory = await mkdtemp(join(tmpdir(), 'leadwire-tls-'));
const trusted = join(directory, 'ca.pem');
await writeFile(trusted, SELF_SIGNED.cert);

// PostgreSQL up to the handshake (its documentation, section "SSL Session Encryption"): S, then TLS.
const secureContext = createSecureContext(SELF_SIGNED);
const store = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    socket.write('S');
    new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
  });
}).listen(0, '0.0.0.0');
await once(store, 'listening');
const { port } = store.address() as AddressInfo;

async function refusalOf(url: string): Promise<string> {
  const { code, stderr } = await cli(['migrate'], { ...database.env, DATABASE_URL: url });
  assert.equal(code, 1);
  assert.doesNotMatch(stderr, /\n\s+at /, stderr);
  assert.doesNotMatch(stderr, /hunter2/);
  return stderr;
}

describe('a store whose TLS cannot be trusted is refused with what to set:', () => {
  after(async () => {
    store.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('a certificate that no known authority signed', async () => {
    const url = `postgres://leadwire:hunter2@127.0.0.1:${port}/leads?sslmode=verify-full`;
    assert.match(await refusalOf(url), /^The certificate of PostgreSQL .*sslrootcert=/m);
  });

  it('a certificate for another name', async () => {
    const query = `sslmode=verify-full&sslrootcert=${trusted}`;
    const url = `postgres://leadwire:hunter2@127.0.0.2:${port}/leads?${query}`;
    assert.match(await refusalOf(url), /^The certificate of PostgreSQL .*host in DATABASE_URL/m);
  });

  it('no TLS at all where it is asked for', async () => {
    assert.match(await refusalOf(`${database.url}?sslmode=verify-full`), /offers no TLS.*sslmode/);
  });

  it('a file of an authority that is not there', async () => {
    const url = `${database.url}?sslmode=verify-full&sslrootcert=${directory}/none.pem`;
    assert.match(await refusalOf(url), /^DATABASE_URL: .*none\.pem/m);
  });
});
