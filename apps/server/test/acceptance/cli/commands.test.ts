import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cli, createTestDatabase, seed, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { limitOf } from '../../support/rate-limit.ts';

const LEADS = '/api/v1/insertion/leads';
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const database = await createTestDatabase();
const { env } = database;
const account = seed().ours.id;

/** Runs the same command once with --json and once without. */
async function both(...args: string[]) {
  const [json, plain] = await Promise.all([cli([...args, '--json'], env), cli(args, env)]);
  for (const { code, stderr } of [json, plain]) {
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
  }
  assert.equal(json.stdout.trimEnd().split('\n').length, 1, 'one line of JSON');
  assert.throws(() => JSON.parse(plain.stdout), 'sentences for a person');
  assert.match(plain.stdout, /^\S.*\n$/s);
  return { json: JSON.parse(json.stdout), text: plain.stdout };
}

/** Runs a command with --json; it must succeed. */
async function json(...args: string[]) {
  const { code, stdout, stderr } = await cli([...args, '--json'], env);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const eventTypes = async (): Promise<string[]> => {
  const rows = await database.query('SELECT type FROM events ORDER BY occurred_at, id');
  return rows.map((row) => row.type);
};

describe('the command line, with DATABASE_URL', () => {
  it('accounts create prints { id }', async () => {
    const { json, text } = await both('accounts', 'create', '--name', 'Acme & Söhne 🚀');
    assert.deepEqual(Object.keys(json), ['id']);
    assert.match(json.id, UUID);
    assert.match(text, /[0-9a-f]{8}-/);
    const rows = await database.query('SELECT name FROM accounts WHERE id = $1', [json.id]);
    assert.deepEqual(rows, [{ name: 'Acme & Söhne 🚀' }]);
  });

  it('campaigns create prints { id, account_id }, numbered on without a gap or a double', async () => {
    const { json } = await both('campaigns', 'create', '--account', account, '--name', 'Spring');
    assert.deepEqual(Object.keys(json).sort(), ['account_id', 'id']);
    assert.equal(json.account_id, account);
    const rows = await database.query(
      'SELECT id, state FROM campaigns WHERE account_id = $1 ORDER BY id',
      [account],
    );
    assert.deepEqual(
      rows.map((row) => row.id),
      [1, 2, 3, 4, 5],
    );
    assert.ok(rows.every((row) => row.state === 'draft'));
  });

  it('campaigns start and pause emit their event when something changed, and only then', async () => {
    const set = (verb: string) => json('campaigns', verb, '--account', account, '1');
    await set('start');
    assert.deepEqual(await eventTypes(), ['campaign.started']);
    await set('start');
    assert.deepEqual(await eventTypes(), ['campaign.started']);
    const paused = await both('campaigns', 'pause', '--account', account, '1');
    assert.match(paused.text, /1/);
    assert.deepEqual(await eventTypes(), ['campaign.started', 'campaign.paused']);
    await set('start');
    const types = ['campaign.started', 'campaign.paused', 'campaign.started'];
    assert.deepEqual(await eventTypes(), types);
    const sql = 'SELECT state FROM campaigns WHERE account_id = $1 AND id = 1';
    assert.deepEqual(await database.query(sql, [account]), [{ state: 'active' }]);
  });

  it('keys create prints the pair once, revoke ends it, and both work beside a running server', async () => {
    const args = ['--account', account, '--name', 'Partner', '--scopes', 'leads:read,leads:write'];
    const server = await startServer({ database });
    try {
      const { json, text } = await both('keys', 'create', ...args);
      const names = ['account_id', 'public_key', 'scopes', 'secret_key'];
      assert.deepEqual(Object.keys(json).sort(), names);
      assert.equal(json.account_id, account);
      assert.deepEqual(json.scopes, ['leads:read', 'leads:write']);
      const plain = {
        public_key: /lwpk_\w+/.exec(text)?.[0] ?? '',
        secret_key: /lwsk_\w+/.exec(text)?.[0] ?? '',
      };
      for (const key of [json, plain]) {
        const answer = await server.call('POST', LEADS, { hmac: key, body: newLead() });
        assert.equal(answer.status, 201, answer.text);
        assert.equal(limitOf(answer).max, 6000);
      }
      const [first, second] = await Promise.all([
        cli(['keys', 'revoke', json.public_key, '--json'], env),
        cli(['keys', 'revoke', plain.public_key], env),
      ]);
      assert.equal(JSON.parse(first.stdout).public_key, json.public_key);
      assert.ok(second.stdout.includes(plain.public_key));
      const again = await cli(['keys', 'revoke', json.public_key], env);
      assert.equal(again.code, 1);
      assert.ok(again.stderr.includes(json.public_key), again.stderr);
    } finally {
      await server.stop();
    }
  });

  it('keys create takes a rate limit, an expiry and one scope alone', async () => {
    const create = (...args: string[]) =>
      json('keys', 'create', '--account', account, '--name', 'K', ...args);
    const [limited, unlimited, expiring] = await Promise.all([
      create('--scopes', 'leads:read', '--rate-limit', '100/60'),
      create('--scopes', 'leads:write', '--rate-limit', '0'),
      create('--scopes', 'leads:read,leads:read', '--expires', '2031-05-06T07:08:09+02:00'),
    ]);
    assert.deepEqual(limited.scopes, ['leads:read']);
    assert.deepEqual(unlimited.scopes, ['leads:write']);
    assert.deepEqual(expiring.scopes, ['leads:read']);
    const rows = await database.query(
      `SELECT name, scopes, rate_limit_max, rate_limit_window_seconds, expires_at FROM api_keys
       WHERE public_key = ANY ($1) ORDER BY array_position($1, public_key)`,
      [[limited.public_key, unlimited.public_key, expiring.public_key]],
    );
    assert.deepEqual([rows[0].rate_limit_max, rows[0].rate_limit_window_seconds], [100, 60]);
    assert.equal(rows[0].expires_at, null);
    assert.equal(rows[1].rate_limit_max, 0);
    assert.deepEqual(rows[2].scopes, ['leads:read']);
    assert.equal(rows[2].expires_at.toISOString(), '2031-05-06T05:08:09.000Z');
  });

  it('features set switches one feature of one account', async () => {
    const { text } = await both('features', 'set', '--account', account, 'forms=off');
    assert.match(text, /forms.*off/);
    const sql = 'SELECT id FROM accounts WHERE features::text ~ $1';
    assert.deepEqual(await database.query(sql, ['forms.*false']), [{ id: account }]);
    await json('features', 'set', '--account', account, 'forms=on');
    assert.deepEqual(await database.query(sql, ['forms.*false']), []);
  });

  it('migrate brings an empty database up to date, again does nothing, and several may run at once', async () => {
    const empty = await createTestDatabase({ from: 'empty' });
    const run = () => cli(['migrate', '--json'], empty.env);
    const results = await Promise.all([run(), run(), run()]);
    for (const { code, stderr } of results) assert.equal(code, 0, stderr);
    const applied = results.map(({ stdout }) => JSON.parse(stdout).applied.length).sort();
    assert.deepEqual(applied.slice(0, 2), [0, 0]);
    assert.ok(applied[2] >= 1);
    const again = await cli(['migrate'], empty.env);
    assert.equal(again.code, 0);
    assert.match(again.stdout, /up to date/);
  });

  it('default is no account of a database where no service ever started', async () => {
    const fresh = await createTestDatabase({ from: 'migrated' });
    const args = ['campaigns', 'create', '--account', 'default', '--name', 'x'];
    const { code, stderr } = await cli(args, fresh.env);
    assert.equal(code, 1);
    assert.match(stderr, /default/);
  });
});
