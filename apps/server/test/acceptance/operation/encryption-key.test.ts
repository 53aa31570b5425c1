import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  cli,
  createKey,
  createTestDatabase,
  eventually,
  seed,
  startServer,
} from '../../support/index.ts';

const database = await createTestDatabase();
const old = database.env.LEADWIRE_ENCRYPTION_KEY;
const other = randomBytes(32).toString('base64');
const env = (key: string) => ({ ...database.env, LEADWIRE_ENCRYPTION_KEY: key, PORT: '0' });
const createAsCommand = ['keys', 'create', '--account', seed().ours.id, '--name', 'wrong'];
const countKeys = () => database.query('SELECT count(*)::int AS keys FROM api_keys');

describe('an encryption key that opens nothing of what the store holds', () => {
  it('stops the service and a command before they make anything, and they say what to do', async () => {
    const before = await countKeys();
    for (const args of [[], [...createAsCommand, '--scopes', 'leads:read']]) {
      const { code, stdout, stderr } = await cli(args, env(other));
      assert.equal(code, 1, stderr);
      assert.match(
        stderr,
        /^LEADWIRE_ENCRYPTION_KEY is not the key .* LEADWIRE_ENCRYPTION_KEY_LOST/m,
      );
      assert.doesNotMatch(stderr, /\n\s+at /);
      assert.doesNotMatch(stdout, /listening at|lwsk_/);
    }
    assert.deepEqual(await countKeys(), before);
  });

  it('is no matter where nothing is stored, or what is stored is not used any more', async () => {
    const empty = await createTestDatabase({ from: 'migrated' });
    assert.equal((await cli(['migrate'], { ...env(other), DATABASE_URL: empty.url })).code, 0);
    const ended = await createTestDatabase();
    await ended.query(`UPDATE api_keys SET revoked_at = now()`);
    assert.equal((await cli(['migrate'], { ...env(other), DATABASE_URL: ended.url })).code, 0);
  });

  it('is taken where the old one is said to be lost, and without that once it has sealed something', async () => {
    const lost = await createTestDatabase();
    const settings = { ...env(other), DATABASE_URL: lost.url };
    await createKey({ ...settings, LEADWIRE_ENCRYPTION_KEY_LOST: 'on' }, seed().ours.id);
    assert.equal((await cli(['migrate'], settings)).code, 0);
  });
});

it('a node that a rotation of the encryption key has not reached yet starts, and says what it cannot open', async () => {
  await createKey(env(`${other},${old}`), seed().ours.id);
  const server = await startServer({ database });
  try {
    const { full: hmac } = seed().ours;
    assert.equal((await server.call('GET', '/api/v1/insertion/leads', { hmac })).status, 200);
    await eventually(() => {
      const warning = server.logLines().find(({ msg }) => /key that is not configured/.test(msg));
      assert.deepEqual([warning?.level, warning?.secrets], ['warn', 1]);
    });
  } finally {
    await server.stop();
  }
});
