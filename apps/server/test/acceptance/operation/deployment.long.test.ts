import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { call, createTestDatabase, type Json, seed, startServer } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { NGINX_MISSING, startNginx } from '../../support/nginx.ts';

const LEADS = '/api/v1/insertion/leads';
const GUIDE = new URL('../../../../../docs/guides/operations.md', import.meta.url);
const MEBIBYTE = 1024 * 1024;

const database = await createTestDatabase();
const env = { LEADWIRE_TRUST_PROXY: '1', LEADWIRE_ROLE: 'api' };
const nodes = await Promise.all([1, 2].map(() => startServer({ database, env })));
const nginx = await startNginx(nodes.map((node) => node.port));
const skip = nginx === null ? NGINX_MISSING : false;
const { ours, people } = seed();
const key = ours.full;
const url = nginx?.url ?? '';

const send = (method: string, target: string, options: Parameters<typeof call>[3] = {}) =>
  call(url, method, target, options);

after(async () => {
  await Promise.all(nodes.filter((node) => node.alive()).map((node) => node.stop()));
  await nginx?.stop();
});

describe('the alert rules of the guide', () => {
  it('name no metric that a node does not have', async () => {
    const guide = await readFile(GUIDE, 'utf8');
    const rules = /^groups:$.*?^```$/ms.exec(guide)?.[0] ?? '';
    const named = rules.match(/\bleadwire_[a-z_]+|\bprocess_[a-z_]+|\bnodejs_[a-z0-9_]+/g) ?? [];
    assert.ok(named.length > 10);
    const shown = await nodes[0]?.call('GET', '/metrics');
    const known: string[] = shown?.text.match(/(?<=^# HELP )\w+/gm) ?? [];
    const unknown = named.filter((name) => !known.includes(name.replace(/_bucket$/, '')));
    assert.deepEqual(unknown, []);
  });
});

describe('two api nodes behind the proxy of deploy/nginx', { skip }, () => {
  for (const id of ['a/b c+d%e', 'ümlaut ☃', '..', 'x?y&z=1', '%2F%252f', 'a//b/./c']) {
    it(`leaves what a signature covers as it was sent: ${id}`, async () => {
      const body = newLead({ external_lead_id: id });
      assert.equal((await send('POST', LEADS, { hmac: key, body })).status, 201);
      const encoded = encodeURIComponent(id);
      const one = await send('GET', `${LEADS}/${encoded}`, { hmac: key });
      assert.equal(one.json.lead?.external_lead_id, id, one.text);
      const query = `external_lead_id=${encoded.replaceAll('%20', '+')}&limit=5`;
      const list = await send('GET', `${LEADS}?${query}`, { hmac: key });
      assert.deepEqual(list.json.leads?.map(idOf), [id], list.text);
    });
  }

  for (const path of ['/metrics', '/metrics?a', '/%6detrics', '//metrics', '/healthz', '/readyz']) {
    it(`keeps what is for the operator inside: ${path}`, async () => {
      assertFailure(await send('GET', path), 404, 'not_found');
    });
  }

  it('refuses in JSON, by itself or by the service, whichever limit a body breaks', async () => {
    for (const bytes of [5.5 * MEBIBYTE, 7 * MEBIBYTE]) {
      const body = Buffer.alloc(bytes);
      const answer = await send('POST', `${LEADS}/batch`, { key, body });
      assertFailure(answer, 413, 'payload_too_large');
    }
    assertFailure(await send('GET', '/%zz'), 400, 'bad_request');
  });

  it('passes a batch of the full size on', async () => {
    const text = 'x'.repeat(4_900);
    const leads = Array.from({ length: 1_000 }, () => newLead({ custom_fields: { text } }));
    const answer = await send('POST', `${LEADS}/batch`, { hmac: key, body: { leads } });
    assert.equal(answer.json.counts?.inserted, 1_000, answer.text.slice(0, 300));
  });

  it('tells the service who asks, whatever the client claims', async () => {
    const body = newLead();
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.example' };
    const { json } = await send('POST', LEADS, { key, body, headers });
    const history = await send('GET', `${LEADS}/${json.lead.id}/history`, { key });
    assert.equal(history.json.history[0].address, '127.0.0.1', history.text);
  });

  it('sends the events of the dashboard on as they come', async () => {
    const answer = await fetch(`${url}/dashboard/api/accounts/${ours.id}/live`, {
      headers: { cookie: people.owner.cookie, 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(answer.headers.get('content-type'), 'text/event-stream');
    const reader = answer.body?.getReader();
    assert.ok(((await reader?.read())?.value?.length ?? 0) > 0);
    await reader?.cancel();
  });

  it('goes on with one node when the other is killed', async () => {
    await nodes[0]?.kill();
    for (let i = 0; i < 20; i++) {
      const answer = await send('POST', LEADS, { hmac: key, body: newLead() });
      assert.equal(answer.status, 201, answer.text);
    }
  });

  it('says in JSON that nothing can be reached, and when to come back', async () => {
    await nodes[1]?.kill();
    const answer = await send('GET', LEADS, { key });
    assertFailure(answer, 503, 'unavailable');
    assert.equal(answer.headers['retry-after'], '1');
  });
});

const idOf = (lead: Json): string => lead.external_lead_id;
