import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EVENT_TYPES, EVENTS } from '@leadwire/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import { assertFailure } from '../../support/failure.ts';
import { eventually, type Json, type Receiver, startReceiver } from '../../support/index.ts';
import { openScene, shape } from './scene.ts';

const { post, webhook: register, ours, theirs, call, database } = await openScene();
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.close());

const webhook = (fields: Json = {}) => register({ url: receiver.url, ...fields });
/** Sends a test. @returns the answer, and what the receiver got for it */
async function send(hook: Json, body?: unknown) {
  const answer = await post(`${hook.id}/test`, body);
  assert.equal(answer.status, 200, answer.text);
  const got = receiver.requests.filter(({ id }) => id === answer.json.event_id);
  return { ...answer.json, got };
}

describe('POST /api/v1/webhooks/:id/test', () => {
  test('sends a sample of the first type of the webhook, signed as any event, and tells how it went', async () => {
    receiver.respond({ status: 201, body: 'thanks' });
    const hook = await webhook({ events: ['lead.converted', 'lead.created'] });
    const { got, event_id, duration_ms, ...rest } = await send(hook);
    assert.match(event_id, /^evt_test_[0-9a-f]{32}$/);
    assert.deepEqual(rest, {
      succeeded: true,
      status: 201,
      error: null,
      detail: null,
      answer: 'thanks',
    });
    assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0);
    assert.equal(got.length, 1);
    const verified = new Webhook(hook.secret).verify(got[0].body, got[0].headers) as Json;
    assert.deepEqual([verified.id, verified.type], [event_id, 'lead.converted']);
    assert.equal(verified.account_id, ours.id);
    assert.match(JSON.stringify(verified), /sample/i);
  });

  for (const type of EVENT_TYPES) {
    test(`sends a ${type} as the contract has it, also to a webhook that does not subscribe to it`, async () => {
      receiver.respond(204);
      const { got, succeeded } = await send(await webhook({ events: ['campaign.paused'] }), {
        type,
      });
      assert.equal(succeeded, true);
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      assert.ok(ajv.validate(EVENTS[type], got[0].json), ajv.errorsText());
      assert.equal(got[0].type, type);
    });
  }

  test('tells what a failing endpoint answered, or that it did not', async () => {
    receiver.respond({ status: 404, body: 'no such path' });
    const hook = await webhook();
    const refused = await send(hook, {});
    assert.deepEqual(
      [refused.succeeded, refused.status, refused.error, refused.answer],
      [false, 404, 'status', 'no such path'],
    );
    receiver.respond('reset');
    const cut = await send(hook);
    assert.deepEqual(
      [cut.succeeded, cut.status, cut.error, cut.answer],
      [false, null, 'connection_lost', null],
    );
    receiver.respond(204);
  });

  test('reaches an inactive webhook, signs with both secrets after a rotation, and leaves no trace', async () => {
    receiver.respond(204);
    const hook = await webhook();
    const rotated = (await post(`${hook.id}/rotate-secret`)).json;
    const body = { active: false };
    await call('PATCH', `/api/v1/webhooks/${hook.id}`, { key: ours.full, body });
    const { got, succeeded } = await send(hook);
    assert.equal(succeeded, true);
    for (const secret of [hook.secret, rotated.secret]) {
      new Webhook(secret).verify(got[0].body, got[0].headers);
    }
    for (const table of ['deliveries', 'delivery_attempts', 'events']) {
      assert.deepEqual(await database.query(`SELECT FROM ${table}`), [], table);
    }
  });

  test('sends two at a time for an account, and others do not stand behind them', async () => {
    const held: (() => void)[] = [];
    const holding = await startReceiver({
      respond: () => new Promise((resolve) => held.push(() => resolve(204))),
    });
    const hook = await register({ url: holding.url });
    const foreign = await register({ url: receiver.url }, { key: theirs.full });
    const asked = Array.from({ length: 6 }, () => post(`${hook.id}/test`));
    await eventually(() => assert.equal(held.length, 2));
    const theirKey = { key: theirs.full };
    assert.equal((await post(`${foreign.id}/test`, undefined, theirKey)).json.succeeded, true);
    for (let done = 0; done < 6; done++) {
      await eventually(() => assert.ok(held.length > done));
      held[done]?.();
    }
    const answers = await Promise.all(asked);
    assert.ok(answers.every(({ json }) => json.succeeded));
    assert.equal(holding.load.maxInFlight, 2);
    await holding.close();
  });

  const bad: [name: string, body: unknown, error: RegExp][] = [
    ['no JSON', '{', /^malformed_json$/],
    ['no object', [], /./],
    ['an unknown type', { type: 'lead.deleted' }, /^type /],
    ['null for the type', { type: null }, /^type /],
    ['an unknown field', { event: 'lead.created' }, /^event is not a known field$/],
  ];
  for (const [name, body, error] of bad) {
    test(`refuses ${name} with a 400, and sends nothing`, async () => {
      const hook = await webhook();
      const before_ = receiver.requests.length;
      assertFailure(await post(`${hook.id}/test`, body), 400, error);
      assert.equal(receiver.requests.length, before_);
    });
  }

  test('of another account, a deleted, a missing and a malformed webhook answers the same 404, and sends nothing', async () => {
    const [hook, deleted] = [await webhook(), await webhook()];
    await call('DELETE', `/api/v1/webhooks/${deleted.id}`, { key: ours.full });
    const before_ = receiver.requests.length;
    const missing = await post('wh_019bc1b07d2e7f45a1c8e9b6d5041f3a/test');
    assertFailure(missing, 404, 'not_found');
    const foreign = await post(`${hook.id}/test`, undefined, { key: theirs.full });
    assert.deepEqual(shape(foreign), shape(missing));
    for (const id of [deleted.id, 'x']) {
      assert.deepEqual(shape(await post(`${id}/test`)), shape(missing), id);
    }
    assert.equal(receiver.requests.length, before_);
  });

  test('needs both scopes, since a test may show what an endpoint answers', async () => {
    const path = `${(await webhook()).id}/test`;
    const ask = (key: typeof ours.full) => post(path, undefined, { key });
    assertFailure(await ask(ours.reader), 403, 'scope_required:leads:write');
    assertFailure(await ask(ours.writer), 403, 'scope_required:leads:read');
  });
});
