import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertFails, BATCH, LEADS, leadBody, openScene } from './scene.ts';

const { server, call, ours, get, insert, one } = await openScene();
const existing = await insert();

type Extra = { headers?: Record<string, string | undefined>; chunked?: boolean };

const post = (body: string | Buffer | undefined, extra: Extra = {}) =>
  call('POST', LEADS, { key: ours.full, body, ...extra });
const patch = (body: string | Buffer | undefined, extra: Extra = {}) =>
  call('PATCH', one(existing.id), { key: ours.full, body, ...extra });
const json = (fields: object = {}) => JSON.stringify(leadBody(fields));

const SIZE_LIMIT = 256 * 1024;

describe('a body that is no JSON is refused: 400 malformed_json', () => {
  const cut = json().slice(0, -1);
  const malformed: [string, string | Buffer][] = [
    ['cut off', cut],
    ['followed by more', `${json()}x`],
    ['two documents', `${json()}${json()}`],
    ['with a trailing comma', `${cut},}`],
    ['with single quotes', json().replaceAll('"', "'")],
    ['with a comment', `/* */${json()}`],
    ['with NaN', `${cut},"custom_fields":{"a":NaN}}`],
    ['with a bare word', 'lead'],
    ['with white space alone', '   '],
    ['with a raw control character', json().replace('lead-', 'lead\u0001-')],
    ['with a raw U+0000', json().replace('lead-', 'lead\u0000-')],
    ['with a byte order mark', `\ufeff${json()}`],
    ['in UTF-16', Buffer.from(json(), 'utf16le')],
    ['with invalid UTF-8', Buffer.from(json().replace('lead-', 'lead\xff-'), 'latin1')],
    ['with an overlong NUL', Buffer.from(json().replace('lead-', 'lead\xc0\x80-'), 'latin1')],
    [
      'with a surrogate in UTF-8',
      Buffer.from(json().replace('lead-', 'lead\xed\xa0\x80-'), 'latin1'),
    ],
    ['cut off within a character', Buffer.from(`${cut},"source":"🐘"}`).subarray(0, -4)],
    ['with a key twice', `${cut},"phone":"+14155550133"}`],
    ['with a key twice, once escaped', `${cut},"\\u0070hone":"+14155550133"}`],
    ['with a key twice deep inside', `${cut},"custom_fields":{"a":[{"b":1,"c":{"d":1,"d":1}}]}}`],
    ['with __proto__ twice', `${cut},"custom_fields":{"__proto__":1,"__proto__":2}}`],
    ['with a number that loses digits', `${cut},"custom_fields":{"a":12345678901234567890}}`],
    [
      'with a negative number that loses digits',
      `${cut},"custom_fields":{"a":[-9007199254740993]}}`,
    ],
    ['with a number out of range', `${cut},"custom_fields":{"a":1e400}}`],
    ['with a hexadecimal number', `${cut},"custom_fields":{"a":0x10}}`],
    ['with a number with a leading zero', `${cut},"custom_fields":{"a":010}}`],
    ['with a bad escape', `${cut},"source":"\\x41"}`],
    ['as a form', 'campaign_id=1&external_lead_id=x&phone=%2B14155550132'],
    ['as XML', '<lead/>'],
    ['with a bomb of arrays', '['.repeat(200_000)],
    ['with a bomb of objects', '{"a":'.repeat(50_000)],
  ];
  for (const [what, body] of malformed) {
    test(what, async () => {
      assertFails(await post(body), 400, 'malformed_json');
      assertFails(await patch(body), 400, 'malformed_json');
      const answer = await call('POST', BATCH, { key: ours.full, body });
      assertFails(answer, 400, 'malformed_json');
    });
  }

  test('the answer quotes none of the body', async () => {
    const answer = await post(`${cut},"first_name":"Rumpelstiltskin",}`);
    assertFails(answer, 400, 'malformed_json');
    assert.equal(/Rumpel|lead-\d/.test(answer.text), false, answer.text);
  });
});

describe('a body that is JSON and no object is refused with a 400', () => {
  for (const body of ['[]', '[{}]', 'null', 'true', '1', '"x"', `[${json()}]`]) {
    test(body.slice(0, 20), async () => {
      assertFails(await post(body), 400);
      assertFails(await patch(body), 400);
    });
  }

  test('well-formed bombs', async () => {
    for (const bomb of [
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
    ]) {
      assertFails(await post(bomb), 400);
      assertFails(await patch(bomb), 400);
      const inside = `${json().slice(0, -1)},"custom_fields":{"a":${bomb}}}`;
      assertFails(await post(inside), 400);
      assertFails(await call('POST', BATCH, { key: ours.full, body: bomb }), 400);
      const row = await call('POST', BATCH, {
        key: ours.full,
        body: `{"leads":[${bomb},${inside}]}`,
      });
      assert.equal(row.status === 200 ? row.json.counts.failed : 2, 2, row.text.slice(0, 200));
      assert.ok(row.status < 500);
    }
  });
});

describe('no body', () => {
  test('is 400 empty_body', async () => {
    for (const send of [post, patch]) {
      assertFails(await send(undefined), 400, 'empty_body');
      assertFails(await send(''), 400, 'empty_body');
      assertFails(
        await send(undefined, { headers: { 'content-type': 'application/json' } }),
        400,
        'empty_body',
      );
      assertFails(await send('', { chunked: true }), 400, 'empty_body');
    }
  });
});

describe('how the body travels', () => {
  test('gzip is refused with a 400, whether it is said or not', async () => {
    const zipped = gzipSync(json());
    assertFails(await post(zipped), 400, 'malformed_json');
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'x']) {
      assertFails(await post(zipped, { headers: { 'content-encoding': encoding } }), 400);
      assertFails(await post(json(), { headers: { 'content-encoding': encoding } }), 400);
    }
    assert.equal((await post(json(), { headers: { 'content-encoding': 'identity' } })).status, 201);
  });

  test('in chunks it is accepted', async () => {
    const answer = await post(json({ source: '🐘'.repeat(200) }), { chunked: true });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.json.lead.source, '🐘'.repeat(200));
  });

  for (const type of [
    undefined,
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'nonsense',
    '/',
    'a/b/c; ;=',
    'image/png',
  ]) {
    test(`it is read as JSON with content type ${JSON.stringify(type)}`, async () => {
      const posted = await post(json(), { headers: { 'content-type': type } });
      assert.equal(posted.status, 201, posted.text);
      const edited = await patch('{"source":"x"}', { headers: { 'content-type': type } });
      assert.equal(edited.status, 200, edited.text);
    });
  }

  test('of 256 KiB it is accepted, and one byte more is 413 payload_too_large', async () => {
    const body = json();
    assert.equal((await post(body.padEnd(SIZE_LIMIT))).status, 201);
    assertFails(await post(json().padEnd(SIZE_LIMIT + 1)), 413, 'payload_too_large');
    assertFails(
      await post(json().padEnd(SIZE_LIMIT + 1), { chunked: true }),
      413,
      'payload_too_large',
    );
    assert.equal((await post(json().padEnd(SIZE_LIMIT), { chunked: true })).status, 201);
    assert.equal((await patch('{"source":"y"}'.padEnd(SIZE_LIMIT))).status, 200);
    assertFails(await patch('{"source":"z"}'.padEnd(SIZE_LIMIT + 1)), 413, 'payload_too_large');
    assert.equal((await get(existing.id)).json.lead.source, 'y');
  });

  test('of 20 MB it is 413, and the connection is no trouble to the next request', async () => {
    const answer = await post('x'.repeat(20_000_000)).catch((error) => error);
    // The server may close while the client still sends: then the client sees a reset.
    if (!(answer instanceof Error)) assertFails(answer, 413, 'payload_too_large');
    assert.equal((await post(json())).status, 201);
  });

  test('numbers that are exact in a double are accepted and come back as they were', async () => {
    const numbers =
      '[9007199254740991,-9007199254740991,10000000000000000000000,0.1,1e21,123456789.123456]';
    const answer = await post(`${json().slice(0, -1)},"custom_fields":{"n":${numbers}}}`);
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(answer.json.lead.custom_fields.n, JSON.parse(numbers));
  });
});

test('the process has lived through all of it', async () => {
  assert.equal((await server.call('GET', '/healthz')).status, 200);
  assert.equal(server.alive(), true);
});
