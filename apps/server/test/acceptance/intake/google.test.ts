import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import { eventually, type Json, openDashboard } from '../../support/index.ts';
import { PLATFORMS, type Platform } from './platforms.ts';

const { server, database, ours, as } = await openDashboard();
const admin = as('admin');
const base = `/accounts/${ours.id}`;

async function newKey(limit?: number): Promise<Json> {
  const rate_limit = { max: limit ?? 0, window_seconds: 3600 };
  const body = { name: 'Of a platform', scopes: ['leads:write', 'leads:read'], rate_limit };
  const { key, secret_key } = (await admin.call('POST', `${base}/keys`, { body })).json;
  return { ...key, secret_key };
}

/** A form of a key of its own, with a key for the platform. */
async function setUp({ name, keyRoute, keyMember }: Platform, options: Json = {}) {
  const { limit, ...settings } = options;
  const key = await newKey(limit);
  const body = { name: 'Ads', campaign_id: 1, key_id: key.id, ...settings };
  const form = (await admin.call('POST', `${base}/forms`, { body })).json;
  const made = await admin.call('POST', `${base}/forms/${form.id}/${keyRoute}`);
  return { key, form, secret: made.json[keyMember] as string, path: `/forms/${form.id}/${name}` };
}

const send = (path: string, body: unknown) => server.call('POST', path, { body });

const leadsOf = async (externalId: string): Promise<Json[]> =>
  (await database.query<Json>('SELECT * FROM leads WHERE external_lead_id = $1', [externalId])).map(
    (row) => row,
  );

const logOf = async (form: Json): Promise<Json[]> =>
  (await admin.call('GET', `${base}/forms/${form.id}/log`)).json.entries;

const outcomes = async (form: Json, expected: string[]): Promise<Json[]> =>
  eventually(async () => {
    const log = await logOf(form);
    assert.deepEqual(log.map(({ outcome }) => outcome).toSorted(), expected.toSorted());
    return log;
  });

/** Everything that is stored, as text. */
async function allStored(): Promise<string> {
  const tables = ['leads', 'lead_audit_records', 'events', 'form_log', 'refused_requests', 'forms'];
  const parts = tables.map(async (table) =>
    (await database.query<Json>(`SELECT row_to_json(t)::text AS text FROM ${table} t`))
      .map(({ text }) => text)
      .join('\n'),
  );
  return (await Promise.all(parts)).join('\n');
}

for (const platform of PLATFORMS) {
  const { name, body } = platform;

  // They wait for logs, which are written once a second.
  describe(`conformance: ${name}`, { concurrency: true }, () => {
    it('a lead is taken once, however often it is sent, and at the same time too', async () => {
      const { form, secret, path } = await setUp(platform);
      const id = randomUUID();
      const sent = body({
        key: secret,
        id,
        said: { email: 'ada@example.com', phone: '+14155550132' },
      });
      const answers = await Promise.all([send(path, sent), send(path, sent), send(path, sent)]);
      for (const { status, text } of answers) assert.deepEqual([status, text], [200, '{}']);
      assert.equal((await send(path, sent)).status, 200);
      const [lead, ...more] = await leadsOf(id);
      assert.deepEqual(more, []);
      assert.deepEqual(
        [lead.email, lead.phone, lead.campaign_id, lead.source, lead.version],
        ['ada@example.com', '+14155550132', 1, platform.source, 1],
      );
      const log = await outcomes(form, ['deduped', 'deduped', 'deduped', 'inserted']);
      for (const { via, lead_id, test } of log) {
        assert.deepEqual([via, lead_id, test], [name, lead.id, null]);
      }
      const [audit] = await database.query<Json>(
        'SELECT actor_type, actor_id FROM lead_audit_records WHERE lead_id = $1',
        [lead.id],
      );
      assert.deepEqual(audit, { actor_type: 'form', actor_id: form.id });
    });

    it('a wrong key, none, and one where none was made are one and the same 401, and nothing is stored', async () => {
      const { key, form, secret, path } = await setUp(platform);
      const id = randomUUID();
      const without = await setUp(platform);
      await admin.call('DELETE', `${base}/forms/${without.form.id}/${platform.keyRoute}`);
      const answers = [
        ...[
          undefined,
          null,
          '',
          7,
          [secret],
          `${secret}x`,
          secret.toLowerCase(),
          'x'.repeat(9_999),
        ].map((wrong) => send(path, body({ key: wrong, id }))),
        ...['{', '', '[]', 'null', '"x"'].map((text) => send(path, text)),
        send(without.path, body({ key: without.secret, id })),
      ];
      const said = new Set<string>();
      for (const answer of await Promise.all(answers)) {
        assertFailure(answer, 401, `invalid_${platform.keyMember}`);
        said.add(answer.json.message);
      }
      assert.equal(said.size, 1);
      assert.deepEqual(await leadsOf(id), []);
      const [entry] = await outcomes(form, Array(13).fill('refused'));
      const { reason, fields, test, lead_id } = entry;
      assert.deepEqual(
        [reason, fields, test, lead_id],
        [`invalid_${platform.keyMember}`, [], null, null],
      );
      const refusals = await admin.call('GET', `${base}/keys/${key.id}/refusals`);
      assert.deepEqual(refusals.json, { refusals: [] });
    });

    it('an earlier key ends with a new one, within a second', async () => {
      const { form, secret, path } = await setUp(platform);
      assert.equal((await send(path, body({ key: secret, id: randomUUID() }))).status, 200);
      await admin.call('POST', `${base}/forms/${form.id}/${platform.keyRoute}`);
      await eventually(async () =>
        assert.equal((await send(path, body({ key: secret, id: randomUUID() }))).status, 401),
      );
    });

    it('a test succeeds and is kept in the log of the form alone; with a wrong key it fails', async () => {
      const { form, secret, path } = await setUp(platform);
      const id = randomUUID();
      const test = { id, isTest: true, said: { email: 'a@example.com' } };
      assert.equal((await send(path, body({ ...test, key: secret }))).status, 200);
      assert.equal((await send(path, body({ ...test, key: secret, said: null }))).status, 200);
      const text = body({ ...test, key: secret });
      const deepest = `${text.slice(0, text.lastIndexOf('}'))},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      assert.equal((await send(path, deepest)).status, 200);
      assert.equal((await send(path, body({ ...test, key: 'wrong' }))).status, 401);
      assert.deepEqual(await leadsOf(id), []);
      const [, deep, bad, good] = await outcomes(form, ['refused', 'test', 'test', 'test']);
      // What cannot be kept of one costs no other its place in the log.
      assert.deepEqual([deep.test, deep.reason], [null, 'validation']);
      assert.deepEqual(
        [good.test.external_lead_id, good.test.email, good.reason, good.lead_id],
        [id, 'a@example.com', null, null],
      );
      // What a real one like it would be refused for.
      assert.deepEqual([bad.reason, bad.fields[0].path], ['validation', 'phone']);
    });

    it('no digit of an id is lost, whether it is sent as a number or as a string', async () => {
      const { secret, path } = await setUp(platform);
      for (const id of [9223372036854775807n, '9223372036854775806', 12345]) {
        assert.equal((await send(path, body({ key: secret, id }))).status, 200);
        const [lead] = await leadsOf(String(id));
        const { member, digits } = platform.int64;
        assert.equal(String(lead?.custom_fields[member]), digits);
      }
    });

    it('without an id, or with neither a phone number nor an address it is refused, and the log says why', async () => {
      const { form, secret, path } = await setUp(platform);
      const id = randomUUID();
      const bad = [
        { id: null },
        { id, said: null },
        { id, said: { email: 'none' } },
        { id, said: { email: 'none', phone: '12' } },
      ];
      for (const lead of bad) {
        assert.equal((await send(path, body({ key: secret, ...lead }))).status, 400);
      }
      assert.deepEqual(await leadsOf(id), []);
      const log = await outcomes(form, Array(4).fill('refused'));
      assert.deepEqual(
        log
          .map(({ fields }) => fields.map(({ path, code }: Json) => `${path} ${code}`).join())
          .reverse(),
        ['lead_id required', 'phone required', 'email format', 'phone format,email format'],
      );
      assert.ok(!JSON.stringify(log).includes('none'));
    });

    it('a phone number or an address that is no good does not cost the lead, nor is it lost', async () => {
      const { secret, path } = await setUp(platform, { default_country: 'DE' });
      const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
      const says = [
        [one, { email: 'ada@example.com', phone: '12' }],
        [two, { email: 'not one', phone: '+14155550132' }],
        [three, { phone: '030 901820' }],
      ] as const;
      for (const [id, said] of says) {
        const answer = await send(path, body({ key: secret, id, said }));
        assert.equal(answer.status, 200, answer.text);
      }
      const [first] = await leadsOf(one);
      assert.deepEqual([first.email, first.phone], ['ada@example.com', null]);
      assert.ok(Object.values(first.custom_fields).includes('12'));
      const [second] = await leadsOf(two);
      assert.deepEqual([second.email, second.phone], [null, '+14155550132']);
      assert.ok(Object.values(second.custom_fields).includes('not one'));
      // Of the country that the form has.
      assert.equal((await leadsOf(three))[0].phone, '+4930901820');
    });

    it('what it does not know is taken along: questions, and members that are new', async () => {
      const { secret, path } = await setUp(platform, { source: 'spring' });
      const id = randomUUID();
      const said = {
        email: 'ada@example.com',
        question: ['How many?', '1 < 2'] as [string, string],
      };
      const extra = { new_member: { deep: [1] }, constructor: 'x' };
      const answer = await send(path, body({ key: secret, id, said, extra }));
      assert.equal(answer.status, 200, answer.text);
      const [{ custom_fields: custom, source }] = (await leadsOf(id)) as [Json];
      assert.equal(source, 'spring');
      assert.equal(custom['How many?'], '1 < 2');
      assert.deepEqual([custom.new_member, custom.constructor], [{ deep: [1] }, 'x']);
    });

    it('takes from the one bucket of the key of its form', async () => {
      const { key, secret, path } = await setUp(platform, { limit: 3 });
      assert.equal((await send(path, body({ key: 'wrong' }))).status, 401);
      const first = await send(path, body({ key: secret, id: randomUUID() }));
      assert.match(String(first.headers.ratelimit), /r=2;/);
      assert.equal((await send(path, body({ key: secret, isTest: true }))).status, 200);
      await server.call('GET', '/api/v1/leads', { key });
      const over = await send(path, body({ key: secret, id: randomUUID() }));
      assertFailure(over, 429, 'rate_limited');
      assert.ok(Number(over.headers['retry-after']) >= 1);
      assertFailure(await send(path, body({ key: 'wrong' })), 401, `invalid_${platform.keyMember}`);
    });

    it('is not there where the form is not, is switched off, or its key is revoked', async () => {
      const off = await setUp(platform);
      const revoked = await setUp(platform);
      await admin.call('PATCH', `${base}/forms/${off.form.id}`, { body: { active: false } });
      await admin.call('POST', `${base}/keys/${revoked.key.id}/revoke`);
      const none = `/forms/form_${'0'.repeat(32)}/${name}`;
      const missing = (await send('/forms/x/y/z', '{}')).json;
      for (const [path, secret] of [
        ...[
          [off.path, off.secret],
          [revoked.path, revoked.secret],
        ],
        ...[
          [none, off.secret],
          [`/forms/x/${name}`, off.secret],
        ],
      ] as [string, string][]) {
        await eventually(async () => {
          const { status, json } = await send(path, body({ key: secret }));
          assert.equal(status, 404);
          assert.deepEqual({ ...json, request_id: '' }, { ...missing, request_id: '' });
        });
      }
    });

    it('its key is in no lead, log, event, refusal and no line of the service', async () => {
      const { form, secret, path } = await setUp(platform, { limit: 4 });
      const id = randomUUID();
      await send(path, body({ key: secret, id }));
      await send(path, body({ key: secret, id, said: null }));
      await send(path, body({ key: secret, id, isTest: true }));
      await send(path, body({ key: `${secret}-wrong`, id }));
      await send(path, body({ key: secret, id }));
      await send(path, body({ key: secret, id }));
      await outcomes(form, ['refused', 'deduped', 'refused', 'test', 'refused', 'inserted']);
      assert.ok(!(await allStored()).includes(secret));
      assert.ok(!server.logs().includes(secret));
    });
  });
}

describe('forms that are off, floods and strangers', () => {
  const [google] = PLATFORMS as [Platform];
  const { body } = google;
  const many = (count: number, one: (index: number) => Promise<{ status: number }>) =>
    Promise.all(Array.from({ length: count }, (_, index) => one(index)));

  it('the log keeps the newest hundred, whatever came before', async () => {
    const { form, secret, path } = await setUp(google);
    const test = (id: string) => send(path, body({ key: secret, id, isTest: true }));
    for (const [batch, kept] of [
      ['a', 60],
      ['b', 100],
    ] as const) {
      await many(60, (index) => test(`${batch}${index}`));
      await eventually(async () => assert.equal((await logOf(form)).length, kept));
    }
    const ids = (await logOf(form)).map((entry) => entry.test.external_lead_id as string);
    assert.deepEqual(ids.map((id) => id.slice(0, 1)).join(''), 'b'.repeat(60) + 'a'.repeat(40));
  });

  it('a form is not there while the account has forms switched off', async () => {
    const { secret, path } = await setUp(google);
    const switchForms = (forms: boolean) =>
      admin.call('PATCH', base, { body: { features: { forms } } });
    for (const [isOn, status] of [
      [false, 404],
      [true, 200],
    ] as const) {
      await switchForms(isOn);
      await eventually(async () => {
        const answer = await send(path, body({ key: secret, isTest: true }));
        assert.equal(answer.status, status);
      });
    }
  });

  it('wrong keys are limited by address, and the right one from there is not', async () => {
    const { secret, path } = await setUp(google);
    await many(300, () => send(path, body({ key: 'wrong' })));
    assertFailure(await send(path, body({ key: 'wrong' })), 429, 'rate_limited');
    assert.equal((await send(path, body({ key: secret, id: randomUUID() }))).status, 200);
  });
});

describe('a lead of Google Ads', () => {
  const [google] = PLATFORMS as [Platform];
  const column = ([column_id, string_value]: [string, string]) => ({ column_id, string_value });

  it('has each column where it belongs', async () => {
    const { secret, path } = await setUp(google);
    const id = randomUUID();
    const columns: [string, string][] = [
      ...([
        ['FULL_NAME', 'Ada King Lovelace'],
        ['EMAIL', 'ada@example.com'],
      ] as [string, string][]),
      ...([
        ['STREET_ADDRESS', '1 Main St'],
        ['CITY', 'Town'],
      ] as [string, string][]),
      ...([
        ['REGION', 'CA'],
        ['POSTAL_CODE', '94043'],
        ['COUNTRY', 'US'],
      ] as [string, string][]),
      ...([
        ['COMPANY_NAME', 'Engines'],
        ['EMAIL', 'second@example.com'],
      ] as [string, string][]),
    ];
    const times = { lead_submit_time: '2026-11-21T10:00:00Z', asset_group_id: 7 };
    const lead = {
      lead_id: id,
      google_key: secret,
      user_column_data: columns.map(column),
      ...times,
    };
    assert.equal(
      (await send(path, { ...lead, gcl_id: 'g', creative_id: 9, api_version: '1.0' })).status,
      200,
    );
    const [stored] = (await leadsOf(id)) as [Json];
    assert.deepEqual([stored.first_name, stored.last_name], ['Ada King', 'Lovelace']);
    assert.deepEqual(stored.address, {
      street: '1 Main St',
      city: 'Town',
      state: 'CA',
      zip: '94043',
    });
    assert.deepEqual(stored.custom_fields, {
      ...{ ...times, gcl_id: 'g', creative_id: 9, api_version: '1.0', COUNTRY: 'US' },
      ...{ COMPANY_NAME: 'Engines', EMAIL: 'second@example.com' },
    });
  });

  it('has what was said of work as its own where nothing else reaches the person', async () => {
    const { secret, path } = await setUp(google);
    const work: [string, string][] = [
      ['WORK_PHONE', '+14155550132'],
      ['WORK_EMAIL', 'ada@work.example'],
    ];
    const cases: [[string, string][], phone: string | null, email: string | null, Json][] = [
      [work, '+14155550132', 'ada@work.example', {}],
      [
        [['WORK_PHONE', 'none'], ...work.slice(1)],
        null,
        'ada@work.example',
        { WORK_PHONE: 'none' },
      ],
      [
        [...work, ['EMAIL', 'ada@example.com']],
        null,
        'ada@example.com',
        { WORK_PHONE: '+14155550132', WORK_EMAIL: 'ada@work.example' },
      ],
    ];
    for (const [columns, phone, email, custom] of cases) {
      const id = randomUUID();
      const data = columns.map(column);
      await send(path, { lead_id: id, google_key: secret, user_column_data: data });
      const [lead] = (await leadsOf(id)) as [Json];
      assert.deepEqual([lead?.phone, lead?.email, lead?.custom_fields], [phone, email, custom]);
    }
  });

  it('has the names that were sent apart, rather than those of the whole one', async () => {
    const { secret, path } = await setUp(google);
    const names: [columns: [string, string][], first: string | null, last: string | null][] = [
      [[['FULL_NAME', 'Ada']], 'Ada', null],
      [[['FULL_NAME', ' Ada   Lovelace ']], 'Ada', 'Lovelace'],
      [
        [
          ['FIRST_NAME', 'Ada'],
          ['FULL_NAME', 'A. Lovelace'],
        ],
        'Ada',
        null,
      ],
      [
        [
          ['FULL_NAME', 'Countess Ada'],
          ['LAST_NAME', 'Lovelace'],
        ],
        null,
        'Lovelace',
      ],
      [[['FULL_NAME', `Ada ${'x'.repeat(101)}`]], 'Ada', null],
    ];
    for (const [columns, first, last] of names) {
      const id = randomUUID();
      const data = [...columns, ['EMAIL', 'ada@example.com'] as [string, string]].map(column);
      await send(path, { lead_id: id, google_key: secret, user_column_data: data });
      const [lead] = (await leadsOf(id)) as [Json];
      assert.deepEqual([lead.first_name, lead.last_name], [first, last]);
    }
  });
});
