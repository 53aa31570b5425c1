import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFails, freshId, leadBody, openScene } from './scene.ts';

const { post, get, patch, insert, history, call, ours } = await openScene();

describe('a lead is found', () => {
  test('by its UUID, with an ETag', async () => {
    const lead = await insert();
    const answer = await get(lead.id);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, { ok: true, lead });
    assert.match(String(answer.headers.etag), /^"[^"]+"$/);
  });

  test('by its UUID in capitals', async () => {
    const lead = await insert();
    assert.deepEqual((await get(lead.id.toUpperCase())).json.lead, lead);
  });

  const strange: [string, string][] = [
    ['slashes', `a/b//c/${freshId()}/`],
    ['spaces', ` a b ${freshId()} `],
    ['emoji', `🐘${freshId()}👩‍👩‍👧`],
    ['right-to-left text', `שלום-${freshId()}-مرحبا`],
    ['percent signs', `100%25%2F${freshId()}`],
    ['question marks, hashes and ampersands', `a?b#c&d=e;${freshId()}`],
    ['plus signs and quotes', `a+b"c'd\\e<${freshId()}>`],
    ['only dots', '..'],
    ['the word history', 'history'],
    ['the word batch', 'batch'],
    ['a number', '12345'],
    ['255 characters', 'x'.repeat(255)],
    ['255 emoji', '🐘'.repeat(255)],
    ['255 slashes', '/'.repeat(255)],
    ['__proto__', '__proto__'],
  ];
  for (const [what, external_lead_id] of strange) {
    test(`by an external id with ${what}; it is patched and its history is read by it too`, async () => {
      const lead = await insert({ external_lead_id });
      assert.equal(lead.external_lead_id, external_lead_id);
      const found = await get(external_lead_id);
      assert.equal(found.status, 200, found.text);
      assert.deepEqual(found.json.lead, lead);
      const edited = await patch(external_lead_id, { source: 's' });
      assert.equal(edited.status, 200, edited.text);
      assert.equal(edited.json.lead.id, lead.id);
      assert.equal((await history(external_lead_id)).json.history.length, 2);
    });
  }

  test('by a signed request with an encoded external id', async () => {
    const lead = await insert({ external_lead_id: `ü/ö ${freshId()}` });
    const found = await get(lead.external_lead_id, { key: undefined, hmac: ours.reader });
    assert.equal(found.status, 200, found.text);
    assert.equal(found.json.lead.id, lead.id);
  });

  test('by UUID first: an external id that looks like the UUID of another lead does not hide it', async () => {
    const victim = await insert();
    const pretender = await insert({ external_lead_id: victim.id });
    assert.equal((await get(victim.id)).json.lead.id, victim.id);
    assert.equal((await patch(victim.id, { source: 'x' })).json.lead.id, victim.id);
    assert.equal((await get(pretender.id)).json.lead.id, pretender.id);
  });

  test('by a UUID-shaped external id that is no lead’s UUID', async () => {
    const external_lead_id = '0198c0de-0000-7000-8000-00000000abcd';
    const lead = await insert({ external_lead_id });
    assert.deepEqual((await get(external_lead_id)).json.lead, lead);
  });

  test('the newest of several leads with one external id in different campaigns', async () => {
    const body = leadBody({ campaign_id: 2 });
    await post(body);
    const newest = (await post({ ...body, campaign_id: 3 })).json.lead;
    assert.equal((await get(body.external_lead_id)).json.lead.id, newest.id);
    // A later write of the older one does not make it the newest.
    await post({ ...body, campaign_id: 2, source: 'changed' });
    assert.equal((await get(body.external_lead_id)).json.lead.id, newest.id);
    assert.equal((await patch(body.external_lead_id, { source: 'p' })).json.lead.id, newest.id);
    const later = (await post({ ...body, campaign_id: 1 })).json.lead;
    assert.equal((await get(body.external_lead_id)).json.lead.id, later.id);
  });
});

describe('a lead is not found', () => {
  const missing = ['0198c0de-0000-7000-8000-00000000dead', 'nothing', 'a/b', 'x'.repeat(256)];
  missing.push('🐘'.repeat(256), '\u0000', 'a\nb', 'x'.repeat(2000), "' OR 1=1 --", '%');
  for (const id of missing) {
    test(`${JSON.stringify(id.slice(0, 40))}: 404 not_found for GET, PATCH and history`, async () => {
      assertFails(await get(id), 404, 'not_found');
      assertFails(await patch(id, { source: 'x' }), 404, 'not_found');
      assertFails(await history(id), 404, 'not_found');
    });
  }

  test('a path that is no valid UTF-8 or badly percent-encoded is refused, never a 500', async () => {
    for (const id of ['%ff', '%C3%28', '%zz', '%', '%ED%A0%80']) {
      const answer = await call('GET', `/api/v1/insertion/leads/${id}`, { key: ours.full });
      assert.ok([400, 404].includes(answer.status), `${id}: ${answer.status} ${answer.text}`);
      assert.equal(answer.json.ok, false);
    }
  });
});

describe('the ETag', () => {
  const etagOf = async (id: string) => (await get(id)).headers.etag;

  test('changes with every write and with nothing else', async () => {
    const body = leadBody();
    const { id } = (await post(body)).json.lead;
    const first = await etagOf(id);
    await post(body);
    await patch(id, { phone: body.phone });
    assert.equal(await etagOf(id), first);
    await post({ ...body, source: 'a' });
    const second = await etagOf(id);
    assert.notEqual(second, first);
    await patch(id, { source: null });
    const third = await etagOf(id);
    assert.notEqual(third, second);
    // The lead is as it was, but it is not the same version of it.
    assert.notEqual(third, first);
  });
});
