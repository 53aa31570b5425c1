import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { createKey, createTestDatabase, seed, sign, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { createSignedCall } from '../../support/signed-call.ts';

const LEADS = '/api/v1/insertion/leads';
const SIGNATURE_HEADERS = ['x-leadwire-public-key', 'x-leadwire-timestamp', 'x-leadwire-signature'];

const [database, elsewhere] = await Promise.all([createTestDatabase(), createTestDatabase()]);
const [server, stranger] = await Promise.all([
  startServer({ database }),
  createKey(elsewhere.env, seed().ours.id),
]);
const key = seed().ours.full;
const callSigned = createSignedCall(server, key, LEADS);
const now = () => Math.floor(Date.now() / 1000);

describe('HMAC authentication', () => {
  after(() => server.stop());

  it('signs as the contract says, worked out here by hand', async () => {
    const timestamp = String(now());
    const body = JSON.stringify(newLead());
    const text = `${timestamp}\nPOST\n${LEADS}\n\n${createHash('sha256').update(body).digest('hex')}`;
    const signature = createHmac('sha256', Buffer.from(key.secret_key, 'ascii')).update(text);
    const headers = {
      'X-Leadwire-Public-Key': key.public_key,
      'X-Leadwire-Timestamp': timestamp,
      'X-Leadwire-Signature': signature.digest('hex'),
    };
    const answer = await server.call('POST', LEADS, { body, headers });
    assert.equal(answer.status, 201, answer.text);
  });

  it('lets a signed request in on every route of the insertion API', async () => {
    const hmac = key;
    const posted = await server.call('POST', LEADS, { hmac, body: newLead() });
    assert.equal(posted.status, 201, posted.text);
    const id = posted.json.lead.id;
    const answers = await Promise.all([
      server.call('GET', LEADS, { hmac }),
      server.call('GET', `${LEADS}/${id}`, { hmac }),
      server.call('GET', `${LEADS}/${id}/history`, { hmac }),
      server.call('PATCH', `${LEADS}/${id}`, { hmac, body: { first_name: 'Ada' } }),
      server.call('POST', `${LEADS}/batch`, { hmac, body: { leads: [newLead()] } }),
    ]);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 200, 200, 200],
    );
  });

  it('covers the query exactly as sent', async () => {
    const targets = [
      `${LEADS}?limit=5`,
      `${LEADS}?limit=5&campaign_id=1`,
      `${LEADS}?external_lead_id=a+b%20c`,
      `${LEADS}?external_lead_id=%C3%A9%c3%a9`,
      `${LEADS}?external_lead_id=a?b`,
      `${LEADS}?`,
    ];
    for (const target of targets) {
      const answer = await server.call('GET', target, { hmac: key });
      assert.equal(answer.status, 200, `${target}: ${answer.text}`);
    }
  });

  it('covers the path exactly as sent, percent-encoded or not', async () => {
    const id = `a+b c/d é 🚀 ${now()}`;
    const posted = await server.call('POST', LEADS, {
      hmac: key,
      body: newLead({ external_lead_id: id }),
    });
    assert.equal(posted.status, 201, posted.text);
    const encoded = encodeURIComponent(id);
    for (const path of [encoded, encoded.replaceAll(/%../g, (code) => code.toLowerCase())]) {
      const answer = await server.call('GET', `${LEADS}/${path}`, { hmac: key });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.lead.external_lead_id, id);
    }
    const plus = encoded.replace('%2B', '+');
    assert.equal((await server.call('GET', `${LEADS}/${plus}`, { hmac: key })).status, 200);
  });

  it('covers the bytes of the body, whatever they are', async () => {
    const text = JSON.stringify(newLead({ first_name: 'Zoë 🚀', email: 'zoe@example.com' }));
    for (const body of [`  ${text}\n`, Buffer.from(text)]) {
      const answer = await server.call('POST', LEADS, { hmac: key, body });
      assert.ok(answer.status < 300, answer.text);
    }
    const chunked = await server.call('POST', LEADS, { hmac: key, body: text, chunked: true });
    assert.equal(chunked.status, 200, chunked.text);
    const invalid = await server.call('POST', LEADS, { hmac: key, body: Buffer.from([0xff, 0]) });
    assertFailure(invalid, 400, 'malformed_json');
  });

  it('counts an absent body as the empty string', async () => {
    assertFailure(await server.call('POST', LEADS, { hmac: key }), 400, 'empty_body');
    assertFailure(await server.call('POST', LEADS, { hmac: key, body: '' }), 400, 'empty_body');
  });

  it('refuses a request of which anything was changed after signing', async () => {
    const body = JSON.stringify(newLead());
    const post = { method: 'POST', body };
    const byteChanged = body.replace('+1415', '+1416');
    const id = 'x';
    const answers = [
      await callSigned(post, { body: byteChanged }),
      await callSigned(post, { body: `${body} ` }),
      await callSigned({ method: 'POST', body: '' }, { body }),
      await callSigned({ method: 'POST' }, { target: `${LEADS}/batch`, body: '' }),
      await callSigned({ target: `${LEADS}/${id}` }, { target: `${LEADS}/y` }),
      await callSigned({ target: `${LEADS}/a%2Fb` }, { target: `${LEADS}/a%2fb` }),
      await callSigned({ method: 'PATCH', target: `${LEADS}/${id}` }, { method: 'GET' }),
      await callSigned({ target: `${LEADS}?limit=5` }, { target: `${LEADS}?limit=6` }),
      await callSigned({ target: `${LEADS}?limit=5` }, { target: LEADS }),
      await callSigned({ target: LEADS }, { target: `${LEADS}?limit=5` }),
      await callSigned({ target: `${LEADS}?a=1&b=2` }, { target: `${LEADS}?b=2&a=1` }),
    ];
    for (const answer of answers) assertFailure(answer, 401, 'invalid_signature');
    const timestamp = now();
    const headers = sign(key, { ...post, target: LEADS, timestamp });
    const later = String(timestamp + 1);
    const moved = await server.call('POST', LEADS, {
      body,
      headers: { ...headers, 'x-leadwire-timestamp': later },
    });
    assertFailure(moved, 401, 'invalid_signature');
  });

  it('refuses a signature of another key, also of the same account', async () => {
    for (const other of [seed().ours.reader, seed().theirs.full]) {
      const headers = {
        ...sign(other, { method: 'GET', target: LEADS }),
        'x-leadwire-public-key': key.public_key,
      };
      assertFailure(await server.call('GET', LEADS, { headers }), 401, 'invalid_signature');
    }
  });

  it('takes the signature as lower-case hex alone', async () => {
    const headers = sign(key, { method: 'GET', target: LEADS });
    const signature = headers['x-leadwire-signature'] ?? '';
    const wrong = [
      signature.toUpperCase(),
      signature.slice(1),
      `${signature}00`,
      `sha256=${signature}`,
      Buffer.from(signature, 'hex').toString('base64'),
      '',
      'z'.repeat(64),
    ].filter((text) => text !== signature);
    for (const text of wrong) {
      const answer = await callSigned({}, { headers: { 'x-leadwire-signature': text } });
      assertFailure(answer, 401, 'invalid_signature');
    }
  });

  it('is selected by any one of its three headers, and misses the other two in their order', async () => {
    const all = sign(key, { method: 'GET', target: LEADS });
    const expected: Record<string, string> = {
      'x-leadwire-public-key': 'invalid_public_key',
      'x-leadwire-timestamp': 'invalid_signature',
      'x-leadwire-signature': 'invalid_signature',
    };
    for (const name of SIGNATURE_HEADERS) {
      const without = await server.call('GET', LEADS, { headers: { ...all, [name]: undefined } });
      assertFailure(without, 401, expected[name] ?? '');
      const alone = await server.call('GET', LEADS, { headers: { [name]: all[name] } });
      const isKey = name === 'x-leadwire-public-key';
      assertFailure(alone, 401, isKey ? 'invalid_signature' : 'invalid_public_key');
    }
  });

  it('answers invalid_public_key for a public key that is unknown, malformed or a secret', async () => {
    const { public_key } = key;
    const last = public_key.at(-1) === 'a' ? 'b' : 'a';
    const wrong = [
      stranger.public_key,
      public_key.slice(0, -1) + last,
      public_key.toUpperCase(),
      key.secret_key,
      'lwpk_',
      'nonsense',
      '',
      'x'.repeat(5000),
    ];
    for (const publicKey of wrong) {
      const answer = await callSigned({}, { headers: { 'x-leadwire-public-key': publicKey } });
      assertFailure(answer, 401, 'invalid_public_key');
    }
  });

  it('checks in the order public key, timestamp, signature, and never falls back to the Bearer key', async () => {
    const authorization = `Bearer ${key.secret_key}`;
    const wrong = { 'x-leadwire-signature': 'f'.repeat(64), authorization };
    const old = { timestamp: now() - 1000 };
    const unknown = { ...wrong, 'x-leadwire-public-key': stranger.public_key };
    assertFailure(await callSigned(old, { headers: unknown }), 401, 'invalid_public_key');
    assertFailure(await callSigned(old, { headers: wrong }), 401, 'signature_expired');
    assertFailure(await callSigned({}, { headers: wrong }), 401, 'invalid_signature');
    const headers = { authorization: 'Bearer nonsense' };
    assert.equal((await callSigned({}, { headers })).status, 200, 'a good signature decides too');
  });

  it('does not believe a header that is sent twice', async () => {
    const headers = sign(key, { method: 'GET', target: LEADS });
    const signature = headers['x-leadwire-signature'] ?? '';
    const twice = { ...headers, 'x-leadwire-signature': [signature, 'f'.repeat(64)] };
    const answer = await server.call('GET', LEADS, { headers: twice });
    assertFailure(answer, 401, 'invalid_signature');
  });

  it('has nothing to do with the legacy list', async () => {
    const target = '/api/v1/leads';
    assertFailure(await server.call('GET', target, { hmac: key }), 401, 'missing_auth');
    const both = await server.call('GET', target, {
      key,
      headers: { 'x-leadwire-signature': 'wrong' },
    });
    assert.equal(both.status, 200, both.text);
  });

  it('gates by scope as Bearer does', async () => {
    const { reader, writer } = seed().ours;
    const post = await server.call('POST', LEADS, { hmac: reader, body: newLead() });
    assertFailure(post, 403, 'scope_required:leads:write');
    const list = await server.call('GET', LEADS, { hmac: writer });
    assertFailure(list, 403, 'scope_required:leads:read');
  });
});
