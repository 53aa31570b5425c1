import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  createTestDatabase,
  eventually,
  type Json,
  seed,
  sign,
  startServer,
} from '../../support/index.ts';

const LEADS = '/api/v1/insertion/leads';

const database = await createTestDatabase();
// The first start prints a key for a person; from the second on all of it is for machines.
await (await startServer({ database })).stop();
const server = await startServer({ database });
const key = seed().ours.full;

const PERSONAL = {
  phone: '+998877665544',
  email: 'quagmire.zyx@plugh.example',
  first_name: 'Quagmirella',
  last_name: 'Zyxomma',
  source: 'Plughsource',
  source_form_url: 'https://forms.example/xyzzy?visitor=Frobnitz',
  tcpa_consent_text: 'I, Quuxley Grault, agree',
  custom_fields: { ssn: '078-05-1120', Waldofield: ['Thudvalue'] },
  address: { street: '5 Garply Lane', city: 'Corgeville', state: 'Fredland', zip: '90990-77' },
};
const TELLTALE =
  /998877665544|quagmire|plugh|zyxomma|frobnitz|xyzzy|quuxley|grault|078-05|waldo|thud|garply|corgeville|fredland|90990/i;

describe('the log', () => {
  after(() => server.stop());

  it('is JSON, line by line', async () => {
    await server.call('GET', '/healthz');
    await eventually(() => assert.match(server.logs(), /healthz/));
    const lines = server.logs().split('\n').filter(Boolean);
    for (const line of lines) {
      const { level, time, msg } = JSON.parse(line);
      assert.match(level, /^(trace|debug|info|warn|error|fatal)$/);
      assert.ok(!Number.isNaN(Date.parse(time)));
      assert.ok(msg);
    }
  });

  it('has one line a request: id, method, route, status, time and key, and the Idempotency-Key', async () => {
    const headers = { 'x-request-id': 'log-test', 'idempotency-key': 'order-66' };
    const target = `${LEADS}/some-external-id?`;
    await server.call('GET', target, { key, headers });
    const own = () => server.logLines().filter((line: Json) => line.request_id === 'log-test');
    await eventually(() => assert.equal(own().length, 1));
    const [line] = own();
    assert.equal(line.method, 'GET');
    assert.equal(line.route, `${LEADS}/:id`);
    assert.equal(line.status, 404);
    assert.equal(typeof line.duration_ms, 'number');
    assert.equal(line.key, key.public_key);
    assert.equal(line.idempotency_key, 'order-66');
    await server.call('GET', '/nope', { headers: { 'x-request-id': 'log-nope' } });
    await eventually(() =>
      assert.equal(
        server.logLines().filter((line: Json) => line.request_id === 'log-nope').length,
        1,
      ),
    );
    assert.equal(own().length, 1);
  });

  it('holds no phone, e-mail address, name, address or secret of anyone, whatever goes wrong', async () => {
    const external_lead_id = 'Plugh/Zyxomma@quagmire';
    const lead = { campaign_id: 1, external_lead_id, ...PERSONAL };
    const path = `${LEADS}/${encodeURIComponent(external_lead_id)}`;
    const text = JSON.stringify(lead);
    const post = (body: unknown, headers = {}) =>
      server.call('POST', LEADS, { key, body, headers });
    assert.equal((await post(lead)).status, 201);
    assert.equal((await post(lead)).status, 200);
    await post({ ...lead, first_name: 'Quagmirella II' });
    await post(text.slice(0, -1));
    await post(`${text}}`);
    await post({ ...lead, phone: 'Quagmirella', email: 'Zyxomma', 'Waldofield\u0000': 1 });
    await post({ ...lead, first_name: 'Quagmirella\u0000' });
    await post({ ...lead, campaign_id: 999 });
    await post(Buffer.concat([Buffer.from(text), Buffer.alloc(300_000, 'Thudvalue')]));
    await post(lead, { 'content-type': 'Thudvalue', 'content-encoding': 'Grault' });
    await post(lead, { 'x-request-id': 'quagmire.zyx@plugh.example', referer: 'https://xyzzy/' });
    await post(lead, { 'user-agent': 'Frobnitz', cookie: 'name=Quuxley' });
    await server.call('POST', `${LEADS}/batch`, {
      key,
      body: { leads: [lead, { ...lead, x: 1 }] },
    });
    await server.call('GET', path, { key });
    await server.call('GET', `${path}/history`, { key });
    await server.call('PATCH', path, { key, body: { email: PERSONAL.email, phone: 'Thudvalue' } });
    await server.call('GET', `${LEADS}?external_lead_id=Zyxomma&Quagmirella=1`, { key });
    await server.call('GET', `/Quagmirella/${PERSONAL.phone}?email=${PERSONAL.email}`, { key });
    await server.call('GET', `${LEADS}/%zzQuagmirella`, { key });
    const signed = sign(key, { method: 'POST', target: LEADS, body: text });
    await server.call('POST', LEADS, { headers: signed, body: `${text} ` });
    await server.call('GET', LEADS, { headers: { authorization: 'Bearer Quagmirella' } });
    const last = { 'x-request-id': 'the-last-one' };
    await server.call('GET', '/healthz', { headers: last });
    await eventually(() => assert.match(server.logs(), /the-last-one/));
    assert.equal(TELLTALE.exec(server.logs()), null);
    assert.ok(!server.logs().includes(key.secret_key.slice(5, 30)));
    assert.ok(!server.logs().includes(signed['x-leadwire-signature'] ?? ''));
    assert.ok(!server.logs().includes(database.env.LEADWIRE_ENCRYPTION_KEY));
    assert.ok(!server.logs().includes(new URL(database.url).password));
  });
});
