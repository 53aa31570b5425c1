import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Credentials,
  createKey,
  eventually,
  type Json,
  openDashboard,
  type SeededKey,
  startServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';
/** Stands in everything that the tests send and that must not be remembered. */
const MARK = 'zQ7mark9';

const { database, server, ours } = await openDashboard();

const makeKey = (options: Parameters<typeof createKey>[2] = {}) =>
  createKey(database.env, ours.id, options);

const REMEMBERED = `SELECT r.* FROM refused_requests r
  JOIN api_keys k ON k.account_id = r.account_id AND k.id = r.key_id WHERE k.public_key = $1 ORDER BY r.id`;

const remembered = (key: Credentials): Promise<Json[]> =>
  database.query(REMEMBERED, [key.public_key]);

/** What is remembered of a key once there are as many. */
const rememberedOnce = (key: Credentials, count: number): Promise<Json[]> =>
  eventually(async () => {
    const rows = await remembered(key);
    assert.equal(rows.length, count, JSON.stringify(rows.map(({ reason }) => reason)));
    return rows;
  });

const post = (key: SeededKey, body: unknown, headers = {}) =>
  server.call('POST', LEADS, { key, body, headers });

describe('a refused request is remembered with its key', () => {
  test('by status, reason, message, failing fields, request id, address and the pattern of its route', async () => {
    const key = await makeKey();
    const body = newLead({ phone: '12', email: 'nobody', first_name: 'x'.repeat(101) });
    const answer = await post(key, body, { 'x-request-id': 'asked-1' });
    assert.equal(answer.status, 400);
    await server.call('GET', `${LEADS}/lead-of-${MARK}`, { key });
    const [invalid, missing] = await rememberedOnce(key, 2);
    assert.equal(invalid.reason, 'validation');
    assert.equal(invalid.message, answer.json.error);
    assert.deepEqual(invalid.fields, answer.json.errors);
    const { status, request_id, address, method, route, batch_row } = invalid;
    assert.deepEqual(
      { status, request_id, address, method, route, batch_row },
      {
        ...{ status: 400, request_id: 'asked-1', address: '127.0.0.1', method: 'POST' },
        ...{ route: LEADS, batch_row: null },
      },
    );
    assert.deepEqual(
      [missing.status, missing.reason, missing.method, missing.route],
      [404, 'not_found', 'GET', `${LEADS}/:id`],
    );
  });

  test('whatever refused it: the rate limit, a scope, a conflict, the size, the JSON', async () => {
    const key = await makeKey({ scopes: 'leads:write' });
    const lead = newLead();
    await post(key, lead);
    const one = `${LEADS}/${lead.external_lead_id}`;
    const patch = (headers: Record<string, string>, body: unknown) =>
      server.call('PATCH', one, { key, headers, body });
    assert.equal((await server.call('GET', one, { key })).status, 403);
    assert.equal((await patch({ 'if-match': '"0"' }, { first_name: 'A' })).status, 409);
    assert.equal((await patch({}, {})).status, 400);
    assert.equal((await post(key, 'x'.repeat(300_000))).status, 413);
    assert.equal((await post(key, '{')).status, 400);
    const rows = await rememberedOnce(key, 5);
    assert.deepEqual(
      rows.map(({ status, reason }) => `${status} ${reason}`),
      [
        '403 scope_required:leads:read',
        '409 conflict',
        '400 empty_body',
        '413 payload_too_large',
        '400 malformed_json',
      ],
    );
    const limited = await makeKey({ rateLimit: '1/60' });
    await post(limited, newLead());
    assert.equal((await post(limited, newLead())).status, 429);
    const [row] = await rememberedOnce(limited, 1);
    assert.equal(`${row.status} ${row.reason}`, '429 rate_limited');
  });

  test('and so is a wrong or late signature, and the use of a key that has ended', async () => {
    const key = await makeKey();
    const body = newLead();
    const signed = (hmac: Credentials & { timestamp?: number }, headers = {}) =>
      server.call('POST', LEADS, { hmac, body, headers });
    await signed({ ...key, secret_key: 'lwsk_other' });
    await signed({ ...key, timestamp: 1_000_000_000 });
    await database.query('UPDATE api_keys SET revoked_at = now() WHERE public_key = $1', [
      key.public_key,
    ]);
    await eventually(async () => assert.equal((await signed(key)).status, 401));
    await eventually(async () => {
      const reasons = (await remembered(key)).map(({ reason }) => reason);
      assert.deepEqual(reasons.slice(0, 2), ['invalid_signature', 'signature_expired']);
      assert.equal(reasons.at(-1), 'invalid_public_key');
    });
  });

  test('each row of a batch that failed by itself, at most twenty of one batch', async () => {
    const key = await makeKey();
    const bad = () => newLead({ phone: '1' });
    const leads = [
      newLead(),
      bad(),
      newLead({ campaign_id: 999 }),
      ...Array.from({ length: 30 }, bad),
    ];
    assert.equal(
      (await server.call('POST', `${LEADS}/batch`, { key, body: { leads } })).status,
      200,
    );
    const rows = await rememberedOnce(key, 20);
    assert.deepEqual(
      rows.slice(0, 3).map(({ batch_row, reason, fields }) => [batch_row, reason, fields[0].path]),
      [
        [1, 'validation', 'phone'],
        [2, 'validation', 'campaign_id'],
        [3, 'validation', 'phone'],
      ],
    );
  });

  test('and requests that were accepted are not', async () => {
    const key = await makeKey();
    assert.equal((await post(key, newLead())).status, 201);
    assert.equal((await post(key, '{')).status, 400);
    const rows = await rememberedOnce(key, 1);
    assert.equal(rows[0].reason, 'malformed_json');
  });
});

describe('of what was sent nothing is remembered', () => {
  const bad: [what: string, body: unknown, headers?: Record<string, string>][] = [
    ['values of every field', Object.fromEntries(FIELDS().map((name) => [name, MARK]))],
    ['objects for texts', Object.fromEntries(FIELDS().map((name) => [name, { [MARK]: MARK }]))],
    ['unknown fields', newLead({ [MARK]: 1, [`${MARK}@example.com`]: MARK, '+4915112345678': 1 })],
    ['unknown fields within a field', newLead({ address: { [MARK]: MARK } })],
    [
      'many unknown fields',
      Object.fromEntries(Array.from({ length: 50 }, (_, n) => [MARK + n, n])),
    ],
    ['broken JSON', `{"first_name": "${MARK}", ${MARK}`],
    ['a key twice', `{"${MARK}": 1, "${MARK}": "${MARK}"}`],
    ['a number with too many digits', '{"phone": 49151123456789123456}'],
    ['a body that is no object', JSON.stringify(MARK)],
    ['an encoding', newLead(), { 'content-encoding': MARK }],
    ['bytes that are no text', Buffer.from(`{"first_name":"${MARK}\xff"}`, 'latin1')],
  ];

  test('neither in the store nor in the log', async () => {
    const key = await makeKey();
    for (const [what, body, headers] of bad) {
      assert.equal((await post(key, body, headers)).status, 400, what);
    }
    const rows = { leads: bad.map(([, body]) => body).filter((body) => typeof body === 'object') };
    await server.call('POST', `${LEADS}/batch`, { key, body: rows });
    await server.call('POST', `${LEADS}/batch`, {
      key,
      body: `{"first_name":"${MARK}"\n{"${MARK}":1,"${MARK}":2}`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    await server.call('GET', `${LEADS}?${MARK}=${MARK}&limit=${MARK}`, { key });
    await server.call('GET', `${LEADS}/${MARK}`, { key });
    await server.call('PATCH', `${LEADS}/${MARK}`, { key, body: { first_name: MARK } });
    await server.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: `ftp://${MARK}.example`, events: [MARK], description: MARK },
    });
    await server.call('GET', `/api/v1/events?cursor=${MARK}&type=${MARK}`, { key });
    const found = await eventually(async () => {
      const kept = await remembered(key);
      assert.ok(kept.length >= bad.length + 8, `${kept.length}`);
      assert.equal(kept.at(-1).route, '/api/v1/events');
      return kept;
    });
    const text = JSON.stringify(found);
    assert.ok(
      !text.includes(MARK),
      text.slice(Math.max(0, text.indexOf(MARK) - 300)).slice(0, 400),
    );
    assert.doesNotMatch(text, /49151|example\.com|4915112/);
    assert.ok(!server.logs().includes(MARK));
    assert.match(text, /The body has a key twice in one object/);
    assert.match(text, /a number that cannot be kept exactly/);
  });

  test('but the name of a field that reads like one: a typo is what people look for', async () => {
    const key = await makeKey();
    await post(key, newLead({ frist_name: MARK, firstName: MARK }));
    const [row] = await rememberedOnce(key, 1);
    assert.deepEqual(
      row.fields.map(({ path }: Json) => path),
      ['frist_name', 'firstName'],
    );
  });
});

function FIELDS(): string[] {
  return [
    ...['campaign_id', 'external_lead_id', 'phone', 'email', 'first_name', 'last_name', 'source'],
    ...['source_form_url', 'tcpa_consent', 'tcpa_consent_text', 'tcpa_consent_timestamp'],
    ...['custom_fields', 'status', 'address'],
  ];
}

describe('a flood of refused requests', () => {
  test('leaves the newest hundred of its key, and those of other keys alone', async () => {
    const [loud, quiet] = await Promise.all([makeKey(), makeKey()]);
    await post(quiet, '{');
    await rememberedOnce(quiet, 1);
    const send = async (n: number) => post(loud, '{', { 'x-request-id': `flood-${n}` });
    const total = 1_000;
    for (let n = 0; n < total; n += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, i) => send(n + i)));
    }
    await eventually(async () => {
      const rows = await remembered(loud);
      assert.equal(rows.length, 100);
      const numbers = rows.map(({ request_id }) => Number(request_id.slice(6)));
      assert.ok(Math.min(...numbers) >= total - 150, `${Math.min(...numbers)}`);
    });
    assert.equal((await remembered(quiet)).length, 1);
  });

  test('is written out when the service stops', async () => {
    const other = await startServer({ database });
    const key = await makeKey();
    await other.call('POST', LEADS, { key, body: '{' });
    assert.equal(await other.stop(), 0);
    assert.equal((await remembered(key)).length, 1);
  });
});
