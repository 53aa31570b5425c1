import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { withDatabase } from '../../support/database.ts';
import { cli, createTestDatabase, eventually, signUp, startServer } from '../../support/index.ts';
import { REDIS_MISSING, startRedis } from '../../support/redis.ts';

const LEADS = '/api/v1/insertion/leads';
const NO_STACK = /\n\s+at /;

const redis = await startRedis();

const directories: string[] = [];
async function newDirectory(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'leadwire-start-'));
  directories.push(made);
  return made;
}
after(() => Promise.all(directories.map((path) => rm(path, { recursive: true, force: true }))));

describe('a first start', () => {
  it("whose port is taken makes no account and no key: the next start prints the first key and the owner's link", async () => {
    const database = await createTestDatabase({ from: 'empty' });
    const other = await createTestDatabase({ from: 'migrated' });
    const holder = await startServer({ database: other });
    const refused = await cli([], { ...database.env, PORT: String(holder.port) });
    await holder.stop();
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /PORT/);
    assert.doesNotMatch(refused.stdout, /lwsk_/);
    assert.deepEqual(await database.query('SELECT name FROM accounts'), []);
    const server = await startServer({ database });
    try {
      const key = { public_key: '', secret_key: /lwsk_\w+/.exec(server.logs())?.[0] ?? '' };
      assert.equal((await server.call('GET', LEADS, { key })).status, 200);
      const link = `${server.url}/join#lwjoin_`;
      const [, token] =
        server
          .logs()
          .split(link)[1]
          ?.match(/^(\w+)\n/) ?? [];
      const owner = await signUp(server, { link: `lwjoin_${token}` });
      const { accounts } = (await owner.call('GET', '/me')).json;
      assert.deepEqual([accounts[0].account_name, accounts[0].role], ['default', 'owner']);
    } finally {
      await server.stop();
    }
  });

  it('prints the key before it says that it listens', async () => {
    const database = await createTestDatabase({ from: 'empty' });
    const server = await startServer({ database });
    try {
      await eventually(() => assert.match(server.logs(), /listening at/));
      assert.ok(server.logs().indexOf('lwsk_') < server.logs().indexOf('listening at'));
      assert.match(server.logs(), /lwsk_/);
    } finally {
      await server.stop();
    }
  });

  it('names the public address in all that it prints, where one is set', async () => {
    const database = await createTestDatabase({ from: 'empty' });
    const env = { LEADWIRE_PUBLIC_URL: 'https://leads.example.com' };
    const server = await startServer({ database, env });
    await server.stop();
    const [printed = ''] = /^Leadwire is ready[\s\S]*?--from start$/m.exec(server.logs()) ?? [];
    const hosts = printed.match(/https?:\/\/[^/\s]+/g) ?? [];
    assert.deepEqual(
      new Set(hosts),
      new Set(['https://leads.example.com.', 'https://leads.example.com']),
    );
    assert.equal(hosts.length, 4);
  });
});

describe('a start on a store whose account has no owner, as an older version leaves it', () => {
  it('says how to make a link for one, until there is one', async () => {
    const database = await createTestDatabase({ from: 'empty' });
    await (await startServer({ database })).stop();
    await database.query('DELETE FROM invitations');
    const server = await startServer({ database });
    try {
      await eventually(() => assert.match(server.logs(), /listening at/));
      const [, command = ''] = /has no owner.*: npx leadwire ([^"]+)"/.exec(server.logs()) ?? [];
      const invited = await cli([...command.split(' '), '--json'], database.env);
      const token = JSON.parse(invited.stdout).link.split('#')[1];
      await signUp(server, { link: token });
    } finally {
      await server.stop();
    }
    const next = await startServer({ database });
    await eventually(() => assert.match(next.logs(), /listening at/));
    await next.stop();
    assert.doesNotMatch(next.logs(), /has no owner/);
  });
});

describe('a start that fails', () => {
  after(() => redis?.stop());

  it('ends although Redis is connected', { skip: redis ? false : REDIS_MISSING }, async () => {
    const database = await createTestDatabase({ from: 'migrated' });
    const holder = await startServer({ database });
    try {
      const env = { ...database.env, REDIS_URL: redis?.url, PORT: String(holder.port) };
      const { code, stderr } = await cli([], env);
      assert.equal(code, 1);
      assert.match(stderr, /PORT/);
    } finally {
      await holder.stop();
    }
  });

  it('names DATABASE_URL where PostgreSQL refuses the password or the database, and tells no password', async () => {
    const database = await createTestDatabase({ from: 'empty' });
    const wrong = new URL(database.url);
    wrong.password = 'hunter2';
    for (const DATABASE_URL of [wrong.href, withDatabase(database.url, 'nowhere')]) {
      const { code, stderr, stdout } = await cli([], { ...database.env, DATABASE_URL, PORT: '0' });
      assert.equal(code, 1);
      assert.match(stderr, /refused.*DATABASE_URL/);
      assert.doesNotMatch(stderr, NO_STACK);
      const { password } = new URL(DATABASE_URL);
      assert.ok(!(stderr + stdout).includes(password));
    }
  });

  it('names the data directory and its setting where that is none, for the service and a command', async () => {
    const file = join(await newDirectory(), 'file');
    await writeFile(file, '');
    for (const LEADWIRE_DATA_DIR of [file, join(file, 'below')]) {
      for (const args of [[], ['migrate']]) {
        const { code, stderr } = await cli(args, { LEADWIRE_DATA_DIR, PORT: '0' });
        assert.equal(code, 1);
        assert.ok(stderr.includes(file), stderr);
        assert.match(stderr, /LEADWIRE_DATA_DIR/);
        assert.doesNotMatch(stderr, /PORT/);
        assert.doesNotMatch(stderr, NO_STACK);
      }
    }
  });
});

describe('the encryption key file', () => {
  it('is made whole and private, and when damaged or gone is named and never replaced', async () => {
    const dataDir = await newDirectory();
    const env = { LEADWIRE_DATA_DIR: dataDir, PORT: '0' };
    const file = join(dataDir, 'encryption.key');
    await (await startServer({ env: { LEADWIRE_DATA_DIR: dataDir } })).stop();
    const made = await readFile(file, 'utf8');
    assert.equal(Buffer.from(made, 'base64').length, 32);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith('encryption.key.'));
    assert.deepEqual(leftovers, []);

    await writeFile(file, made.slice(0, 20));
    for (const args of [[], ['migrate']]) {
      const { code, stderr } = await cli(args, env);
      assert.equal(code, 1);
      assert.ok(stderr.includes(file) && /damaged/.test(stderr), stderr);
      assert.doesNotMatch(stderr, NO_STACK);
    }
    await rm(file);
    for (const args of [[], ['migrate']]) {
      const { code, stderr } = await cli(args, env);
      assert.equal(code, 1);
      assert.ok(stderr.includes(file) && /gone/.test(stderr), stderr);
      assert.doesNotMatch(stderr, NO_STACK);
    }
    await assert.rejects(stat(file), { code: 'ENOENT' });
  });

  it('is one where two commands begin together, and the directory keeps its modes', async () => {
    const dataDir = await newDirectory();
    await chmod(dataDir, 0o711);
    const env = { LEADWIRE_DATA_DIR: dataDir };
    const create = (name: string) => cli(['accounts', 'create', '--name', name], env);
    for (const { code, stderr } of await Promise.all([create('One'), create('Two')])) {
      assert.equal(code, 0, stderr);
    }
    assert.equal((await stat(dataDir)).mode & 0o777, 0o711);
    assert.match(await readFile(join(dataDir, 'encryption.key'), 'utf8'), /^[\w+/]{43}=\n$/);
  });
});
