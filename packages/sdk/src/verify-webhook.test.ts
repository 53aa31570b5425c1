import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  LeadwireError,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from './index.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW = 1_767_225_600;
const BODY = '{"id":"evt_1","type":"lead.created","data":{"lead":{"first_name":"Zoë 🦊"}}}';
const options = { nowMs: NOW * 1000 };

function signed(body: string | Uint8Array, secret = SECRET) {
  const key = Buffer.from(secret.slice(6), 'base64');
  const hmac = createHmac('sha256', key).update(`evt_1.${NOW}.`).update(body);
  const signature = hmac.digest('base64');
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(NOW),
    'webhook-signature': `v1,${signature}`,
  };
}

describe('verifyWebhook', () => {
  const headers = signed(BODY);
  const shouted = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
  const listed = Object.entries(headers).map(([name, value]) => [name, [value]]);
  for (const [name, given] of [
    ['plain', headers],
    ['in capitals', Object.fromEntries(shouted)],
    ['as lists', Object.fromEntries(listed)],
    ['of fetch', new Headers(headers)],
    ['of Node, with others', { host: 'x', 'set-cookie': ['a', 'b'], ...headers }],
  ] as const) {
    test(`takes headers ${name}`, async () => {
      assert.deepEqual(await verifyWebhook(BODY, given, SECRET, options), JSON.parse(BODY));
    });
  }

  test('keeps a key that is written with an escape, whatever was parsed before it', async () => {
    JSON.parse('{"verified":1,"\\\\":2}');
    const body = '{"data":{"verified":1,"\\"":2}}';
    const { data } = await verifyWebhook(body, signed(body), SECRET, options);
    assert.deepEqual(Object.keys(data), ['verified', '"']);
  });

  test('takes text, bytes, a part of a buffer, and an ArrayBuffer', async () => {
    const bytes = Buffer.from(`..${BODY}..`).subarray(2, -2);
    const { buffer } = new Uint8Array(Buffer.from(BODY));
    for (const payload of [BODY, bytes, new Uint8Array(bytes), buffer]) {
      assert.deepEqual(await verifyWebhook(payload, headers, SECRET, options), JSON.parse(BODY));
    }
  });

  test('takes any of several secrets', async () => {
    for (const secrets of [[SECRET, OTHER], [OTHER, SECRET], [SECRET]]) {
      await verifyWebhook(BODY, headers, secrets, options);
    }
    for (const [secrets, code] of [
      [[OTHER], 'invalid_signature'],
      [[], 'invalid_secret'],
      [[SECRET, ''], 'invalid_secret'],
    ] as const) {
      await assert.rejects(verifyWebhook(BODY, headers, secrets, options), { code });
    }
  });

  test('takes no secret that everybody knows: none, and what is base64 once it is text', async () => {
    for (const secret of [
      null,
      undefined,
      true,
      'null',
      'true',
      'whsec_',
      'whsec_c2hvcnQ=',
      1234,
    ]) {
      const forged = signed(BODY, `whsec_${secret}`);
      for (const given of [secret, [secret], [SECRET, secret]] as unknown as string[]) {
        const refused = verifyWebhook(BODY, forged, given, options);
        await assert.rejects(refused, { code: 'invalid_secret' }, String(secret));
      }
    }
  });

  test('hashes the body once a secret, however many signatures are sent', async (t) => {
    const sign = t.mock.method(crypto.subtle, 'sign');
    const verify = t.mock.method(crypto.subtle, 'verify');
    const many = [...Array(999).fill('v1,AAAA'), headers['webhook-signature']].join(' ');
    await verifyWebhook(BODY, { ...headers, 'webhook-signature': many }, [OTHER, SECRET], options);
    assert.equal(sign.mock.callCount() + verify.mock.callCount(), 2);
  });

  test('refuses a signature that is cut short, or has more behind it', async () => {
    const right = Buffer.from(headers['webhook-signature'].slice(3), 'base64');
    for (const bytes of [right.subarray(0, 31), Buffer.concat([right, Buffer.alloc(1)])]) {
      const forged = { ...headers, 'webhook-signature': `v1,${bytes.toString('base64')}` };
      const refused = verifyWebhook(BODY, forged, SECRET, options);
      await assert.rejects(refused, { code: 'invalid_signature' });
    }
  });

  test('refuses options with which every time would be in time', async () => {
    for (const wrong of [
      ...[{ toleranceSeconds: Number.NaN }, { toleranceSeconds: -1 }, { nowMs: Number.NaN }],
      ...([{ toleranceSeconds: '5m' }, { nowMs: null }] as unknown as VerifyOptions[]),
    ]) {
      const refused = verifyWebhook(BODY, headers, SECRET, wrong);
      await assert.rejects(refused, { name: 'LeadwireError', code: 'invalid_option' });
    }
  });

  test('refuses a body that was parsed already, and says so', async () => {
    const parsed = JSON.parse(BODY) as unknown as string;
    await assert.rejects(verifyWebhook(parsed, headers, SECRET, options), (error) => {
      assert.ok(error instanceof WebhookVerificationError && error instanceof LeadwireError);
      assert.equal(error.name, 'WebhookVerificationError');
      assert.equal(error.code, 'malformed_payload');
      assert.match(error.message, /raw body/);
      return true;
    });
  });

  test('refuses signed JSON that is no object, and bytes that are no UTF-8', async () => {
    for (const body of ['null', '7', '"x"', '[]', '', Buffer.from('{"a":"\xff"}', 'latin1')]) {
      const refused = verifyWebhook(body, signed(body), SECRET, options);
      await assert.rejects(refused, { code: 'malformed_payload' });
    }
  });

  test('takes the tolerance that is given, and the time of the machine by default', async () => {
    const late = { nowMs: (NOW + 400) * 1000 };
    await assert.rejects(verifyWebhook(BODY, headers, SECRET, late), { code: 'timestamp_too_old' });
    await verifyWebhook(BODY, headers, SECRET, { ...late, toleranceSeconds: 400 });
    await assert.rejects(verifyWebhook(BODY, headers, SECRET), WebhookVerificationError);
  });
});
