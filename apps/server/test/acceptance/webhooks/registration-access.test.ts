import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { cliJson, createKey, eventually, startServer } from '../../support/index.ts';
import { MISSING, openScene, WEBHOOKS, webhookBody } from './scene.ts';

const { database, call, one, ours, theirs, create, list } = await openScene();

type Request = [method: string, target: () => Promise<string>, body: unknown];

const collection = async () => WEBHOOKS;
const fresh = async () => one((await create()).id);

const REQUESTS: Record<string, Request> = {
  create: ['POST', collection, webhookBody()],
  list: ['GET', collection, undefined],
  get: ['GET', fresh, undefined],
  patch: ['PATCH', fresh, { description: 'x' }],
  rotate: ['POST', async () => `${await fresh()}/rotate-secret`, undefined],
  remove: ['DELETE', fresh, undefined],
};

const ROUTES = Object.entries(REQUESTS);
const success = (name: string) => (name === 'create' ? 201 : 200);

describe('scopes', () => {
  for (const [name, [method, target, body]] of ROUTES) {
    const needs = name === 'remove' ? 'write' : name === 'get' || name === 'list' ? 'read' : 'both';

    test(`${name} with leads:read alone: ${needs === 'read' ? 'done' : '403'}`, async () => {
      const answer = await call(method, await target(), { key: ours.reader, body });
      if (needs === 'read') assert.equal(answer.status, success(name), answer.text);
      else assertFailure(answer, 403, 'scope_required:leads:write');
    });

    test(`${name} with leads:write alone: ${needs === 'write' ? 'done' : '403'}`, async () => {
      const answer = await call(method, await target(), { key: ours.writer, body });
      if (needs === 'write') assert.equal(answer.status, success(name), answer.text);
      else assertFailure(answer, 403, 'scope_required:leads:read');
    });

    test(`${name} with both: done`, async () => {
      const answer = await call(method, await target(), { key: ours.full, body });
      assert.equal(answer.status, success(name), answer.text);
    });
  }

  test('are asked for before the body and the webhook are looked at', async () => {
    const key = ours.reader;
    assertFailure(await call('POST', WEBHOOKS, { key, body: '{' }), 403, /leads:write$/);
    assertFailure(await call('DELETE', one(MISSING), { key }), 403, /leads:write$/);
  });
});

describe('authentication', () => {
  for (const [name, [method, , body]] of ROUTES) {
    const target = name === 'create' || name === 'list' ? WEBHOOKS : one(MISSING);
    const path = name === 'rotate' ? `${target}/rotate-secret` : target;

    test(`${name} takes Bearer alone: without credentials or signed it is a 401`, async () => {
      assertFailure(await call(method, path, { body }), 401, 'missing_auth');
      assertFailure(await call(method, path, { hmac: ours.full, body }), 401, 'missing_auth');
      const headers = { authorization: 'Bearer lwsk_x' };
      assertFailure(await call(method, path, { headers, body }), 401, 'invalid_bearer');
    });
  }

  test('another method is a 405 that names those there are', async () => {
    const { headers } = await call('PUT', WEBHOOKS, { key: ours.full });
    assert.equal(headers.allow, 'GET, HEAD, POST');
    const one_ = await call('PUT', one(MISSING), { key: ours.full });
    assertFailure(one_, 405, 'method_not_allowed');
    assert.equal(one_.headers.allow, 'DELETE, GET, HEAD, PATCH');
    const rotate = await call('GET', `${one(MISSING)}/rotate-secret`, { key: ours.full });
    assertFailure(rotate, 405, 'method_not_allowed');
    assert.equal(rotate.headers.allow, 'POST');
  });
});

test('every route counts against the rate limit of the key and says what is left', async () => {
  const key = await createKey(database.env, ours.id, { rateLimit: `${ROUTES.length}/3600` });
  let left = ROUTES.length;
  for (const [name, [method, target, body]] of ROUTES) {
    const { status, headers } = await call(method, await target(), { key, body });
    left--;
    assert.equal(status, success(name));
    assert.equal(headers['ratelimit-policy'], `"default";q=${ROUTES.length};w=3600`);
    assert.match(String(headers.ratelimit), new RegExp(`^"default";r=${left};t=\\d+$`));
  }
  for (const [, [method, target, body]] of ROUTES) {
    const answer = await call(method, await target(), { key, body });
    assertFailure(answer, 429, 'rate_limited');
    assert.ok(Number(answer.headers['retry-after']) >= 1);
  }
});

describe('with the feature webhooks off', () => {
  test('for the deployment, every route is a 404 and nothing is written', async () => {
    const off = await startServer({ database, env: { LEADWIRE_FEATURES_OFF: 'webhooks' } });
    after(() => off.stop());
    const targets = await Promise.all(ROUTES.map(([, [, target]]) => target()));
    const count = (await list('?limit=100')).json.data.length;
    for (const [n, [, [method, , body]]] of ROUTES.entries()) {
      const answer = await off.call(method, String(targets[n]), { key: ours.full, body });
      assertFailure(answer, 404, 'not_found');
    }
    assert.equal((await list('?limit=100')).json.data.length, count);
  });

  test('for one account, every route is a 404 for it alone, and comes back', async () => {
    const set = (flag: string) =>
      cliJson(['features', 'set', '--account', theirs.id, flag], database.env);
    const key = theirs.full;
    const { id } = await create({}, { key });
    await set('webhooks=off');
    await eventually(async () => assert.equal((await list('', { key })).status, 404));
    for (const [name, [method, , body]] of ROUTES) {
      const target = name === 'create' || name === 'list' ? WEBHOOKS : one(id);
      const path = name === 'rotate' ? `${target}/rotate-secret` : target;
      assertFailure(await call(method, path, { key, body }), 404, 'not_found');
    }
    assert.equal((await list()).status, 200);
    await set('webhooks=on');
    await eventually(async () => assert.equal((await list('', { key })).json.data?.length, 1));
  });
});
