import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { type ClientOptions, createClient, NotFoundError } from './index.ts';
import { DEDUPED, LEAD, openScene } from './testing/scene.ts';
import { failure } from './testing/scripted-server.ts';

const { server, client } = await openScene();

describe('options', () => {
  const good = { baseUrl: 'https://leads.example.com', publicKey: 'lwpk_1', secretKey: 'lwsk_1' };
  const bad: [string, Partial<ClientOptions>, RegExp][] = [
    ['a base URL with a path', { baseUrl: 'https://example.com/leads' }, /no path.*signature/],
    ['one with a query', { baseUrl: 'https://example.com?x=1' }, /no path or query/],
    ['one with credentials', { baseUrl: 'https://a:b@example.com' }, /credentials/],
    ['one that is no URL', { baseUrl: 'example.com' }, /absolute URL/],
    ['one of another scheme', { baseUrl: 'ftp://example.com' }, /http/],
    ['no secret key', { secretKey: '' }, /secretKey is missing/],
    ['no public key to sign with', { publicKey: '' }, /publicKey is missing.*bearer/],
    [
      'a secret key with the line end of its file',
      { secretKey: 'lwsk_1\n' },
      /secretKey.*line end/,
    ],
    ['a public key with what no header takes', { publicKey: 'lwpk_…' }, /publicKey/],
    ['another kind of auth', { auth: 'basic' as 'hmac' }, /auth must be/],
    ['no time for a try', { timeoutMs: 0 }, /timeoutMs/],
    ['no time for a call', { deadlineMs: Number.NaN }, /deadlineMs/],
  ];
  for (const [name, options, message] of bad) {
    test(`${name} is refused with what to do`, () => {
      assert.throws(() => createClient({ ...good, ...options }), {
        ...{ name: 'LeadwireError', code: 'invalid_option' },
        message,
      });
    });
  }

  test('a key that cannot be sent is not shown', () => {
    const secretKey = 'lwsk_secret\nx';
    assert.throws(
      () => createClient({ ...good, auth: 'bearer', secretKey }),
      (error) => !inspect(error).includes('lwsk_secret'),
    );
  });

  test('a slash behind the host does no harm, and Bearer needs no public key', () => {
    createClient({ ...good, baseUrl: `${good.baseUrl}/` });
    createClient({ baseUrl: good.baseUrl, secretKey: 'lwsk_1', auth: 'bearer' });
  });
});

describe('what is sent', () => {
  test('is signed for the insertion API, without the secret', async () => {
    server.play(DEDUPED);
    await client().leads.insert(LEAD);
    const [request] = server.seen;
    assert.equal(request?.headers.authorization, undefined);
    assert.equal(request?.headers['x-leadwire-public-key'], 'lwpk_1');
    assert.doesNotMatch(JSON.stringify(server.seen), /lwsk_/);
  });

  test('has the secret key with bearer, and always for webhooks and events', async () => {
    server.play(DEDUPED, DEDUPED, {
      status: 200,
      body: { data: [], hasMore: false, nextCursor: 'c' },
    });
    await client({ auth: 'bearer' }).leads.insert(LEAD);
    const { webhooks, events } = client();
    await webhooks.get('wh_1');
    for await (const page of events.list()) assert.deepEqual(page.data, []);
    for (const { headers } of server.seen) {
      assert.equal(headers.authorization, 'Bearer lwsk_1');
      assert.equal(headers['x-leadwire-signature'], undefined);
    }
    assert.equal(server.seen.length, 3);
  });

  test('goes through the fetch that is given', async () => {
    const seen: unknown[] = [];
    const fetcher: typeof fetch = async (input, init) => {
      seen.push([input, init?.method]);
      return Response.json(DEDUPED.body);
    };
    await client({ fetch: fetcher }).leads.insert(LEAD);
    assert.deepEqual(seen, [[`${server.url}/api/v1/insertion/leads`, 'POST']]);
  });
});

describe('webhooks.delete', () => {
  test('whose first answer was lost has deleted', async () => {
    server.play('cut', failure(404, 'not_found'));
    assert.deepEqual(await client().webhooks.delete('wh_1'), { id: 'wh_1', deleted: true });
  });

  test('of a webhook that was never there is not found, also after a 429', async () => {
    server.play(failure(429, 'rate_limited'), failure(404, 'not_found'));
    await assert.rejects(client().webhooks.delete('wh_1'), NotFoundError);
  });

  test('of no id is refused', async () => {
    for (const id of ['', '.', '..']) {
      await assert.rejects(client().webhooks.delete(id), { code: 'invalid_id' });
    }
  });
});
