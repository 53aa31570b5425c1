import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { type Json, openDashboard, type Visitor } from '../../support/index.ts';

const { server, database, ours, theirs, as } = await openDashboard();
const admin = as('admin');
const base = `/accounts/${ours.id}`;
const keys = await list(admin, base);
const writer = keys.find(({ public_key }) => public_key === ours.writer.public_key) as Json;
const reader = keys.find(({ public_key }) => public_key === ours.reader.public_key) as Json;

async function list(who: Visitor, account: string): Promise<Json[]> {
  return (await who.call('GET', `${account}/keys`)).json.keys;
}
const create = (body: Json = {}) =>
  admin.call('POST', `${base}/forms`, {
    body: { name: 'Summer', campaign_id: 1, key_id: writer.id, ...body },
  });
async function made(body: Json = {}): Promise<Json> {
  const answer = await create(body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
const change = (form: Json, body: Json) =>
  admin.call('PATCH', `${base}/forms/${form.id}`, { body });
const get = async (form: Json): Promise<Json> =>
  (await admin.call('GET', `${base}/forms/${form.id}`)).json;

/** The first failure of a refused form. */
function refused(answer: { status: number; text: string; json: Json }): [string, string] {
  assert.equal(answer.status, 400, answer.text);
  const [{ path, code }] = answer.json.errors;
  return [path, code];
}

const EMAIL = { name: 'mail', label: 'Mail', to: 'email', required: true };

describe('a new form', () => {
  it('is good with a name, a campaign and a key alone', async () => {
    const form = await made();
    assert.match(form.id, /^form_[0-9a-f]{32}$/);
    assert.deepEqual(
      form.fields.map(({ name, to, required }: Json) => [name, to, required]),
      [
        ['first_name', 'first_name', true],
        ['last_name', 'last_name', false],
        ['email', 'email', true],
        ['phone', 'phone', false],
      ],
    );
    assert.deepEqual(
      { ...form, id: '', fields: [], created_at: '', updated_at: '', url: '', google_url: '' },
      {
        ...{ id: '', name: 'Summer', campaign_id: 1, active: true, fields: [], consent: null },
        key: { id: writer.id, public_key: writer.public_key, name: writer.name, state: 'active' },
        ...{ min_fill_seconds: 2, allowed_origins: [], redirect_url: null, source: null },
        ...{ default_country: null, per_address_a_minute: 60, google_key_made_at: null },
        ...{ url: '', google_url: '', created_at: '', updated_at: '' },
      },
    );
    assert.equal(form.url, `${server.url}/forms/${form.id}`);
    assert.equal(form.google_url, `${form.url}/google`);
    assert.deepEqual(await get(form), form);
    const { forms } = (await admin.call('GET', `${base}/forms`)).json;
    assert.deepEqual(forms[0], form);
  });

  it('keeps all that was chosen, as it was chosen', async () => {
    const chosen = {
      fields: [
        EMAIL,
        { name: 'Größe?', label: 'Größe', to: 'custom_fields.size', required: false },
      ],
      consent: { text: 'Yes,\nplease <call>', required: true },
      ...{ min_fill_seconds: 0, allowed_origins: ['https://shop.example', 'http://localhost:81'] },
      ...{ redirect_url: 'https://shop.example/thanks?a=b', source: 'summer' },
      ...{ default_country: 'DE', per_address_a_minute: 0 },
    };
    const form = await made(chosen);
    const { version, ...consent } = form.consent;
    assert.equal(version, 1);
    const kept = Object.fromEntries(Object.keys(chosen).map((name) => [name, form[name]]));
    assert.deepEqual({ ...kept, consent }, chosen);
  });

  const BAD: [body: Json, path: string, code: string][] = [
    [{ name: '   ' }, 'name', 'empty'],
    [{ name: 'a\ud800' }, 'name', 'invalid_characters'],
    [{ campaign_id: 99 }, 'campaign_id', 'unknown_campaign'],
    [{ key_id: randomUUID() }, 'key_id', 'unusable_key'],
    [{ key_id: reader.id }, 'key_id', 'unusable_key'],
    [{ fields: [] }, 'fields', 'too_few'],
    [{ fields: [{ ...EMAIL, to: 'first_name' }] }, 'fields', 'required'],
    [{ fields: [EMAIL, { ...EMAIL, to: 'phone' }] }, 'fields.1.name', 'repeated'],
    [{ fields: [EMAIL, { ...EMAIL, name: 'other' }] }, 'fields.1.to', 'repeated'],
    [{ fields: [{ ...EMAIL, to: 'campaign_id' }] }, 'fields.0.to', 'format'],
    [{ fields: [{ ...EMAIL, name: '_consent' }] }, 'fields.0.name', 'format'],
    [{ fields: [{ ...EMAIL, label: ' ' }] }, 'fields.0.label', 'empty'],
    [{ consent: { text: '  ', required: true } }, 'consent.text', 'empty'],
    [{ allowed_origins: ['https://shop.example/'] }, 'allowed_origins.0', 'format'],
    [{ allowed_origins: ['*'] }, 'allowed_origins.0', 'format'],
    [{ redirect_url: 'javascript:alert(1)' }, 'redirect_url', 'format'],
    [{ default_country: 'Germany' }, 'default_country', 'format'],
    [{ source: '' }, 'source', 'empty'],
    [{ min_fill_seconds: 61 }, 'min_fill_seconds', 'range'],
  ];
  it('that could not work is refused with the field and the reason', async () => {
    for (const [body, path, code] of BAD) {
      assert.deepEqual(refused(await create(body)), [path, code], JSON.stringify(body));
    }
  });

  it('takes no campaign and no key of another account', async () => {
    const [foreign] = await list(as('stranger'), `/accounts/${theirs.id}`);
    assert.deepEqual(refused(await create({ key_id: foreign?.id })), ['key_id', 'unusable_key']);
  });
});

describe('a change of a form', () => {
  it('leaves what it does not say as it is', async () => {
    const before = await made({ consent: { text: 'Call me', required: true }, source: 'summer' });
    const { updated_at: _at, ...after } = (await change(before, { active: false })).json;
    const { updated_at: _before, ...same } = before;
    assert.deepEqual(after, { ...same, active: false });
    assertFailure(await change(before, {}), 400, 'empty_body');
  });

  it('makes a new version of another consent text, and none of the same', async () => {
    const form = await made();
    const versions: (number | null)[] = [];
    const asked = [
      ...[
        { text: 'One', required: true },
        { text: 'One', required: false },
      ],
      ...[{ text: 'Two', required: false }, null, { text: ' Two ', required: true }],
      { text: 'One', required: true },
    ];
    for (const consent of asked) {
      versions.push((await change(form, { consent })).json.consent?.version ?? null);
    }
    assert.deepEqual(versions, [1, 1, 2, null, 2, 3]);
    const kept = await database.query<Json>(
      `SELECT version, text FROM form_consent_texts WHERE form_id = $1 ORDER BY version`,
      [form.id.slice(5)],
    );
    assert.deepEqual(
      kept.map(({ version, text }) => [version, text]),
      [
        [1, 'One'],
        [2, 'Two'],
        [3, 'One'],
      ],
    );
  });

  it('of several people at once loses none of them', async () => {
    const form = await made();
    const changes = [{ name: 'New' }, { source: 'x' }, { min_fill_seconds: 9 }, { active: false }];
    await Promise.all(changes.map((body) => change(form, body)));
    const { name, source, min_fill_seconds, active } = await get(form);
    assert.deepEqual([name, source, min_fill_seconds, active], ['New', 'x', 9, false]);
  });
});

describe('the key of a form', () => {
  const newKey = async (): Promise<Json> => {
    const body = { name: 'Of forms', scopes: ['leads:write'] };
    return (await admin.call('POST', `${base}/keys`, { body })).json.key;
  };

  it('that is rotated takes its forms along, and no others', async () => {
    const [key, other] = [await newKey(), await newKey()];
    const [one, two] = [await made({ key_id: key.id }), await made({ key_id: key.id })];
    const apart = await made({ key_id: other.id });
    for (const overlap_hours of [0, 24]) {
      const before = (await get(one)).key.id;
      const path = `${base}/keys/${before}/rotate`;
      const rotated = await admin.call('POST', path, { body: { overlap_hours } });
      assert.equal(rotated.status, 200, rotated.text);
      for (const form of [one, two]) {
        const { id, state } = (await get(form)).key;
        assert.deepEqual([id, state], [rotated.json.key.id, 'active']);
      }
    }
    assert.equal((await get(apart)).key.id, other.id);
  });

  it('that is revoked is shown as such, and cannot be chosen any more', async () => {
    const key = await newKey();
    const form = await made({ key_id: key.id });
    const revoked = await admin.call('POST', `${base}/keys/${key.id}/revoke`);
    assert.equal(revoked.status, 200, revoked.text);
    assert.equal((await get(form)).key.state, 'revoked');
    assert.deepEqual(refused(await change(form, { key_id: key.id })), ['key_id', 'unusable_key']);
    assert.equal((await change(form, { name: 'Still to be changed' })).status, 200);
    const mended = await change(form, { key_id: writer.id });
    assert.equal(mended.json.key.state, 'active');
  });
});

describe('the key of a platform', () => {
  it('is shown once, fits into 50 characters, is another one each time, and is stored as a hash', async () => {
    const form = await made();
    const path = `${base}/forms/${form.id}/google-key`;
    const first = (await admin.call('POST', path)).json;
    const second = (await admin.call('POST', path)).json;
    assert.match(first.google_key, /^[\w-]{43}$/);
    assert.notEqual(first.google_key, second.google_key);
    assert.notEqual(second.form.google_key_made_at, null);
    assert.ok(!JSON.stringify(await get(form)).includes(second.google_key));
    const [row] = await database.query<Json>(
      `SELECT length(google_key_hash) AS bytes, forms::text LIKE '%' || $2 || '%' AS held FROM forms WHERE id = $1`,
      [form.id.slice(5), second.google_key],
    );
    assert.deepEqual(row, { bytes: 32, held: false });
    assert.equal((await admin.call('DELETE', path)).json.google_key_made_at, null);
  });
});

describe('the log of a form', () => {
  it('is empty where nothing was sent', async () => {
    const form = await made();
    const log = await admin.call('GET', `${base}/forms/${form.id}/log`);
    assert.deepEqual(log.json, { entries: [] });
  });
});
