import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { eventually, type Json } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { limitOf } from '../../support/rate-limit.ts';
import { openFormScene, URL_ENCODED } from './scene.ts';

const scene = await openFormScene();
const { server, ok, send, post, lead, change, count, ours } = scene;
const form = await scene.form();
const ada = (inputs: Json = {}) => ({
  ...{ first_name: 'Ada', email: 'ada@example.com', ...inputs },
});
const LEADS = '/api/v1/insertion/leads';
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const BOUNDARY = 'xxBOUNDARYxx';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (name: string, value: string, extra = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${extra}\r\n\r\n${value}\r\n`;
const multipart = (...parts: string[]) => `${parts.join('')}--${BOUNDARY}--\r\n`;

/** The failures of a refused submission, by the name of the input. */
function refused(answer: { status: number; text: string; headers: Json; json: Json }): Json {
  assert.equal(answer.status, 400, answer.text);
  assertFailure(answer, 400, /./);
  return Object.fromEntries((answer.json.errors ?? []).map((one: Json) => [one.path, one.code]));
}

describe('a submission', () => {
  it('becomes the same lead url-encoded, as multipart and as JSON', async () => {
    const mapped = await scene.form({
      source: 'landing',
      default_country: 'DE',
      fields: [
        { name: 'vorname', label: 'Vorname', to: 'first_name', required: true },
        { name: 'tel', label: 'Telefon', to: 'phone', required: false },
        { name: 'mail', label: 'E-Mail', to: 'email', required: false },
        { name: 'plz', label: 'PLZ', to: 'address.zip', required: false },
        { name: 'dach', label: 'Dach', to: 'custom_fields.roof', required: false },
      ],
    });
    const inputs = {
      ...{ vorname: ' Zoë ', tel: '030 123456', mail: '', plz: '10115', dach: 'flat' },
      ...{ utm: 'a&b=c', _page_url: 'https://shop.example/solar?x=1#top' },
    };
    const names = Object.entries(inputs);
    const answers = [
      await post(mapped, { ...inputs, _submission_id: randomUUID() }),
      await send(
        mapped,
        multipart(
          ...[...names, ['_submission_id', randomUUID()]].map(([n = '', v = '']) => part(n, v)),
          part('photo', '', '; filename=""\r\nContent-Type: application/octet-stream'),
        ),
        { headers: { 'content-type': MULTIPART } },
      ),
      await send(mapped, { ...inputs, mail: null, _submission_id: randomUUID() }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 201, answer.text);
      const { ok: isOk, status, lead_id } = answer.json;
      assert.deepEqual([isOk, status], [true, 'inserted']);
      const { id: _id, external_lead_id, created_at, updated_at, ...stored } = await lead(lead_id);
      assert.match(external_lead_id, /^form:[0-9a-f]{32}:[0-9a-f-]{36}$/);
      assert.equal(created_at, updated_at);
      assert.deepEqual(stored, {
        ...{ account_id: ours.id, campaign_id: 1, version: 1, erased_at: null, status: 'new' },
        ...{ phone: '+4930123456', email: null, first_name: 'Zoë', last_name: null },
        ...{ source: 'landing', source_form_url: 'https://shop.example/solar?x=1' },
        ...{ tcpa_consent: null, tcpa_consent_text: null, tcpa_consent_timestamp: null },
        ...{ custom_fields: { roof: 'flat', utm: 'a&b=c' }, address: { zip: '10115' } },
      });
    }
  });

  it('loses nothing: unknown inputs, repeated ones, hostile names, nested JSON', async () => {
    const answer = await send(form, {
      ...ada({ n: 12, yes: false, list: ['a', 'b'], deep: { er: [1] } }),
      ...{ constructor: 'c', hasOwnProperty: 'h', '': 'no name', 'a.b': 'dot', _other: 'kept' },
      ...JSON.parse('{"__proto__":"p","toString":"t"}'),
    });
    assert.equal(answer.status, 201, answer.text);
    const { custom_fields: custom } = await lead(answer.json.lead_id);
    assert.deepEqual(Object.entries(custom).toSorted(), [
      ['', 'no name'],
      ['__proto__', 'p'],
      ['_other', 'kept'],
      ['a.b', 'dot'],
      ['constructor', 'c'],
      ['deep', { er: [1] }],
      ['hasOwnProperty', 'h'],
      ['list', ['a', 'b']],
      ['n', 12],
      ['toString', 't'],
      ['yes', false],
    ]);
    const twice = await send(form, 'first_name=A&email=a%40example.com&x=1&x=2', {
      headers: { 'content-type': URL_ENCODED },
    });
    assert.deepEqual((await lead(twice.json.lead_id)).custom_fields, { x: ['1', '2'] });
  });

  it('is one lead however often it is sent: double click, reload, both at once, with and without an id', async () => {
    const before = await count();
    const inputs = ada({ _submission_id: randomUUID(), last_name: 'Once', _elapsed_ms: '5000' });
    const many = await Promise.all(Array.from({ length: 8 }, () => post(form, inputs)));
    const again = await post(form, { ...inputs, _elapsed_ms: '9000' });
    assert.equal(many.filter(({ status }) => status === 201).length, 1);
    assert.deepEqual([again.status, again.json.status], [200, 'deduped']);
    assert.equal(new Set([...many, again].map(({ json }) => json.lead_id)).size, 1);
    const plain = await Promise.all([1, 2, 3].map(() => post(form, ada({ last_name: 'Plain' }))));
    assert.equal(new Set(plain.map(({ json }) => json.lead_id)).size, 1);
    assert.equal(await count(), before + 2);
    const corrected = await post(form, { ...inputs, last_name: 'Corrected' });
    assert.equal(corrected.json.status, 'patched');
    assert.equal((await post(form, ada({ last_name: 'Other' }))).json.status, 'inserted');
  });

  it('cannot reach a lead that came another way', async () => {
    const external = `form:${form.id.slice(5)}:${'a'.repeat(64)}`;
    const theirs = await scene.form();
    const first = await post(form, ada({ _submission_id: 'a'.repeat(64) }));
    assert.equal((await lead(first.json.lead_id)).external_lead_id, external);
    const other = await post(theirs, ada({ _submission_id: 'a'.repeat(64) }));
    assert.equal(other.json.status, 'inserted');
    // Whoever knows what somebody sent without an id knows the digest of it.
    const plain = await post(form, ada({ last_name: 'Known' }));
    const [, , id = ''] = (await lead(plain.json.lead_id)).external_lead_id.split(':');
    for (const guess of [id.replace('=', ''), id]) {
      const answer = await post(form, ada({ last_name: 'Else', _submission_id: guess }));
      assert.notEqual(answer.json.lead_id, plain.json.lead_id);
    }
    assert.equal((await lead(plain.json.lead_id)).last_name, 'Known');
    for (const id of ['short', 'a'.repeat(65), '../../other/x', 'with space 1']) {
      assert.deepEqual(refused(await post(form, ada({ _submission_id: id }))), {
        _submission_id: 'format',
      });
    }
  });
});

describe('what is wrong with a submission', () => {
  it('is told beside the inputs that it comes from, in the words of the form', async () => {
    const answer = await post(form, { email: 'nobody', phone: '12', last_name: 'x'.repeat(101) });
    assert.deepEqual(refused(answer), {
      ...{ first_name: 'required', last_name: 'too_long', email: 'format', phone: 'format' },
    });
    assert.deepEqual(
      answer.json.errors.map(({ message }: Json) => message),
      [
        'First name is required',
        'Last name must be at most 100 characters',
        'E-mail address must be a valid email address',
        'Phone number must begin with a plus sign and the country code, such as +1 415 555 0132',
      ],
    );
    const optional = await scene.form({
      fields: [{ name: 'tel', label: 'Mobile', to: 'phone', required: false }],
    });
    assert.deepEqual(refused(await post(optional, {})), { tel: 'required' });
    const repeated = 'first_name=A&first_name=B&email=a%40example.com';
    const twice = await send(form, repeated, { headers: { 'content-type': URL_ENCODED } });
    assert.deepEqual(refused(twice), { first_name: 'repeated' });
    assert.deepEqual(refused(await send(form, ada({ last_name: { a: 1 } }))), {
      last_name: 'type',
    });
  });

  it('that no store could keep is a 400 beside the input', async () => {
    const json = (text: string) => send(form, `{"first_name":"A","email":"a@example.com",${text}}`);
    assert.deepEqual(refused(await json('"last_name":"a\\u0000b"')), {
      last_name: 'invalid_characters',
    });
    assert.deepEqual(refused(await json('"note":"\\ud800"')), { note: 'invalid_characters' });
    assert.deepEqual(refused(await json('"n\\u0000":"x"')), { 'n\uFFFD': 'invalid_characters' });
    const deep = `"note":${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    assert.deepEqual(refused(await json(deep)), { note: 'too_deep' });
    const latin = 'first_name=Zo%EB&email=a%40example.com';
    assert.deepEqual(
      refused(await send(form, latin, { headers: { 'content-type': URL_ENCODED } })),
      {
        first_name: 'invalid_characters',
      },
    );
    const file = part('photo', 'GIF89a', '; filename="a.gif"\r\nContent-Type: image/gif');
    const withFile = multipart(part('first_name', 'A'), part('email', 'a@example.com'), file);
    const answer = await send(form, withFile, { headers: { 'content-type': MULTIPART } });
    assert.deepEqual(refused(answer), { photo: 'type' });
    const long = await post(form, ada({ short: 'x', essay: 'x'.repeat(70_000) }));
    assert.deepEqual(refused(long), { essay: 'too_long' });
  });

  it('as a whole is a 400 or a 413, and stores nothing', async () => {
    const before = await count();
    const typed = (type: string | undefined, body: string) =>
      send(form, body, { headers: { 'content-type': type } });
    const fields = Array.from({ length: 10_000 }, (_, n) => `f${n}=1`).join('&');
    for (const [type, body] of [
      [URL_ENCODED, fields],
      [
        'application/json',
        JSON.stringify(Object.fromEntries(fields.split('&').map((f) => [f, 1]))),
      ],
      [MULTIPART, multipart(...Array.from({ length: 300 }, (_, n) => part(`f${n}`, '1')))],
      [MULTIPART, 'no parts at all'],
      [MULTIPART, multipart(part('first_name', 'A')).slice(0, -20)],
      ['multipart/form-data', multipart(part('first_name', 'A'))],
      ['text/plain', 'first_name=A\r\nemail=a@example.com'],
      ['application/json', '[1]'],
      ['application/json', '{"email":"a@example.com","email":"b@example.com"}'],
      [undefined, 'first_name=A'],
      ['nonsense', ''],
    ] as const) {
      assertFailure(await typed(type, body), 400, /./, `${type} ${body.slice(0, 40)}`);
    }
    const compressed = { 'content-type': URL_ENCODED, 'content-encoding': 'gzip' };
    assertFailure(await send(form, 'a=1', { headers: compressed }), 400, /./);
    const huge = `first_name=${'x'.repeat(1024 * 1024)}`;
    assertFailure(await typed(URL_ENCODED, huge), 413, 'payload_too_large');
    assert.equal((await typed('text/plain', JSON.stringify(ada({ x: 'plain' })))).status, 201);
    assert.equal(await count(), before + 1);
  });

  it('looks automated where the honeypot is filled or it was too fast; without a time it is not looked at', async () => {
    const slow = await scene.form({ min_fill_seconds: 3 });
    for (const inputs of [{ _website: 'x' }, { _elapsed_ms: '2999' }, { _elapsed_ms: '-1' }]) {
      assertFailure(await post(slow, ada(inputs)), 400, 'looks_automated');
    }
    for (const inputs of [
      { _website: '', _elapsed_ms: '3000' },
      { x: '1' },
      { _elapsed_ms: '?' },
    ]) {
      assert.equal((await post(slow, ada({ ...inputs, y: randomUUID() }))).status, 201);
    }
  });

  it('stands in the log of the form and on the page of its key, without a word of what was sent', async () => {
    const logged = await scene.form();
    await post(logged, ada({ email: 'secret-7q', first_name: '' }));
    await post(logged, ada());
    await eventually(async () => {
      const { entries } = await ok('GET', `/forms/${logged.id}/log`);
      assert.deepEqual(
        entries.map(({ outcome, reason, via }: Json) => [outcome, reason, via]),
        [
          ['inserted', null, 'form'],
          ['refused', 'validation', 'form'],
        ],
      );
      assert.doesNotMatch(JSON.stringify(entries), /secret-7q/);
      const { refusals } = await ok('GET', `/keys/${scene.writer.id}/refusals`);
      const shown = refusals.find((one: Json) => one.request_id === entries[1].request_id);
      assert.deepEqual([shown?.reason, shown?.address], ['validation', null]);
      assert.doesNotMatch(JSON.stringify(refusals), /secret-7q/);
    });
  });
});

describe('a page of another origin', () => {
  const origin = 'https://shop.example';
  const cors = (answer: { headers: Json }) => answer.headers['access-control-allow-origin'];

  it('reads every answer of a form that lets it, also failures; credentials are never asked for', async () => {
    const listed = await scene.form({ allowed_origins: [origin], per_address_a_minute: 2 });
    const answers = [
      await post(listed, ada(), { origin }),
      await post(listed, {}, { origin }),
      await post(listed, ada(), { origin }),
      await send(listed, 'x'.repeat(300_000), { headers: { origin } }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 400, 429, 429],
    );
    for (const answer of answers) {
      assert.equal(cors(answer), origin);
      assert.match(String(answer.headers.vary), /Origin/);
      assert.equal(answer.headers['access-control-allow-credentials'], undefined);
    }
    const asked = { origin, 'access-control-request-method': 'POST' };
    const preflight = await server.call('OPTIONS', `/forms/${listed.id}`, { headers: asked });
    assert.deepEqual([preflight.status, cors(preflight)], [204, origin]);
    assert.equal(preflight.headers['access-control-allow-methods'], 'POST');
    assert.match(String(preflight.headers['access-control-allow-headers']), /content-type/);
  });

  it('that is not on the list is a 403 and stores nothing; so are null and none', async () => {
    const listed = await scene.form({ allowed_origins: [origin] });
    const before = await count();
    for (const other of ['https://evil.example', 'null', undefined, `${origin}:444`, 'x', '']) {
      const headers = { origin: other };
      const answer = await post(listed, ada(), headers);
      assertFailure(answer, 403, 'origin_not_allowed', String(other));
      assert.equal(cors(answer), undefined);
      if (other === undefined) continue;
      const preflight = await server.call('OPTIONS', `/forms/${listed.id}`, { headers });
      assert.equal(preflight.status, 403);
    }
    assert.equal(await count(), before);
    const own = await post(listed, ada(), { origin: server.url });
    assert.equal(own.status, 201, 'our own page');
    for (const any of ['https://evil.example', 'null', undefined]) {
      assert.ok((await post(form, ada({ any }), { origin: any })).status < 300);
    }
  });
});

describe('a form that takes nothing', () => {
  it('answers like a missing route: unknown, malformed, switched off, key revoked, feature off', async () => {
    const off = await scene.form();
    const keyed = async () => {
      const { key } = await ok('POST', '/keys', { name: 'k', scopes: ['leads:write'] });
      return { key, form: await scene.form({ key_id: key.id }) };
    };
    const revoked = await keyed();
    assert.equal((await post(off, ada())).status, 201);
    assert.equal((await post(revoked.form, ada())).status, 201);
    await change(off, { active: false });
    await ok('POST', `/keys/${revoked.key.id}/revoke`);
    const unknown = { id: `form_${'0'.repeat(32)}` };
    const missing = await server.call('POST', '/no/such/route', { body: 'a=1' });
    const shown = ({ headers, json }: { headers: Json; json: Json }) => {
      const { 'x-request-id': _id, date: _date, 'content-length': _length, ...others } = headers;
      return [others, { ...json, request_id: '' }];
    };
    const isMissing = async (one: { id: string }) => {
      const path = `/forms/${one.id}`;
      for (const [method, target] of [
        ['POST', path],
        ['GET', path],
        ['OPTIONS', path],
        ['GET', `${path}/thanks`],
      ] as const) {
        for (const headers of [{}, HTML, { origin: 'https://shop.example' }]) {
          const answer = await server.call(method, target, { headers });
          assert.equal(answer.status, 404, `${method} ${target}: ${answer.text}`);
          assert.deepEqual(shown(answer), shown(missing));
        }
      }
    };
    for (const one of [unknown, { id: 'form_x' }, { id: form.id.toUpperCase() }]) {
      await isMissing(one);
    }
    await eventually(() => isMissing(off));
    await eventually(() => isMissing(revoked.form));
    const features = { features: { forms: false } };
    await scene.as('owner').call('PATCH', `/accounts/${ours.id}`, { body: features });
    await eventually(() => isMissing(form));
    await scene.as('owner').call('PATCH', `/accounts/${ours.id}`, {
      body: { features: { forms: true } },
    });
    await eventually(async () => assert.ok((await post(form, ada())).status < 300));
    await change(off, { active: true });
    await eventually(async () => assert.equal((await post(off, ada())).status, 200));
  });
});

describe('limits', () => {
  const limited = async (max: number, body: Json = {}) => {
    const scopes = ['leads:read', 'leads:write'];
    const { key, secret_key } = await ok('POST', '/keys', {
      ...{ name: 'limited', scopes, rate_limit: { max, window_seconds: 3600 } },
    });
    return { form: await scene.form({ key_id: key.id, ...body }), key: { ...key, secret_key } };
  };

  it('form posts and API posts of one key drain one bucket, from either side', async () => {
    const { form: shared, key } = await limited(6);
    const api = () => server.call('POST', LEADS, { key, body: newLead() });
    const left = async (answer: Promise<Json>) => limitOf(await answer).left;
    assert.equal(await left(post(shared, ada())), 5);
    assert.equal(await left(api()), 4);
    assert.equal(await left(post(shared, {})), 3);
    assert.equal(await left(send(shared, { x: 'x'.repeat(300_000) })), 2);
    assert.equal(await left(api()), 1);
    assert.equal(await left(post(shared, ada())), 0);
    for (const answer of [await api(), await post(shared, ada()), await send(shared, '{')]) {
      assertFailure(answer, 429, 'rate_limited');
      assert.ok(Number(answer.headers['retry-after']) >= 1);
    }
  });

  it('of an address hold for each form alone, and cost the key nothing', async () => {
    const { form: one, key } = await limited(10, { per_address_a_minute: 2 });
    const other = await scene.form({ key_id: key.id, per_address_a_minute: 2 });
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await post(one, ada())).status);
    assert.deepEqual(statuses, [201, 200, 429, 429]);
    const answer = await post(other, ada());
    assert.equal(limitOf(answer).left, 7);
    const refusal = await post(one, ada());
    assert.ok(Number(refusal.headers['retry-after']) <= 60);
  });

  it('count a form post as a use of its key', async () => {
    const { form: one, key } = await limited(5);
    await post(one, ada());
    await eventually(async () => {
      const { keys } = await ok('GET', '/keys');
      assert.ok(keys.find(({ id }: Json) => id === key.id).last_used_at);
    });
  });
});
