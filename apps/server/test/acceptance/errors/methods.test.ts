import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import {
  createTestDatabase,
  type Json,
  rawRequest,
  seed,
  startServer,
} from '../../support/index.ts';

const database = await createTestDatabase();
const server = await startServer({ database });

const LEADS = '/api/v1/insertion/leads';
const OPERATION = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Every address and its methods: those of the reference, and the operator's. */
async function routes(): Promise<{ path: string; methods: string[] }[]> {
  const { paths }: Json = (await server.call('GET', '/openapi.json')).json;
  const documented = Object.entries(paths).map(([path, item]) => ({
    path: path.replaceAll(/\{\w+\}/g, 'some-id'),
    methods: Object.keys(item as object).filter((name) => OPERATION.includes(name)),
  }));
  const operator = ['/healthz', '/readyz', '/metrics', '/openapi.json'];
  const all = [...documented, ...operator.map((path) => ({ path, methods: ['get'] }))];
  return all.map(({ path, methods }) => {
    const names = methods.map((name) => name.toUpperCase());
    // The address of a lead whose external id is "batch" or "reconcile", too.
    if ([`${LEADS}/batch`, `${LEADS}/reconcile`].includes(path)) names.push('GET', 'PATCH');
    // HEAD is GET without its body (RFC 9110, 9.3.2).
    return { path, methods: names.includes('GET') ? [...names, 'HEAD'] : names };
  });
}

describe('addresses and methods', () => {
  after(() => server.stop());

  it('stand in the reference, all that the contract names', async () => {
    const named = (await routes()).map(({ path, methods }) => `${path} ${methods.sort()}`);
    for (const route of [
      '/api/v1/insertion/leads GET,HEAD,POST',
      '/api/v1/insertion/leads/batch GET,HEAD,PATCH,POST',
      '/api/v1/insertion/leads/reconcile GET,HEAD,PATCH,POST',
      '/api/v1/insertion/leads/some-id GET,HEAD,PATCH',
      '/api/v1/insertion/leads/some-id/history GET,HEAD',
      '/api/v1/leads GET,HEAD',
    ]) {
      assert.ok(named.includes(route), `${route} is missing in ${named.join('; ')}`);
    }
  });

  it('answer 405 with Allow to every method that they do not have, before they ask who it is', async () => {
    for (const { path, methods } of await routes()) {
      const others = METHODS.filter((method) => method !== 'CONNECT' && !methods.includes(method));
      assert.ok(others.includes('PUT') && others.includes('TRACE') && others.includes('OPTIONS'));
      for (const method of others) {
        const answer = await server.call(method, path);
        const allow = (answer.headers.allow ?? '').split(', ').sort();
        assert.equal(answer.status, 405, `${method} ${path}`);
        assert.deepEqual(allow, [...methods].sort(), `${method} ${path}`);
        assert.ok(answer.headers['x-request-id']);
        if (method !== 'HEAD') assertFailure(answer, 405, 'method_not_allowed');
      }
    }
  });

  it('answer 405 whatever is sent along: a key, a body, a broken body', async () => {
    for (const body of ['{}', '{', Buffer.alloc(300_000)]) {
      const answer = await server.call('PUT', '/api/v1/insertion/leads', {
        key: seed().ours.full,
        body,
      });
      assertFailure(answer, 405, 'method_not_allowed');
    }
  });

  it('that do not exist answer 404 to every method, with a key and without', async () => {
    const { full: key } = seed().ours;
    const nowhere = [
      '/nope',
      '/api',
      '/api/v1',
      '/api/v2/insertion/leads',
      '/API/v1/insertion/leads',
      '/api/v1/insertion/lead',
      '/api/v1/insertion/leads/x/nope',
      '/api/v1/insertion/leads/x/history/y',
      '/api/v1/leads/x',
      '//api/v1/leads',
      '/api/v1/insertion/leads/%zz',
      '/api/v1/insertion/leads/%ff',
      '/%',
      '/..%2f..%2fetc%2fpasswd',
    ];
    for (const path of nowhere) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
        const [bare, keyed] = [
          assertFailure(await server.call(method, path), 404, 'not_found', `${method} ${path}`),
          assertFailure(await server.call(method, path, { key }), 404, 'not_found'),
        ];
        assert.equal(bare.message, keyed.message);
      }
    }
  });

  it('say the same thing by HEAD as by GET, without a body', async () => {
    const { full: key } = seed().ours;
    for (const path of ['/api/v1/insertion/leads', '/api/v1/leads', '/healthz', '/nope']) {
      const [head, get] = [
        await server.call('HEAD', path, { key }),
        await server.call('GET', path, { key }),
      ];
      assert.equal(head.status, get.status, path);
      assert.equal(head.text, '');
      assert.equal(head.headers['content-type'], get.headers['content-type']);
    }
    assert.equal((await server.call('HEAD', '/api/v1/leads')).status, 401);
  });

  it('answer CONNECT, which is no address of ours, with a failure of the usual form', async () => {
    const received = await rawRequest(
      server.url,
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
    );
    assert.match(received, /^HTTP\/1\.1 4\d\d /);
    assert.match(received, /"ok":false/);
  });
});
