import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { signature, signatureHeaders } from './index.ts';

const VECTORS = new URL(
  '../../../../../../packages/contract/vectors/webhooks.json',
  import.meta.url,
);

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

describe('the signature of a delivery', () => {
  test('is that of the Standard Webhooks vector', () => {
    const signed = signature({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1_614_265_330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    assert.equal(signed, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test('is the one that the vectors for partners have', async () => {
    const { vectors } = JSON.parse(await readFile(VECTORS, 'utf8'));
    let compared = 0;
    for (const { name, valid, secret, headers, payload } of vectors) {
      if (!valid || !secret.startsWith('whsec_')) continue;
      const signed = signature({
        id: headers['webhook-id'],
        timestampSeconds: Number(headers['webhook-timestamp']),
        body: payload,
        secrets: [secret],
      });
      assert.ok(headers['webhook-signature'].split(' ').includes(signed), name);
      compared += 1;
    }
    assert.ok(compared >= 8);
  });

  const bodies = ['{}', '{"a":"ü € 😀"}', JSON.stringify({ long: 'x'.repeat(100_000) })];
  for (const [name, Receiver] of Object.entries({ standardwebhooks: Webhook, svix: SvixWebhook })) {
    test(`is accepted by ${name}, for each of two secrets, and for nothing else`, () => {
      const [fresh, previous] = [newSecret(), newSecret()];
      for (const body of bodies) {
        const signed = { id: 'evt_1', body, secrets: [fresh, previous] };
        const headers = signatureHeaders(signed, Date.now());
        for (const secret of [fresh, previous]) {
          assert.doesNotThrow(() => new Receiver(secret).verify(body, headers));
        }
        assert.throws(() => new Receiver(newSecret()).verify(body, headers));
        assert.throws(() => new Receiver(fresh).verify(`${body} `, headers));
        const other = { ...headers, 'webhook-id': 'evt_2' };
        assert.throws(() => new Receiver(fresh).verify(body, other));
      }
    });
  }

  test('is one for each secret, the newest first, with spaces between them', () => {
    const signed = { id: 'evt_1', timestampSeconds: 1, body: '{}' };
    const secrets = [newSecret(), newSecret()];
    const each = secrets.map((secret) => signature({ ...signed, secrets: [secret] }));
    assert.equal(signature({ ...signed, secrets }), each.join(' '));
    for (const one of each) assert.match(one, /^v1,[A-Za-z0-9+/]{43}=$/);
  });

  test('does not come from a secret that is none, and does not tell it', () => {
    for (const secrets of [
      [],
      [''],
      ['whsec_'],
      ['c2VjcmV0'],
      ['whsec_%%%'],
      [newSecret(), 'no'],
    ]) {
      const sign = () => signature({ id: 'e', timestampSeconds: 1, body: '', secrets });
      assert.throws(sign, (error: Error) => !/c2VjcmV0|%%%/.test(error.message));
    }
  });
});
