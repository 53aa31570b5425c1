import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { cli, createTestDatabase, eventually, seed, startServer } from '../../support/index.ts';

const database = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'leadwire-settings-'));

describe('a bad setting', () => {
  after(() => rm(dataDir, { recursive: true, force: true }));

  const bad: Record<string, Record<string, string | undefined>> = {
    PORT: { PORT: 'abc' },
    LEADWIRE_ROLE: { LEADWIRE_ROLE: 'x' },
    DATABASE_URL: { DATABASE_URL: 'mysql://x/y' },
    LEADWIRE_ENCRYPTION_KEY: { LEADWIRE_ENCRYPTION_KEY: 'short' },
    'LEADWIRE_ENCRYPTION_KEY is required': { LEADWIRE_ENCRYPTION_KEY: undefined },
    LEADWIRE_FEATURES_OFF: { LEADWIRE_FEATURES_OFF: 'insertion,nope' },
    LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'perhaps' },
    LEADWIRE_PUBLIC_URL: { LEADWIRE_PUBLIC_URL: 'https://leads.example.com/path' },
    LEADWIRE_MAIL_FROM: { SMTP_URL: 'smtp://user:hunter2@localhost' },
    SMTP_URL: { SMTP_URL: 'http://user:hunter2@localhost' },
    REDIS_URL: { REDIS_URL: 'http://user:hunter2@localhost' },
  };
  it('is named in a sentence, and the service ends with 1', async () => {
    const cases = Object.entries(bad);
    // Two at a time: each is a process.
    for (let i = 0; i < cases.length; i += 2) {
      await Promise.all(
        cases.slice(i, i + 2).map(async ([named, settings]) => {
          const env = { ...database.env, LEADWIRE_DATA_DIR: dataDir, PORT: '0', ...settings };
          const { code, stderr } = await cli([], env);
          assert.equal(code, 1, `${named}: ${stderr}`);
          assert.ok(stderr.includes(named), `${named}: ${stderr}`);
          assert.doesNotMatch(stderr, /\n\s+at /, `${named}: no stack`);
          assert.doesNotMatch(stderr, /hunter2/, 'no password');
        }),
      );
    }
  });

  it('does not hide another one', async () => {
    const { code, stderr } = await cli([], { PORT: '70000', LEADWIRE_ROLE: 'x' });
    assert.equal(code, 1);
    assert.match(stderr, /PORT/);
    assert.match(stderr, /LEADWIRE_ROLE/);
  });

  it('stops a command too', async () => {
    const { code, stderr } = await cli(['migrate'], { DATABASE_URL: database.url });
    assert.equal(code, 1);
    assert.match(stderr, /LEADWIRE_ENCRYPTION_KEY is required/);
  });

  it('of the store, which does not answer there, ends with 1 and tells no password', async () => {
    const DATABASE_URL = 'postgres://someone:hunter2@127.0.0.1:1/leads';
    const { code, stderr, stdout } = await cli([], { ...database.env, DATABASE_URL, PORT: '0' });
    assert.equal(code, 1);
    assert.notEqual(stderr, '');
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
    assert.doesNotMatch(stderr + stdout, /hunter2/);
  });
});

describe('good settings', () => {
  it('take effect, and a name that looks like one but is none is warned of', async () => {
    const env = {
      LEADWIRE_ROLE: 'api',
      LEADWIRE_DATADIR: '/nowhere',
      LEADWIRE_ENCRYPTION_KEY: Buffer.from(database.env.LEADWIRE_ENCRYPTION_KEY, 'base64').toString(
        'hex',
      ),
      LEADWIRE_LOG_LEVEL: 'warn',
    };
    const server = await startServer({ database, env });
    try {
      const { full: key } = seed().ours;
      assert.equal((await server.call('GET', '/api/v1/leads', { key })).status, 200);
      await eventually(() => {
        const warning = server.logLines().find(({ name }) => name === 'LEADWIRE_DATADIR');
        assert.equal(warning?.level, 'warn');
      });
      assert.ok(server.logLines().every(({ level }) => level !== 'info'));
    } finally {
      await server.stop();
    }
  });

  it('let the encryption key be rotated: the first encrypts, all of them read', async () => {
    const rotated = `${randomBytes(32).toString('base64')},${database.env.LEADWIRE_ENCRYPTION_KEY}`;
    const server = await startServer({ database, env: { LEADWIRE_ENCRYPTION_KEY: rotated } });
    try {
      const { full: hmac } = seed().ours;
      assert.equal((await server.call('GET', '/api/v1/insertion/leads', { hmac })).status, 200);
    } finally {
      await server.stop();
    }
  });
});
