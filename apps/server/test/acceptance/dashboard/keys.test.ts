import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { bearerSnippet, hmacSnippet } from '../../../../dashboard/src/pages/keys/snippets.ts';
import {
  createTestDatabase,
  eventually,
  type Json,
  seed,
  startServer,
  type TestDatabase,
  type TestServer,
  type Visitor,
  visitor,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';
const SCOPES = ['leads:read', 'leads:write'];
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let server: TestServer;
let second: TestServer;
let admin: Visitor;
let viewer: Visitor;
let stranger: Visitor;
let keys: string;

before(async () => {
  database = await createTestDatabase();
  [server, second] = await Promise.all([startServer({ database }), startServer({ database })]);
  const { ours, people } = seed();
  admin = visitor(server, people.admin.cookie);
  viewer = visitor(server, people.viewer.cookie);
  stranger = visitor(server, people.stranger.cookie);
  keys = `/accounts/${ours.id}/keys`;
});
after(() => Promise.all([server?.stop(), second?.stop()]));

async function create(fields: object = {}): Promise<Json> {
  const body = { name: 'Partner', scopes: SCOPES, ...fields };
  const answer = await admin.call('POST', keys, { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const rotate = (id: string, hours: number) =>
  admin.call('POST', `${keys}/${id}/rotate`, { body: { overlap_hours: hours } });

/** What a request with a secret is answered on each node. */
async function statuses(secret: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${secret}` };
  const answers = await Promise.all(
    [server, second].map((node) => node.call('GET', LEADS, { headers })),
  );
  return answers.map(({ status }) => status);
}

describe('an API key', () => {
  test('is created with name, scopes, expiry and limit, works at once, and is listed first', async () => {
    const expires = new Date(Date.now() + 24 * HOUR_MS).toISOString();
    const made = await create({
      ...{ name: '  Partner A ', scopes: ['leads:read'], expires_at: expires },
      rate_limit: { max: 5, window_seconds: 60 },
    });
    const { key, secret_key: secret } = made;
    assert.match(secret, /^lwsk_[0-9A-Za-z]{49}$/);
    assert.deepEqual([key.name, key.state, key.scopes], ['Partner A', 'active', ['leads:read']]);
    assert.equal(new Date(key.expires_at).toISOString(), expires);
    assert.deepEqual(key.rate_limit, { max: 5, window_seconds: 60 });
    assert.deepEqual([key.last_used_at, key.revoked_at, key.replaced_by], [null, null, null]);
    assert.deepEqual(await statuses(secret), [200, 200]);
    const { json } = await viewer.call('GET', keys);
    assert.equal(json.keys[0].id, key.id);
    await eventually(async () => {
      const seen = await viewer.call('GET', `${keys}/${key.id}`);
      assert.match(seen.json.last_used_at, /^\d{4}-.*\.\d{6}Z$/);
    });
  });

  test('shows its secret once: not in the list, not on its page, not in the log, not in the store', async () => {
    const { key, secret_key: secret } = await create();
    const seen = await Promise.all([
      viewer.call('GET', keys),
      viewer.call('GET', `${keys}/${key.id}`),
    ]);
    for (const { text } of seen) assert.doesNotMatch(text, /lwsk_|secret/);
    assert.ok(!server.logs().includes(secret));
    const stored = await database.query('SELECT k::text AS text FROM api_keys k');
    assert.ok(!JSON.stringify(stored).includes(secret.slice(5)));
  });

  const bad: [what: string, fields: object, path: string][] = [
    ['no name', { name: '' }, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['half a character in the name', { name: 'a\ud800' }, 'name'],
    ['a name that is too long', { name: 'a'.repeat(101) }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['leads:delete'] }, 'scopes.0'],
    ['a scope twice', { scopes: ['leads:read', 'leads:read'] }, 'scopes'],
    ['an expiry that has passed', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an expiry that is no time', { expires_at: 'tomorrow' }, 'expires_at'],
    ['a negative limit', { rate_limit: { max: -1, window_seconds: 1 } }, 'rate_limit.max'],
    ['a limit without a window', { rate_limit: { max: 1 } }, 'rate_limit.window_seconds'],
    ['an unknown field', { role: 'owner' }, 'role'],
  ];
  for (const [what, fields, path] of bad) {
    test(`is refused with ${what}`, async () => {
      const body = { name: 'x', scopes: SCOPES, ...fields };
      const answer = await admin.call('POST', keys, { body });
      assert.equal(answer.status, 400);
      assert.deepEqual(
        answer.json.errors.map((error: Json) => error.path),
        [path],
      );
    });
  }

  test('is one of at most a thousand that work', async () => {
    const { theirs, people } = seed();
    await database.query(
      `INSERT INTO api_keys (account_id, id, public_key, secret_hash, secret_encrypted, name, scopes, created_at, revoked_at)
       SELECT $1, gen_random_uuid(), 'lwpk_' || n, sha256(n::text::bytea), 'x', 'x', '{}', now(), CASE WHEN n > 998 THEN now() END
       FROM generate_series(1, 1100) n`,
      [theirs.id],
    );
    const owner = visitor(server, people.stranger.cookie);
    const path = `/accounts/${theirs.id}/keys`;
    const body = { name: 'One more', scopes: SCOPES };
    const answers = await Promise.all([1, 2, 3].map(() => owner.call('POST', path, { body })));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    assert.equal(refused?.json.error, 'key_limit_reached');
  });
});

describe('rotating a key', () => {
  test('gives a new pair like it; the old one works until the overlap ends, and names the new one', async () => {
    const made = await create({ name: 'R', rate_limit: { max: 100, window_seconds: 60 } });
    const before = Date.now();
    const { json } = await rotate(made.key.id, 24);
    const { key, replaced, secret_key: secret } = json;
    assert.notEqual(key.public_key, made.key.public_key);
    for (const field of ['name', 'scopes', 'rate_limit', 'expires_at'] as const) {
      assert.deepEqual(key[field], made.key[field], field);
    }
    assert.deepEqual([replaced.id, replaced.replaced_by], [made.key.id, key.id]);
    const end = Date.parse(replaced.expires_at) - 24 * HOUR_MS;
    assert.ok(end >= before - 1 && end <= Date.now() + 1, replaced.expires_at);
    assert.deepEqual(await statuses(secret), [200, 200]);
    assert.deepEqual(await statuses(made.secret_key), [200, 200]);
  });

  test('never lets the old one work for longer than it would have, and gives the new one as long a life', async () => {
    const expires = new Date(Date.now() + HOUR_MS).toISOString();
    const made = await create({ expires_at: expires });
    const { key, replaced } = (await rotate(made.key.id, 720)).json;
    assert.equal(replaced.expires_at, made.key.expires_at);
    const life = (one: Json) => Date.parse(one.expires_at) - Date.parse(one.created_at);
    assert.ok(Math.abs(life(key) - life(made.key)) <= 1);
  });

  test('without overlap refuses the old one on every node within a second, also where it is in use', async () => {
    const made = await create();
    assert.deepEqual(await statuses(made.secret_key), [200, 200]);
    const { json } = await rotate(made.key.id, 0);
    assert.equal(json.replaced.state, 'revoked');
    const done = Date.now();
    await eventually(async () => assert.deepEqual(await statuses(made.secret_key), [401, 401]));
    assert.ok(Date.now() - done < 1_500);
    assert.deepEqual(await statuses(json.secret_key), [200, 200]);
  });

  test('several times at once works once; the others are told 409', async () => {
    const { key } = await create({ name: 'Once' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => rotate(key.id, 1)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
    const { json } = await viewer.call('GET', keys);
    assert.equal(json.keys.filter(({ name }: Json) => name === 'Once').length, 2);
  });

  test('is refused for a key that is revoked, expired or replaced', async () => {
    const made = await create();
    await admin.call('POST', `${keys}/${made.key.id}/revoke`);
    assert.equal((await rotate(made.key.id, 1)).status, 409);
    const old = await create();
    await database.query(`UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1`, [
      old.key.id,
    ]);
    assert.equal((await rotate(old.key.id, 1)).status, 409);
    assert.equal((await viewer.call('GET', `${keys}/${old.key.id}`)).json.state, 'expired');
    for (const hours of [-1, 721, 1.5]) {
      assert.equal((await rotate(made.key.id, hours)).status, 400);
    }
  });
});

describe('revoking a key', () => {
  test('refuses it on every node, and again changes nothing', async () => {
    const { key, secret_key: secret } = await create();
    assert.deepEqual(await statuses(secret), [200, 200]);
    const first = await admin.call('POST', `${keys}/${key.id}/revoke`);
    assert.equal(first.json.state, 'revoked');
    await eventually(async () => assert.deepEqual(await statuses(secret), [401, 401]));
    const again = await admin.call('POST', `${keys}/${key.id}/revoke`);
    assert.equal(again.json.revoked_at, first.json.revoked_at);
  });
});

describe('who may what', () => {
  test('a viewer sees keys and changes none', async () => {
    const { key } = await create();
    const calls = [`${keys}`, `${keys}/${key.id}/rotate`, `${keys}/${key.id}/revoke`];
    for (const path of calls) {
      const answer = await viewer.call('POST', path, { body: { name: 'x', scopes: SCOPES } });
      assert.equal(answer.status, 403, path);
    }
    assert.equal((await viewer.call('GET', `${keys}/${key.id}`)).json.state, 'active');
  });

  test('a key of another account is not there, whatever is asked', async () => {
    const { theirs } = seed();
    const { key } = await create();
    const foreign = `/accounts/${theirs.id}/keys/${key.id}`;
    const missing = `/accounts/${theirs.id}/keys/00000000-0000-7000-8000-000000000000`;
    const asked: [method: string, path: string, body?: object][] = [
      ['GET', ''],
      ['GET', '/usage'],
      ['GET', '/refusals'],
      ['POST', '/rotate', { overlap_hours: 0 }],
      ['POST', '/revoke'],
    ];
    for (const [method, path, body] of asked) {
      const one = await stranger.call(method, foreign + path, { body });
      const other = await stranger.call(method, missing + path, { body });
      const { request_id: _, ...shown } = one.json;
      const { request_id: __, ...expected } = other.json;
      assert.equal(one.status, 404, path);
      assert.deepEqual(shown, expected);
    }
    assert.equal((await viewer.call('GET', `${keys}/${key.id}`)).json.state, 'active');
    assert.equal((await viewer.call('GET', `${keys}/no-id`)).status, 404);
  });
});

describe('the use of a key', () => {
  test('is counted as accepted and refused, and its refusals are listed newest first', async () => {
    const { key, secret_key: secret } = await create();
    const headers = { authorization: `Bearer ${secret}` };
    const post = (body: unknown) => server.call('POST', LEADS, { headers, body });
    await post(newLead());
    await post(newLead());
    await post('{');
    await post(newLead({ phone: '1' }));
    await server.call('POST', `${LEADS}/batch`, {
      headers,
      body: { leads: [newLead(), newLead({ phone: '1' })] },
    });
    await eventually(async () => {
      const { json } = await viewer.call('GET', `${keys}/${key.id}/usage?range=hour`);
      const sum = (field: string) =>
        json.points.reduce((total: number, point: Json) => total + point[field], 0);
      assert.deepEqual([sum('accepted'), sum('refused')], [3, 3]);
      assert.equal(json.points.length, 60);
    });
    await eventually(async () => {
      const { json } = await viewer.call('GET', `${keys}/${key.id}/refusals`);
      assert.deepEqual(
        json.refusals.map(({ reason, row }: Json) => [reason, row]),
        [
          ['validation', 1],
          ['validation', null],
          ['malformed_json', null],
        ],
      );
      assert.equal(json.refusals[0].fields[0].path, 'phone');
      assert.match(json.refusals[0].at, /^\d{4}-.*\.\d{6}Z$/);
    });
  });
});

test('the lines that the page shows with a new key work when pasted into a shell', async () => {
  const run = promisify(execFile);
  for (const scopes of [SCOPES, ['leads:read'], ['leads:write']]) {
    const { key, secret_key: secretKey } = await create({ scopes });
    const input = {
      ...{ origin: server.url, publicKey: key.public_key, secretKey, campaign: 1 },
      mayWrite: scopes.includes('leads:write'),
    };
    for (const snippet of [bearerSnippet(input), hmacSnippet(input)]) {
      const { stdout } = await run('sh', ['-c', snippet]);
      assert.match(stdout, /^HTTP\/1\.1 20[01] /, snippet);
    }
  }
});
