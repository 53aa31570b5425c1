import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { eventually, type Json, type Received } from '../../support/index.ts';
import { startScene, WEBHOOKS } from './scene.ts';

const scene = await startScene();

/** What a receiver's library makes of a request; it throws where the signature is none of this secret. */
const verified = (secret: string, { headers, body }: Received): Json => {
  const sent = headers as Record<string, string>;
  new SvixWebhook(secret).verify(body, sent);
  return new StandardWebhook(secret).verify(body, sent);
};

after(() => scene.close());

describe('the signature of a delivery', () => {
  it('is accepted by the libraries standardwebhooks and svix as they are', async () => {
    const receiver = await scene.receiver();
    const hook = await scene.webhook(receiver.url);
    const lead = await scene.lead({ first_name: 'Zoë 🦊 "quoted" \u2028' });
    const [request] = await receiver.waitFor(1);
    assert.ok(request);
    assert.equal(verified(hook.secret, request).data.lead.id, lead.id);
    assert.match(request.signature, /^v1,[A-Za-z0-9+/]{43}=$/);
    assert.equal(request.method, 'POST');
    assert.match(String(request.headers['content-type']), /^application\/json\b/);
    assert.equal(request.json.id, request.id);
  });

  it('covers body, id and timestamp: changed ones are refused', async () => {
    const receiver = await scene.receiver();
    const hook = await scene.webhook(receiver.url);
    await scene.lead();
    const [request] = await receiver.waitFor(1);
    assert.ok(request);
    const { headers, body, timestamp } = request;
    const later = String(Number(timestamp) + 1);
    for (const changed of [
      { ...request, body: `${body} ` },
      { ...request, headers: { ...headers, 'webhook-id': 'evt_other' } },
      { ...request, headers: { ...headers, 'webhook-timestamp': later } },
    ]) {
      assert.throws(() => verified(hook.secret, changed));
    }
  });

  it('has the same id on every retry, and timestamp and signature anew', async () => {
    const receiver = await scene.receiver({ respond: [500, 503, 204] });
    const hook = await scene.webhook(receiver.url);
    await scene.lead();
    for (const tries of [1, 2]) {
      const last = (await receiver.waitFor(tries)).at(-1) as Received;
      await scene.attempted(hook, tries);
      // The timestamp counts whole seconds: the next is to be another one.
      await eventually(() => assert.ok(Date.now() / 1000 >= Number(last.timestamp) + 1));
      await scene.makeDue(hook);
    }
    const requests = await receiver.waitFor(3);
    assert.equal(new Set(requests.map(({ id }) => id)).size, 1);
    assert.equal(new Set(requests.map(({ body }) => body)).size, 1);
    assert.equal(new Set(requests.map(({ timestamp }) => timestamp)).size, 3);
    assert.equal(new Set(requests.map(({ signature }) => signature)).size, 3);
    for (const request of requests) {
      verified(hook.secret, request);
      assert.ok(Math.abs(request.at / 1000 - Number(request.timestamp)) < 10);
    }
  });

  it('is made with both secrets for 24 h after a rotation, and then with the new one alone', async () => {
    const receiver = await scene.receiver();
    const hook = await scene.webhook(receiver.url);
    const rotated = await scene.expect(200, 'POST', `${WEBHOOKS}/${hook.id}/rotate-secret`);
    assert.notEqual(rotated.secret, hook.secret);
    await scene.lead();
    const [both] = await receiver.waitFor(1);
    assert.ok(both);
    assert.equal(both.signature.split(' ').length, 2);
    for (const secret of [hook.secret, rotated.secret]) verified(secret, both);

    const [{ until }] = (await scene.database.query(
      'SELECT previous_secret_until AS until FROM webhooks WHERE id = $1',
      [hook.uuid],
    )) as [{ until: Date }];
    const hours = (until.getTime() - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24, `${hours}`);
    await scene.database.query(
      `UPDATE webhooks SET previous_secret_until = now() - interval '1 second' WHERE id = $1`,
      [hook.uuid],
    );
    await scene.lead();
    const one = (await receiver.waitFor(2))[1] as Received;
    assert.equal(one.signature.split(' ').length, 1);
    verified(rotated.secret, one);
    assert.throws(() => verified(hook.secret, one));
  });
});
