import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Json, openDashboard } from '../../support/index.ts';

const PUBLIC_URL = 'https://leads.example';
const { server, ours, as } = await openDashboard({ env: { LEADWIRE_PUBLIC_URL: PUBLIC_URL } });
const admin = as('admin');
const base = `/accounts/${ours.id}`;
const { keys } = (await admin.call('GET', `${base}/keys`)).json;
const key = keys.find(({ scopes }: Json) => scopes.includes('leads:write'));

async function made(body: Json = {}): Promise<Json> {
  const whole = { name: 'Summer', campaign_id: 1, key_id: key.id, ...body };
  const answer = await admin.call('POST', `${base}/forms`, { body: whole });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
const embedding = async (form: Json): Promise<{ plain: string; script: string }> =>
  (await admin.call('GET', `${base}/forms/${form.id}/embedding`)).json;

/** The start tags of an element, without what the text around them says. */
const tags = (html: string, name: string): string[] =>
  html.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? [];
const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

describe('the HTML of a form', () => {
  it('sends to the public address of the form, without a script', async () => {
    const form = await made();
    const { plain, script } = await embedding(form);
    const [tag = ''] = tags(plain, 'form');
    assert.equal(attribute(tag, 'action'), `${PUBLIC_URL}/forms/${form.id}`);
    assert.equal(attribute(tag, 'method'), 'post');
    assert.deepEqual(tags(plain, 'script'), []);
    assert.equal(tags(plain, 'button').length, 1);
    assert.equal(script, `<script src="${PUBLIC_URL}/forms/embed.js" defer></script>`);
  });

  it('has a labelled input for each field that browsers know how to fill in', async () => {
    const fields = [
      ['first_name', 'given-name', 'text'],
      ['last_name', 'family-name', 'text'],
      ['email', 'email', 'email'],
      ['phone', 'tel', 'tel'],
      ['address.zip', 'postal-code', 'text'],
      ['custom_fields.size', undefined, 'text'],
    ] as const;
    const form = await made({
      fields: fields.map(([to], index) => ({
        name: `in${index}`,
        label: to,
        to,
        required: index < 2,
      })),
    });
    const { plain } = await embedding(form);
    const inputs = tags(plain, 'input');
    for (const [index, [to, autocomplete, type]] of fields.entries()) {
      const input = inputs.find((one) => attribute(one, 'name') === `in${index}`) ?? '';
      assert.equal(attribute(input, 'autocomplete'), autocomplete);
      assert.equal(attribute(input, 'type'), type);
      assert.equal(/\srequired\b/.test(input), index < 2);
      assert.ok(plain.includes(`<label for="${attribute(input, 'id')}">${to}</label>`));
    }
    const ids = [...plain.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('hides from people and their tools what bots fall for', async () => {
    const { plain } = await embedding(await made());
    const [box = ''] = tags(plain, 'div');
    assert.match(box, /aria-hidden="true"/);
    assert.match(box, /left:-\d+px/);
    const trap = tags(plain, 'input').find((one) => attribute(one, 'name') === '_website') ?? '';
    assert.deepEqual([attribute(trap, 'tabindex'), attribute(trap, 'autocomplete')], ['-1', 'off']);
    assert.doesNotMatch(trap, /required/);
  });

  it('shows the text of the consent with its version, and asks for it only where there is one', async () => {
    const form = await made({ consent: { text: 'Call me.\nSoon.', required: true } });
    const body = { consent: { text: 'Call me later.', required: false } };
    assert.doesNotMatch((await embedding(await made())).plain, /_consent/);
    const { plain } = await embedding(form);
    assert.match(plain, />Call me\.<br>Soon\.<\/label>/);
    assert.match(plain, /name="_consent_version" value="1"/);
    assert.match(plain, /name="_consent" type="checkbox" value="yes" required/);
    await admin.call('PATCH', `${base}/forms/${form.id}`, { body });
    const changed = (await embedding(form)).plain;
    assert.match(changed, />Call me later\.<\/label>/);
    assert.match(changed, /name="_consent_version" value="2"/);
    assert.doesNotMatch(changed, /value="yes" required/);
  });

  it('shows whatever an account wrote as text', async () => {
    const evil = `"><script>alert(1)</script>&amp;'`;
    const shown = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&#39;';
    const form = await made({
      fields: [{ name: evil, label: evil, to: 'email', required: false }],
      consent: { text: evil, required: false },
    });
    const { plain } = await embedding(form);
    assert.deepEqual(tags(plain, 'script'), []);
    assert.equal(plain.split(shown).length - 1, 3);
    assert.ok(!plain.includes('alert(1)</script>'));
  });
});

describe('the script of forms', () => {
  it('has at most 5 KiB, may be loaded by every page, and is asked for again without being sent again', async () => {
    const answer = await server.call('GET', '/forms/embed.js');
    assert.equal(answer.status, 200);
    assert.ok(
      Buffer.byteLength(answer.text) <= 5 * 1024,
      `${Buffer.byteLength(answer.text)} bytes`,
    );
    const { headers } = answer;
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'public, max-age=300');
    const etag = String(headers.etag);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await server.call('GET', '/forms/embed.js', {
        headers: { 'if-none-match': known },
      });
      assert.deepEqual([again.status, again.text], [304, '']);
    }
    const other = await server.call('GET', '/forms/embed.js', {
      headers: { 'if-none-match': '"x"' },
    });
    assert.equal(other.status, 200);
  });

  it('is told where the form leads, by a form that leads somewhere', async () => {
    const redirect_url = 'https://shop.example/thanks';
    const forms = [await made({ redirect_url }), await made()];
    const said = forms.map(async ({ id }) => {
      const body = { first_name: 'Ada', email: 'ada@example.com' };
      return (await server.call('POST', `/forms/${id}`, { body })).json.redirect_url;
    });
    assert.deepEqual(await Promise.all(said), [redirect_url, undefined]);
  });

  it('makes no markup and no code of texts, so that it runs under a strict policy', async () => {
    const { text } = await server.call('GET', '/forms/embed.js');
    assert.doesNotMatch(
      text,
      /innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|\.style\b/,
    );
  });
});
