import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertNothingInternal } from '../../support/failure.ts';
import { eventually, type Json } from '../../support/index.ts';
import { CONSENT_TEXT, openFormScene, URL_ENCODED } from './scene.ts';

const scene = await openFormScene();
const { server, database, admin, ok, post, lead, consents, change, ours } = scene;

const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'user-agent': 'Mozilla/5.0 (a "browser")',
};
type Answer = Awaited<ReturnType<typeof post>>;

/** Sends inputs as a browser does, without JavaScript. */
const submit = (form: Json, inputs: Json, headers: Json = {}) =>
  post(form, inputs, { ...BROWSER, referer: 'https://shop.example/page#part', ...headers });

const ada = (inputs: Json = {}) => ({
  ...{ first_name: 'Ada', email: 'ada@example.com', ...inputs },
});
const agreed = (version = 1) => ({ _consent: 'yes', _consent_version: String(version) });
const asking = (required: boolean, text = CONSENT_TEXT) => ({ consent: { text, required } });

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#13;', '\r')
    .replaceAll('&amp;', '&');

/** What the form on a page of ours would send, as it stands there. */
function inputsOn({ text }: Answer): Json {
  const attribute = (tag: string, name: string) =>
    unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
  const tags = [...text.matchAll(/<input [^>]*>/g)].map(([tag]) => tag);
  const sent = tags.filter((tag) => !/type="checkbox"/.test(tag) || / checked/.test(tag));
  const areas = [...text.matchAll(/(<textarea [^>]*>)\n([^<]*)/g)];
  return Object.fromEntries([
    ...sent.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')]),
    ...areas.map(([, tag = '', value = '']) => [attribute(tag, 'name'), unescaped(value)]),
  ]);
}

/** Asserts that it is a page of ours, which loads nothing, runs nothing and is kept by nobody. */
function assertPage(answer: Answer, status: number) {
  assert.equal(answer.status, status, answer.text);
  const { headers, text } = answer;
  assert.match(String(headers['content-type']), /^text\/html; charset=utf-8$/);
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]+';/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /script-src|unsafe/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['referrer-policy'], 'same-origin');
  assert.equal(headers['x-robots-tag'], 'noindex');
  assert.match(text, /^<!doctype html>\n<html lang="en">/);
  assert.doesNotMatch(text, /<script|<img|<link|<iframe| style=| on\w+=/i);
  assertNothingInternal(text.replace(/<style>[\s\S]*<\/style>/, ''));
}

describe('a person who sends a form', () => {
  it('goes to the page that the form names, or is thanked', async () => {
    const plain = await scene.form();
    const answer = await submit(plain, ada());
    assert.deepEqual([answer.status, answer.text], [303, '']);
    assert.equal(answer.headers.location, `/forms/${plain.id}/thanks`);
    assertPage(await server.call('GET', answer.headers.location as string), 200);
    const redirect_url = 'https://shop.example/thanks?x=1';
    const led = await submit(await scene.form({ redirect_url }), ada());
    assert.deepEqual([led.status, led.headers.location], [303, redirect_url]);
    const snow = await scene.form({ redirect_url: 'https://shop.example/☃' });
    const far = await submit(snow, ada());
    assert.deepEqual([far.status, far.headers.location], [303, 'https://shop.example/%E2%98%83']);
    const ours = await submit(await scene.form({ redirect_url }), ada(), { origin: server.url });
    assert.match(String(ours.headers.location), /^\/forms\/form_\w+\/thanks$/);
    const thanks = await server.call('GET', ours.headers.location as string);
    assertPage(thanks, 200);
    assert.ok(thanks.text.includes(`<meta http-equiv="refresh" content="0; url=${redirect_url}">`));
    const json = { accept: 'application/json, text/html' };
    assert.equal((await submit(plain, ada({ n: '2' }), json)).status, 201);
  });

  it('fills it in on a page of ours, which sends what the form needs', async () => {
    const form = await scene.form({ ...asking(true), min_fill_seconds: 5 });
    const page = await server.call('GET', `/forms/${form.id}`, { headers: BROWSER });
    assertPage(page, 200);
    const inputs = inputsOn(page);
    assert.deepEqual(Object.keys(inputs).toSorted(), [
      ...['_consent_version', '_submission_id', '_website'],
      ...['email', 'first_name', 'last_name', 'phone'],
    ]);
    const own = { origin: server.url, referer: `${server.url}/forms/${form.id}` };
    const sent = { ...inputs, ...ada(), _consent: 'yes' };
    const answers = [await submit(form, sent, own), await submit(form, sent, own)];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    const { leads } = await ok('GET', '/leads?search=ada%40example.com');
    assert.equal(
      leads.filter((one: Json) => one.external_lead_id.startsWith(`form:${form.id.slice(5)}`))
        .length,
      1,
    );
    const again = await server.call('GET', `/forms/${form.id}`);
    assert.notEqual(inputsOn(again)._submission_id, inputs._submission_id);
  });

  it('finds what they typed after every refusal, and sends it again from there', async () => {
    const typed = ada({
      ...{ last_name: `O'Neil "</textarea><script>alert(1)</script>`, note: 'a\r\nb <b>&amp;' },
      ...{ _submission_id: 'a-b_c-12345', _page_url: 'https://shop.example/p?q=1' },
    });
    const { key } = await ok('POST', '/keys', {
      ...{ name: 'two', scopes: ['leads:write'] },
      rate_limit: { max: 1, window_seconds: 3600 },
    });
    const busy = await scene.form({ key_id: key.id });
    const origins = { allowed_origins: ['https://other.example'] };
    const own = { origin: server.url };
    const cases: [string, number, Json, Json, Json?][] = [
      ['a bad value', 400, await scene.form(), { ...typed, email: 'ada' }],
      ['the honeypot', 400, await scene.form(), { ...typed, _website: 'x' }],
      ['too fast', 400, await scene.form({ min_fill_seconds: 9 }), { ...typed, _elapsed_ms: '1' }],
      ['an origin', 403, await scene.form(origins), typed, { origin: 'https://evil.example' }],
      ['the address', 429, await scene.form({ per_address_a_minute: 1 }), typed],
      ['the key', 429, busy, typed],
    ];
    for (const [why, status, form, inputs, headers] of cases) {
      if (status === 429) assert.equal((await submit(form, ada())).status, 303, why);
      const refused = await submit(form, inputs, headers);
      assertPage(refused, status);
      assert.match(refused.text, /<button type="submit">Send again<\/button>/);
      assert.match(refused.text, /role="alert"/);
      assert.doesNotMatch(refused.text, /<b>|<script/);
      assert.equal(refused.headers['retry-after'] !== undefined, status === 429, why);
      const { phone: _phone, ...kept } = inputsOn(refused);
      const { _website, _elapsed_ms, ...expected } = inputs;
      assert.deepEqual(kept, expected, why);
      if (status === 429) continue;
      const again = await submit(form, { ...kept, email: 'ada@example.com' }, own);
      assert.equal(again.status, 303, `${why}: ${again.text}`);
      const external = `form:${form.id.slice(5)}:a-b_c-12345`;
      const { leads } = await ok('GET', `/leads?search=${encodeURIComponent(external)}`);
      const stored = await lead(leads[0].id);
      assert.deepEqual(
        [stored.last_name, stored.custom_fields.note, stored.source_form_url],
        [typed.last_name, typed.note, typed._page_url],
      );
    }
  });

  it('is told at each input what is wrong with it, also where they cannot see the colour', async () => {
    const form = await scene.form(asking(true));
    const { text } = await submit(form, { email: 'ada' });
    for (const [id, message] of [
      ['f0', 'First name is required'],
      ['f2', 'E-mail address must be a valid email address'],
      ['consent', 'Consent is required: please read the text and tick the box'],
    ]) {
      assert.match(
        text,
        new RegExp(`id="${id}"[^>]* aria-invalid="true" aria-describedby="${id}-error"`),
      );
      assert.match(text, new RegExp(`<p class="error" id="${id}-error">${message}</p>`));
      assert.match(text, new RegExp(`<li><a href="#${id}">${message}</a></li>`));
    }
  });

  it('is told that nothing was stored where what they sent cannot be read', async () => {
    const form = await scene.form();
    for (const [status, type, body] of [
      [413, URL_ENCODED, `essay=${'x'.repeat(300_000)}`],
      [400, 'multipart/form-data; boundary=x', 'broken'],
      [400, 'text/plain', 'first_name=A'],
    ] as const) {
      const headers = { ...BROWSER, 'content-type': type };
      const answer = await scene.send(form, body, { headers });
      assertPage(answer, status);
      assert.match(answer.text, /Nothing was stored/);
    }
  });
});

describe('consent', () => {
  const evidence = async (answer: Answer) => consents(answer.json.lead_id);
  const asScript = (form: Json, inputs: Json, headers: Json = {}) =>
    post(form, inputs, { 'user-agent': 'UA "1"', ...headers });

  it('is written down exactly as it was given, beside the lead and in it', async () => {
    const form = await scene.form({ name: 'Solar', ...asking(true) });
    const page = { referer: 'https://user:pw@shop.example/solar?x=1#top' };
    const answer = await asScript(form, { ...ada(), ...agreed() }, page);
    assert.equal(answer.status, 201, answer.text);
    const stored = await lead(answer.json.lead_id);
    assert.deepEqual(
      [stored.tcpa_consent, stored.tcpa_consent_text, stored.tcpa_consent_timestamp],
      [true, CONSENT_TEXT, stored.created_at],
    );
    assert.deepEqual(await evidence(answer), [
      {
        ...{ version: 1, at: stored.created_at, form_id: form.id, form_name: 'Solar' },
        ...{ given: true, text: CONSENT_TEXT, text_version: 1, address: '127.0.0.1' },
        ...{ page_url: 'https://shop.example/solar?x=1', user_agent: 'UA "1"' },
        request_id: answer.headers['x-request-id'],
      },
    ]);
    const again = await asScript(form, { ...ada(), ...agreed() }, page);
    assert.equal(again.json.status, 'deduped');
    assert.equal((await evidence(answer)).length, 1);
    const { entries } = await ok('GET', `/leads/${stored.id}/timeline`);
    const { actor } = entries.find((entry: Json) => entry.kind === 'change');
    assert.deepEqual(actor, { type: 'form', id: form.id, name: 'Solar' });
  });

  it('is of the text that the page showed, also where the form has another by now', async () => {
    const form = await scene.form(asking(false, 'First text.'));
    await change(form, asking(false, 'Second text.'));
    await eventually(async () => {
      const answer = await asScript(form, { ...ada({ n: '1' }), ...agreed(2) });
      assert.ok(answer.status < 300, answer.text);
    });
    const earlier = await asScript(form, { ...ada({ n: '2' }), ...agreed(1) });
    const [first] = await evidence(earlier);
    assert.deepEqual([first?.text, first?.text_version], ['First text.', 1]);
    const later = await asScript(form, { ...ada({ n: '2' }), ...agreed(2) });
    assert.equal(later.json.status, 'patched');
    assert.deepEqual(
      (await evidence(later)).map(({ text, version }) => [text, version]),
      [
        ['Second text.', 2],
        ['First text.', 1],
      ],
    );
  });

  it('that was not given is written down as that, and takes back what was said before', async () => {
    const form = await scene.form(asking(false));
    const inputs = ada({ _submission_id: 'mind-changed-1' });
    const yes = await asScript(form, { ...inputs, ...agreed() });
    const no = await asScript(form, { ...inputs, _consent_version: '1' });
    assert.equal(no.json.status, 'patched');
    const stored = await lead(no.json.lead_id);
    assert.deepEqual(
      [stored.tcpa_consent, stored.tcpa_consent_text, stored.tcpa_consent_timestamp],
      [false, null, null],
    );
    assert.deepEqual(
      (await evidence(yes)).map(({ given }) => given),
      [false, true],
    );
    const notAsked = await asScript(form, ada({ x: 'page without the box' }));
    assert.equal((await lead(notAsked.json.lead_id)).tcpa_consent, null);
    assert.deepEqual(await evidence(notAsked), []);
  });

  it('is refused without its text: missing, of no version, of a version that never was', async () => {
    const must = await scene.form(asking(true));
    const may = await scene.form(asking(false));
    for (const [form, inputs, path, code] of [
      [must, {}, '_consent', 'required'],
      [must, { _consent_version: '1' }, '_consent', 'required'],
      [must, { ...agreed(), _consent: 'false' }, '_consent', 'required'],
      [may, { _consent: 'yes' }, '_consent_version', 'required'],
      ...['2', '0', 'x', '1e0'].map((version) => [
        ...[may, { _consent: 'on', _consent_version: version }, '_consent_version', 'format'],
      ]),
    ] as [Json, Json, string, string][]) {
      const answer = await asScript(form, { ...ada(), ...inputs });
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(
        answer.json.errors.map((one: Json) => [one.path, one.code]),
        [[path, code]],
      );
    }
    const kept = inputsOn(await submit(must, { ...agreed(), email: 'ada' }));
    assert.equal(kept._consent, 'yes');
    const other = inputsOn(await submit(must, { ...agreed(7), email: 'ada' }));
    assert.deepEqual([other._consent, other._consent_version], [undefined, '1']);
    const without = await scene.form();
    const ignored = await asScript(without, { ...ada(), ...agreed() });
    assert.equal((await lead(ignored.json.lead_id)).tcpa_consent, null);
  });

  it('of a lead is shown to those who may see the lead, and to nobody else', async () => {
    const form = await scene.form(asking(true));
    const { lead_id } = (await asScript(form, { ...ada(), ...agreed() })).json;
    const path = (account: string) => `/accounts/${account}/leads/${lead_id}/consents`;
    assert.equal((await scene.as('viewer').call('GET', path(ours.id))).status, 200);
    const stranger = scene.as('stranger');
    assert.equal((await stranger.call('GET', path(ours.id))).status, 404);
    assert.equal((await stranger.call('GET', path(scene.theirs.id))).status, 404);
  });

  it('cannot be changed or removed; erasing the person blanks what tells where they were', async () => {
    const form = await scene.form(asking(true));
    const page = { referer: 'https://shop.example/mark-8w', 'user-agent': 'mark-8w' };
    const inputs = { ...agreed(), _submission_id: 'erased-12345' };
    const { lead_id } = (await asScript(form, { ...ada(), ...inputs }, page)).json;
    await asScript(form, { ...ada(), ...inputs, first_name: 'Grace' }, page);
    const denied = { code: '42501' };
    const of = (sql: string) => database.query(`${sql} WHERE lead_id = '${lead_id}'`);
    await assert.rejects(of('DELETE FROM lead_consents'), denied);
    await assert.rejects(database.query('TRUNCATE lead_consents'), denied);
    await assert.rejects(database.query(`UPDATE form_consent_texts SET text = 'x'`), denied);
    await assert.rejects(database.query('DELETE FROM form_consent_texts'), denied);
    const columns = [
      ...['given = false', `text = 'x'`, 'version = 9', 'occurred_at = now()', `form_id = 'x'`],
      ...[`request_id = 'x'`, 'text_version = 2', 'page_url = NULL', `user_agent = 'x'`],
    ];
    for (const column of columns) {
      await assert.rejects(of(`UPDATE lead_consents SET ${column}`), denied, column);
    }
    const before = await consents(lead_id);
    const { version } = await lead(lead_id);
    const account = `/accounts/${ours.id}`;
    const erase = await admin.call('POST', `${account}/leads/${lead_id}/erase`, {
      body: { version },
    });
    assert.equal(erase.status, 200, erase.text);
    assert.deepEqual(
      await consents(lead_id),
      before.map((one) => ({ ...one, page_url: null, address: null, user_agent: null })),
    );
    for (const column of [...columns.slice(0, 7), `page_url = 'x'`]) {
      await assert.rejects(of(`UPDATE lead_consents SET ${column}`), denied, column);
    }
    const records = await of('SELECT actor_type, address, lead::text FROM lead_audit_records');
    assert.deepEqual(records.map(({ actor_type, address }) => [actor_type, address]).toSorted(), [
      ['form', null],
      ['form', null],
      ['user', '127.0.0.1'],
    ]);
    for (const table of ['leads', 'lead_audit_records', 'lead_consents']) {
      const found = await database.query(
        `SELECT 1 FROM ${table} AS stored WHERE strpos(stored::text, 'mark-8w') > 0`,
      );
      assert.deepEqual(found, [], table);
    }
  });
});
