import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { cli, createKey, eventually, startServer, type TestServer } from '../../support/index.ts';

const run = promisify(execFile);

const dataDir = await mkdtemp(join(tmpdir(), 'leadwire-embedded-'));
const env = { LEADWIRE_DATA_DIR: dataDir };
const start = () => startServer({ env });
let server: TestServer = await start();
const key = { public_key: '', secret_key: /lwsk_\w+/.exec(server.logs())?.[0] ?? '' };

const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);
const skip =
  hasCurl || process.env.CI ? false : 'curl is not installed (Debian: apt-get install curl)';

/** A key issued by the command line beside the running service. */
const newKey = () => createKey(env, 'default');

const curlLines = () =>
  server
    .logs()
    .split('\n')
    .filter((line) => line.startsWith('curl '));

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => socket.end(() => resolve(true)));
    socket.on('error', () => resolve(false));
  });

describe('npm start with nothing else installed', () => {
  after(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('prints on the first start its address and one curl line that works when pasted', {
    skip,
  }, async () => {
    assert.ok(server.logs().includes(server.url));
    const [line, ...others] = curlLines();
    assert.deepEqual(others, []);
    const { stdout } = await run('sh', ['-c', line ?? '']);
    assert.match(stdout, /^HTTP\/1\.1 201 /);
    assert.match(stdout, /"status":"inserted"/);
    const again = await run('sh', ['-c', line ?? '']);
    assert.match(again.stdout, /"status":"deduped"/);
  });

  it('prints a key that reads and writes campaign 1 of account default', async () => {
    const body = { campaign_id: 1, external_lead_id: 'one', email: 'a@example.com' };
    const answer = await server.call('POST', '/api/v1/insertion/leads', { key, body });
    assert.equal(answer.status, 201, answer.text);
    assert.equal((await server.call('GET', '/api/v1/leads', { key })).status, 200);
  });

  it('keeps its encryption key in the data directory, for its own user alone', async () => {
    const names = await readdir(dataDir);
    const file = names.find((name) => /encryption/.test(name));
    assert.ok(file, names.join());
    assert.equal((await stat(join(dataDir, file))).mode & 0o077, 0);
    assert.ok((await readFile(join(dataDir, file))).length >= 32);
  });

  it('refuses a second start beside the first with a sentence, and the first goes on', async () => {
    const second = await cli([], { ...env, PORT: '0' });
    assert.equal(second.code, 1);
    assert.match(second.stderr, /data directory/i);
    assert.ok(second.stderr.includes(dataDir), second.stderr);
    assert.doesNotMatch(second.stderr, /\n\s+at /, 'no stack');
    assert.doesNotMatch(second.stdout, /lwsk_/);
    const path = '/api/v1/insertion/leads/one';
    assert.equal((await server.call('GET', path, { key })).status, 200);
  });

  it('says which setting to change where the port is taken, and takes PostgreSQL along', async () => {
    const other = await mkdtemp(join(tmpdir(), 'leadwire-embedded-port-'));
    const { code, stderr, stdout } = await cli([], {
      LEADWIRE_DATA_DIR: other,
      PORT: String(server.port),
    });
    assert.equal(code, 1);
    assert.match(stderr, /PORT/);
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
    const ready = stdout.split('\n').find((line) => line.includes('PostgreSQL is ready'));
    assert.equal(await isOpen(JSON.parse(ready ?? '{}').port), false);
    await rm(other, { recursive: true, force: true });
  });

  it('ends PostgreSQL with itself, and prints no key on the second start, where all is still there', async () => {
    const { port } = server.logLines().find(({ msg }) => msg.startsWith('PostgreSQL is ready'));
    assert.equal(await isOpen(port), true);
    assert.equal(await server.stop(), 0);
    assert.equal(await isOpen(port), false);
    server = await start();
    await eventually(() => assert.match(server.logs(), /listening/));
    assert.deepEqual(curlLines(), []);
    assert.doesNotMatch(server.logs(), /lwsk_/);
    const path = '/api/v1/insertion/leads/one';
    assert.equal((await server.call('GET', path, { key })).status, 200);
    assert.equal((await server.call('GET', path, { hmac: await newKey() })).status, 200);
  });
});
