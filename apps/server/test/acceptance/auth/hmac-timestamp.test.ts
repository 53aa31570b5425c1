import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import {
  createTestDatabase,
  eventually,
  seed,
  sign,
  startServer,
  stringToSign,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { createSignedCall } from '../../support/signed-call.ts';

const LEADS = '/api/v1/insertion/leads';

const database = await createTestDatabase();
const server = await startServer({ database });
const key = seed().ours.full;
const callSigned = createSignedCall(server, key, LEADS);
const now = () => Math.floor(Date.now() / 1000);

describe('the timestamp of an HMAC request', () => {
  after(() => server.stop());

  /** The clock may turn between signing and checking; only an exchange within one second counts. */
  const withinOneSecond = (skew: number) =>
    eventually(async () => {
      const second = now();
      const answer = await callSigned({ timestamp: second + skew });
      assert.equal(now(), second, 'the second turned');
      return answer;
    });

  it('holds a signature valid within 300 seconds, before and after', async () => {
    for (const skew of [-300, -299, 0, 299, 300]) {
      const answer = await withinOneSecond(skew);
      assert.equal(answer.status, 200, `${skew}: ${answer.text}`);
    }
  });

  it('answers signature_expired outside of 300 seconds, with the time, the skew and the string to sign', async () => {
    for (const skew of [-301, 301, -86_400, 86_400]) {
      const answer = await withinOneSecond(skew);
      const { details } = assertFailure(answer, 401, 'signature_expired');
      assert.equal(details.skew_seconds, skew);
      assert.ok(Math.abs(details.server_time - now()) <= 2);
      const timestamp = details.server_time + skew;
      const expected = stringToSign({ method: 'GET', target: LEADS, timestamp });
      assert.equal(details.string_to_sign, expected);
    }
    const zero = await callSigned({ timestamp: 0 });
    assertFailure(zero, 401, 'signature_expired');
    const milliseconds = await callSigned({ timestamp: Date.now() });
    assertFailure(milliseconds, 401, 'signature_expired');
  });

  it('answers invalid_signature with the time, the skew and the string that the server signed', async () => {
    const body = JSON.stringify(newLead());
    const timestamp = now() - 100;
    const target = `${LEADS}?x=%20`;
    const answer = await callSigned({ method: 'POST', target, body: '', timestamp }, { body });
    const { details } = assertFailure(answer, 401, 'invalid_signature');
    assert.equal(details.string_to_sign, stringToSign({ method: 'POST', target, body, timestamp }));
    assert.ok(Math.abs(details.skew_seconds + 100) <= 2);
    assert.ok(Math.abs(details.server_time - now()) <= 2);
    const signature = createHmac('sha256', key.secret_key).update(details.string_to_sign);
    const again = await server.call('POST', target, {
      body,
      headers: {
        ...sign(key, { method: 'POST', target, body, timestamp }),
        'x-leadwire-signature': signature.digest('hex'),
      },
    });
    assert.notEqual(again.status, 401, 'the string it names is the one it accepts');
  });

  it('answers invalid_signature where the timestamp is no number', async () => {
    for (const timestamp of ['', 'now', '1e9', '0x10', `${now()}.5`, '-5', '+5', '١٢٣', 'NaN']) {
      const headers = {
        'x-leadwire-public-key': key.public_key,
        'x-leadwire-timestamp': Buffer.from(timestamp).toString('latin1'),
        'x-leadwire-signature': sign(key, { method: 'GET', target: LEADS, timestamp })[
          'x-leadwire-signature'
        ],
      };
      const answer = await server.call('GET', LEADS, { headers });
      const { details } = assertFailure(answer, 401, 'invalid_signature');
      assert.equal(details.skew_seconds, null);
      assert.ok(Math.abs(details.server_time - now()) <= 2);
    }
  });
});
