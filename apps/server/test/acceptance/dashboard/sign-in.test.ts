import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import type { Answer } from '../../support/call.ts';
import {
  createTestDatabase,
  eventually,
  PASSWORD,
  SEEDED_PASSWORD,
  seed,
  startServer,
  visitor,
} from '../../support/index.ts';
import { startMailServer } from '../../support/mail-server.ts';

const PUBLIC = 'https://leads.example.com';
const database = await createTestDatabase();
const mail = await startMailServer();
const [plain, proxied] = await Promise.all([
  startServer({ database }),
  startServer({
    database,
    env: {
      LEADWIRE_PUBLIC_URL: PUBLIC,
      LEADWIRE_TRUST_PROXY: '1',
      SMTP_URL: mail.url,
      LEADWIRE_MAIL_FROM: 'Leadwire <leads@example.com>',
    },
  }),
]);
after(async () => {
  await Promise.all([plain.stop(), proxied.stop()]);
  await mail.close();
});
const { ours, people } = seed();

let addresses = 0;
const newAddress = (): string => `198.51.100.${++addresses}`;

/** Signs in behind the proxy. */
const signIn = (
  email: string,
  password: string,
  { from = newAddress(), who = visitor(proxied) } = {},
): Promise<Answer> =>
  who.call('POST', '/sign-in', {
    body: { email, password },
    headers: { 'x-forwarded-for': from },
  });

/** An answer without what is another one each time. */
const shape = ({ status, json, headers }: Answer) => {
  const { request_id: _, ...body } = json;
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, body, headers: rest };
};

describe('a stranger learns nothing about who is known', () => {
  test('from signing in with a wrong password', async () => {
    const known = await signIn(people.owner.email, 'not the password');
    const unknown = await signIn('nobody@example.com', 'not the password');
    assert.equal(known.status, 401);
    assert.deepEqual(shape(known), shape(unknown));
    assert.equal(known.headers['set-cookie'], undefined);
  });

  test('from asking for a new password, which is mailed to who is known', async () => {
    const ask = (email: string) =>
      visitor(proxied).call('POST', '/password-reset', {
        body: { email },
        headers: { 'x-forwarded-for': newAddress() },
      });
    const [known, unknown] = [await ask('ADAM@example.com'), await ask('nobody@example.com')];
    assert.equal(known.status, 200);
    assert.deepEqual(shape(known), shape(unknown));
    const [text = ''] = await eventually(async () => {
      assert.equal(mail.mails.length, 1);
      return mail.mails;
    });
    assert.match(text, /^To: adam@example\.com$/m);
    assert.match(text, /^From: Leadwire <leads@example\.com>$/m);
    const [, token = ''] = /https:\/\/leads\.example\.com\/reset#(\w+)/.exec(unfolded(text)) ?? [];
    const body = { token, password: PASSWORD };
    const done = await visitor(proxied).call('POST', '/password-reset/finish', { body });
    assert.equal(done.status, 200);
    assert.equal((await signIn(people.admin.email, PASSWORD)).status, 200);
    mail.mails.length = 0;
  });
});

describe('failed tries', () => {
  const wrong = (email: string, options = {}) => signIn(email, randomUUID(), options);

  test("of a name are ten, known or not; its owner's browser goes on", async () => {
    const { email } = people.member;
    const browser = visitor(proxied);
    assert.equal((await signIn(email, SEEDED_PASSWORD, { who: browser })).status, 200);
    assert.equal((await browser.call('POST', '/sign-out')).status, 200);
    const last: Answer[] = [];
    for (const name of [email, 'somebody@example.com']) {
      const tries = await Promise.all(Array.from({ length: 16 }, () => wrong(name)));
      const statuses = tries.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 401).length, 10, 'all at once, too');
      assert.equal(statuses.filter((status) => status === 429).length, 6);
      last.push(await signIn(name, SEEDED_PASSWORD));
    }
    const [known, unknown] = last.map(shape) as [ReturnType<typeof shape>, unknown];
    assert.equal(known.status, 429);
    assert.equal(known.body.error, 'too_many_tries');
    const wait = Number(known.headers['retry-after']);
    assert.ok(Number.isInteger(wait) && wait > 0 && wait <= 900, String(wait));
    const same = (one: ReturnType<typeof shape>) => ({
      ...one,
      headers: { ...one.headers, 'retry-after': '' },
    });
    assert.deepEqual(same(known), same(unknown as ReturnType<typeof shape>));
    assert.equal((await signIn(email, SEEDED_PASSWORD, { who: browser })).status, 200);
    assert.equal((await browser.call('GET', '/me')).status, 200);
  });

  test('of an address are thirty, whatever the names; another address goes on', async () => {
    const from = newAddress();
    const names = [people.owner, people.viewer, people.stranger].map(({ email }) => email);
    for (const name of names) {
      const tries = await Promise.all(Array.from({ length: 9 }, () => wrong(name, { from })));
      assert.ok(tries.every(({ status }) => status === 401));
    }
    for (let n = 0; n < 3; n++) {
      assert.equal((await wrong(`nobody${n}@example.com`, { from })).status, 401);
    }
    const { email } = people.admin;
    assert.equal((await signIn(email, PASSWORD, { from })).status, 429);
    assert.equal((await signIn(email, PASSWORD)).status, 200);
  });

  test('of an address are thirty with links that are none, too', async () => {
    const from = newAddress();
    const open = (path: string, body: object) =>
      visitor(proxied).call('POST', path, { body, headers: { 'x-forwarded-for': from } });
    const tries = Array.from({ length: 16 }, (_, n) => [
      open('/invitation', { token: `lwjoin_${n}` }),
      open('/password-reset/finish', { token: `lwreset_${n}`, password: PASSWORD }),
    ]).flat();
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 410).length, 30, String(statuses));
    assert.equal(statuses.filter((status) => status === 429).length, 2);
  });

  test('with the old password of a session are ten', async () => {
    const who = visitor(proxied, people.viewer.cookie);
    const body = { current_password: 'not this', new_password: PASSWORD };
    const tries = Array.from({ length: 12 }, () => who.call('POST', '/me/password', { body }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 403).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 2);
  });
});

describe('cookies', () => {
  const cookiesOf = ({ headers }: Answer): string[] => headers['set-cookie'] ?? [];

  test('are for this host and no script; over https for https alone', async () => {
    const body = { email: people.stranger.email, password: SEEDED_PASSWORD };
    const overHttp = cookiesOf(await visitor(plain).call('POST', '/sign-in', { body }));
    const overHttps = cookiesOf(await signIn(body.email, body.password));
    for (const cookie of [...overHttp, ...overHttps]) {
      assert.match(cookie, /; HttpOnly; SameSite=Lax/);
      assert.doesNotMatch(cookie, /Domain/i);
    }
    const sessions = [overHttp, overHttps].map(([cookie = '']) => cookie);
    for (const cookie of sessions) assert.match(cookie, /^leadwire\.session_token=.*; Path=\/;/);
    assert.ok(overHttps.length === 2 && overHttps.every((one) => one.endsWith('; Secure')));
    assert.ok(overHttp.length === 2 && overHttp.every((one) => !/secure/i.test(one)));
  });

  test('a client that claims to come by https, without a trusted proxy, is not believed', async () => {
    const answer = await visitor(plain).call('POST', '/sign-in', {
      body: { email: people.owner.email, password: SEEDED_PASSWORD },
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' },
    });
    assert.ok(cookiesOf(answer).every((cookie) => !/secure/i.test(cookie)));
    const { json } = await visitor(plain, people.owner.cookie).call('GET', '/me/sessions');
    assert.ok(!JSON.stringify(json).includes('203.0.113.9'));
  });
});

describe('a page of another site', () => {
  const refused = async (headers: Record<string, string>, server = plain) => {
    const who = visitor(server, people.owner.cookie);
    const body = { name: 'Changed elsewhere' };
    return (await who.call('PATCH', '/me', { body, headers })).status === 403;
  };

  test('changes nothing, signs nobody in or out', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${plain.url}0` },
      { origin: PUBLIC },
    ]) {
      assert.ok(await refused(headers), JSON.stringify(headers));
    }
    const origin = 'https://evil.example';
    for (const path of ['/sign-in', '/sign-out', '/invitation/sign-up', '/password-reset']) {
      const answer = await visitor(plain, people.owner.cookie).call('POST', path, {
        ...{ body: {}, headers: { origin } },
      });
      assert.deepEqual([answer.status, answer.json.error], [403, 'cross_site_refused'], path);
    }
    const { json } = await visitor(plain, people.owner.cookie).call('GET', '/me');
    assert.equal(json.name, people.owner.name);
  });

  test('is not the page of the service itself, nor of its public address', async () => {
    assert.equal(await refused({ origin: plain.url }), false);
    assert.equal(await refused({ origin: PUBLIC }, proxied), false);
  });
});

test('an invitation for an address is mailed with the public address, and not shown to the inviter', async () => {
  const who = visitor(proxied, people.owner.cookie);
  const invite = (body: object) =>
    who.call('POST', `/accounts/${ours.id}/invitations`, { body, headers: { origin: PUBLIC } });
  const { json } = await invite({ role: 'member', email: 'New@example.com' });
  assert.equal(json.link, null);
  assert.equal(json.invitation.email, 'new@example.com');
  const [text = ''] = mail.mails;
  assert.match(text, /^To: new@example\.com$/im);
  assert.match(unfolded(text), /https:\/\/leads\.example\.com\/join#lwjoin_\w+/);
  const open = await invite({ role: 'member' });
  assert.match(open.json.link, /^https:\/\/leads\.example\.com\/join#lwjoin_\w+$/);
});

test('where the mail server refuses, the link is shown', async () => {
  await mail.close();
  const who = visitor(proxied, people.owner.cookie);
  const body = { role: 'viewer', email: 'later@example.com' };
  const { json } = await who.call('POST', `/accounts/${ours.id}/invitations`, { body });
  assert.match(json.link, /^https:\/\/leads\.example\.com\/join#lwjoin_\w+$/);
  await eventually(() => assert.match(proxied.logs(), /an invitation could not be mailed/));
  assert.ok(!proxied.logs().includes('later@example.com'));
});

/** Quoted-printable text (RFC 2045 section 6.7) as it was written. */
function unfolded(text: string): string {
  return text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
