import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { type Json, openDashboard, type SeededKey, stringToSign } from '../../support/index.ts';

const TARGET = '/api/v1/insertion/leads?b=2&a=%20x';
const BODY = '{"campaign_id":1,"external_lead_id":"x"}';

const { database, ours, theirs, as } = await openDashboard();

// Each person may ask thirty times a minute; what a test asked before must not count here.
let asked = 0;
async function check(fields: Json): Promise<Json> {
  const askers = (['viewer', 'member', 'admin', 'owner'] as const).map(as);
  const asker = askers[Math.floor(asked++ / 25)];
  assert.ok(asker, 'the tests ask more often than people may');
  const body = { ...fields };
  const path = `/accounts/${ours.id}/signature-check`;
  const answer = await asker.call('POST', path, { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const now = () => Math.floor(Date.now() / 1000);
const hmac = (key: SeededKey, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', key.secret_key).update(text).digest(encoding);

/** A request with its right signature; `signed` is what its sender signed instead. */
function request({ timestamp = now(), ...signed }: { timestamp?: number; text?: string } = {}) {
  const key = ours.full;
  const text =
    signed.text ?? stringToSign({ method: 'POST', target: TARGET, body: BODY, timestamp });
  return {
    ...{ method: 'POST', target: TARGET, body: BODY, public_key: key.public_key },
    timestamp: String(timestamp),
    signature: hmac(key, text),
  };
}

describe('the signature check', () => {
  test('finds a right signature right, as the service does, and shows the five lines', async () => {
    const asked = request();
    const result = await check(asked);
    assert.equal(result.verdict, 'valid');
    const hash = createHash('sha256').update(BODY).digest('hex');
    assert.deepEqual(
      result.expected.map(({ value }: Json) => value),
      [asked.timestamp, 'POST', '/api/v1/insertion/leads', 'b=2&a=%20x', hash],
    );
    assert.ok(Math.abs(result.skew_seconds) <= 5);
    assert.equal(result.differences, null);
  });

  const lines = (timestamp: number, body = BODY) =>
    stringToSign({ method: 'POST', target: TARGET, body, timestamp }).split('\n');
  const mistakes: [cause: RegExp, text: (timestamp: number) => string][] = [
    [/ends in a line break/, (at) => lines(at, `${BODY}\n`).join('\n')],
    [/An empty body was signed/, (at) => lines(at, '').join('\n')],
    [
      /same JSON was signed in another form/,
      (at) => lines(at, JSON.stringify(JSON.parse(BODY), null, 2)).join('\n'),
    ],
    [
      /fifth line that was signed is the body itself/,
      (at) => [...lines(at).slice(0, 4), BODY].join('\n'),
    ],
    [
      /hash of the body in the fifth line is upper-case/,
      (at) => [...lines(at).slice(0, 4), lines(at)[4]?.toUpperCase()].join('\n'),
    ],
    [
      /Path and query were signed as one line/,
      (at) => [at, 'POST', TARGET, '', lines(at)[4]].join('\n'),
    ],
    [
      /query was signed with its question mark/,
      (at) => [...lines(at).slice(0, 3), '?b=2&a=%20x', lines(at)[4]].join('\n'),
    ],
    [
      /parameters of the query were sorted/,
      (at) => [...lines(at).slice(0, 3), 'a=%20x&b=2', lines(at)[4]].join('\n'),
    ],
    [/signed decoded/, (at) => [...lines(at).slice(0, 3), 'b=2&a= x', lines(at)[4]].join('\n')],
    [/method was signed in lower case/, (at) => lines(at).join('\n').replace('POST', 'post')],
    [/signed in milliseconds/, (at) => lines(at).join('\n').replace(/^\d+/, '$&000')],
    [/A line break follows the fifth line/, (at) => `${lines(at).join('\n')}\n`],
    [/joined by CRLF/, (at) => lines(at).join('\r\n')],
    [/joined by a backslash and an n/, (at) => lines(at).join('\\n')],
    [/without \/api\/v1/, (at) => lines(at).join('\n').replace('/api/v1', '')],
  ];
  test('names the cause of each usual mistake', async () => {
    for (const [cause, text] of mistakes) {
      const timestamp = now();
      const result = await check(request({ timestamp, text: text(timestamp) }));
      assert.equal(result.verdict, 'mismatch', String(cause));
      assert.match(result.message, cause);
    }
    const shorter = request();
    const result = await check({ ...shorter, body: `${BODY}\n` });
    assert.match(result.message, /lacks the line break at the end/);
  });

  test('names a signature that is written otherwise, and one by another key of the account', async () => {
    const right = request();
    const upper = { ...right, signature: right.signature.toUpperCase() };
    assert.match((await check(upper)).message, /upper-case hex/);
    const base64 = Buffer.from(right.signature, 'hex').toString('base64');
    assert.match((await check({ ...right, signature: base64 })).message, /base64/);
    const spaced = { ...right, signature: ` ${right.signature} ` };
    assert.match((await check(spaced)).message, /more around it/);
    assert.match((await check({ ...right, signature: 'x' })).message, /64 digits/);
    const other = { ...right, public_key: ours.reader.public_key };
    const result = await check(other);
    assert.equal(result.verdict, 'mismatch');
    assert.ok(result.message.includes(ours.full.public_key), result.message);
  });

  test('judges the timestamp, and the signature beside it', async () => {
    const late = await check(request({ timestamp: now() - 301 }));
    assert.equal(late.verdict, 'expired');
    assert.match(late.message, /30[1-9] seconds behind.*Apart from that the signature is right/s);
    const ms = await check({ ...request(), timestamp: String(Date.now()) });
    assert.match(ms.message, /is in milliseconds/);
    const none = await check({ ...request(), timestamp: 'now' });
    assert.deepEqual([none.verdict, none.skew_seconds], ['timestamp_malformed', null]);
  });

  test('shows line by line where the sender signed something else', async () => {
    const timestamp = now();
    const text = lines(timestamp).join('\n').replace('POST', 'PUT');
    const result = await check({ ...request({ timestamp, text }), string_to_sign: text });
    assert.match(result.message, /Secret and HMAC are right/);
    assert.deepEqual(result.differences, [
      { line: 2, name: 'method', expected: 'POST', given: 'PUT' },
    ]);
  });

  test('takes the key of another account for one that there is not', async () => {
    const own = request();
    const text = stringToSign({ ...own, target: TARGET });
    const foreign = {
      ...own,
      public_key: theirs.full.public_key,
      signature: hmac(theirs.full, text),
    };
    const unknown = { ...own, public_key: 'lwpk_0000' };
    const [one, two] = [await check(foreign), await check(unknown)];
    assert.deepEqual([one.verdict, one.message], ['unknown_key', two.message]);
    await database.query('UPDATE api_keys SET revoked_at = now() WHERE public_key = $1', [
      ours.writer.public_key,
    ]);
    const revoked = await check({ ...own, public_key: ours.writer.public_key });
    assert.match(revoked.message, /was revoked at/);
  });
});

describe('the signature check is no way to get a signature', () => {
  test('whatever it is asked, nothing in its answer is the signature of the request or of the text', async () => {
    const right = request();
    const secrets = Object.values(ours).filter((key) => typeof key === 'object');
    const texts = [lines5(right), 'a text of mine'];
    const asked = [
      { ...right, signature: 'f'.repeat(64) },
      { ...right, signature: '', string_to_sign: 'a text of mine' },
      { ...right, timestamp: '', string_to_sign: lines5(right) },
      { ...right, public_key: right.signature },
    ];
    for (const fields of asked) {
      const answer = JSON.stringify(await check(fields));
      for (const key of secrets) {
        assert.ok(!answer.includes((key as SeededKey).secret_key.slice(5)));
        for (const text of texts) {
          assert.ok(!answer.includes(hmac(key as SeededKey, text)));
          assert.ok(!answer.includes(hmac(key as SeededKey, text, 'base64')));
        }
      }
    }
  });

  test('and a person may ask thirty times a minute', async () => {
    const path = `/accounts/${theirs.id}/signature-check`;
    const stranger = as('stranger');
    const answers: Json[] = [];
    for (let n = 0; n < 31; n++)
      answers.push(await stranger.call('POST', path, { body: request() }));
    assert.ok(answers.slice(0, 30).every(({ status }) => status === 200));
    assert.equal(answers[30].status, 429);
    assert.ok(Number(answers[30].headers['retry-after']) >= 1);
    assert.equal((await as('viewer').call('GET', `/accounts/${ours.id}/keys`)).status, 200);
  });
});

const lines5 = ({ timestamp }: { timestamp: string }) =>
  stringToSign({ method: 'POST', target: TARGET, body: BODY, timestamp });
