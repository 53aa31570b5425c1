import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  cli,
  cliJson,
  invite,
  openDashboard,
  PASSWORD,
  SEEDED_PASSWORD,
  signUp,
  startServer,
  tokenOf,
  visitor,
} from '../../support/index.ts';
import { assertNoneLogged } from './secrets.ts';
import { totp } from './totp.ts';

const { database, server, ours, people, as } = await openDashboard();
const { env, query } = database;
const secrets: string[] = [PASSWORD, SEEDED_PASSWORD];

describe('a second factor', () => {
  test('is asked for once it is confirmed; a code is good once, a backup code too', async () => {
    const { email } = people.member;
    const mia = as('member');
    const wrong = await mia.call('POST', '/me/second-factor', { body: { password: 'wrong one' } });
    assert.equal(wrong.json.error, 'password_wrong');
    const begun = await mia.call('POST', '/me/second-factor', {
      body: { password: SEEDED_PASSWORD },
    });
    const { uri, secret, backup_codes: backup, qr } = begun.json;
    secrets.push(secret, ...backup);
    assert.match(uri, /^otpauth:\/\/totp\/Leadwire:mia%40example\.com\?/);
    assert.match(qr.path, /^(?:M\d+ \d+h\d+v1h-\d+z)+$/);
    assert.equal((await mia.call('GET', '/me')).json.second_factor, false);
    const [row] = await query('SELECT f::text AS text FROM user_second_factors f');
    assert.ok(!row.text.includes(secret) && !row.text.includes(backup[0]), 'sealed at rest');

    const confirm = (code: string) =>
      mia.call('POST', '/me/second-factor/confirm', { body: { code } });
    assert.equal((await confirm('000000')).json.error, 'code_refused');
    assert.equal((await confirm(totp(secret))).status, 200);
    assert.equal((await mia.call('GET', '/me')).json.second_factor, true);

    const challenged = async () => {
      const who = visitor(server);
      const { json } = await who.call('POST', '/sign-in', {
        body: { email, password: SEEDED_PASSWORD },
      });
      assert.equal(json.second_factor, true);
      assert.equal((await who.call('GET', '/me')).status, 401, 'no session before the code');
      return (code: string) =>
        who.call('POST', '/sign-in/second-factor', { body: { code } }).then(async (answer) => ({
          ...{ status: answer.status, error: answer.status === 200 ? null : answer.json.error },
          isIn: (await who.call('GET', '/me')).status === 200,
        }));
    };
    const code = totp(secret, { stepsAhead: 1 });
    assert.deepEqual(await (await challenged())(code), { status: 200, error: null, isIn: true });
    const replayed = await (await challenged())(code);
    assert.deepEqual(replayed, { status: 401, error: 'code_refused', isIn: false });
    assert.equal((await (await challenged())(backup[0])).isIn, true);
    assert.equal((await (await challenged())(backup[0])).error, 'code_refused');
    const both = [await challenged(), await challenged()];
    const atOnce = await Promise.all(both.map((verify) => verify(backup[3])));
    assert.deepEqual(atOnce.map(({ isIn }) => isIn).toSorted(), [false, true]);

    const guess = await challenged();
    for (let n = 0; n < 5; n++) assert.equal((await guess('nothing')).error, 'code_refused');
    assert.equal((await guess(backup[1])).error, 'sign_in_again', 'five tries, then none');
    assert.equal((await (await challenged())(backup[1])).isIn, true);
    await worksWithRotatedKey({ email, code: backup[2] });

    const wrongAgain = { body: { password: 'wrong one' } };
    const kept = await mia.call('POST', '/me/second-factor/end', wrongAgain);
    assert.equal(kept.json.error, 'password_wrong');
    const end = { body: { password: SEEDED_PASSWORD } };
    assert.equal((await mia.call('POST', '/me/second-factor/end', end)).status, 200);
    const plain = await visitor(server).call('POST', '/sign-in', {
      body: { email, password: SEEDED_PASSWORD },
    });
    assert.equal(plain.json.second_factor, false);
  });

  test('wrong codes to confirm a second factor are ten', async () => {
    const confirm = () =>
      as('owner').call('POST', '/me/second-factor/confirm', { body: { code: '000000' } });
    const statuses = (await Promise.all(Array.from({ length: 12 }, confirm))).map(
      ({ status }) => status,
    );
    assert.equal(statuses.filter((status) => status === 429).length, 2, String(statuses));
  });

  test('of who has lost it is ended by the operator', async () => {
    const { email } = people.viewer;
    const victor = as('viewer');
    const begun = await victor.call('POST', '/me/second-factor', {
      body: { password: SEEDED_PASSWORD },
    });
    const body = { code: totp(begun.json.secret) };
    assert.equal((await victor.call('POST', '/me/second-factor/confirm', { body })).status, 200);
    await cliJson(['members', 'end-second-factor', '--email', email], env);
    const answer = await visitor(server).call('POST', '/sign-in', {
      body: { email, password: SEEDED_PASSWORD },
    });
    assert.equal(answer.json.second_factor, false);
    assert.equal((await victor.call('GET', '/me')).json.second_factor, false);
  });
});

/** A code is good after the encryption key was rotated. */
async function worksWithRotatedKey({ email, code }: { email: string; code: string }) {
  const rotated = `${randomBytes(32).toString('base64')},${env.LEADWIRE_ENCRYPTION_KEY}`;
  const other = await startServer({ database, env: { LEADWIRE_ENCRYPTION_KEY: rotated } });
  const who = visitor(other);
  await who.call('POST', '/sign-in', { body: { email, password: SEEDED_PASSWORD } });
  const { status } = await who.call('POST', '/sign-in/second-factor', { body: { code } });
  await other.stop();
  assert.equal(status, 200);
}

describe('a password', () => {
  test('is changed with the old one, which ends every other session', async () => {
    const { email } = people.admin;
    const here = as('admin');
    const there = visitor(server, here.cookie());
    const next = 'another long sentence';
    secrets.push(next);
    const change = (current_password: string, new_password: string) =>
      here.call('POST', '/me/password', { body: { current_password, new_password } });
    assert.equal((await change('not this one', next)).json.error, 'password_wrong');
    assert.equal((await change(SEEDED_PASSWORD, email)).status, 400);
    assert.equal((await change(SEEDED_PASSWORD, next)).status, 200);
    assert.equal((await here.call('GET', '/me')).status, 200);
    assert.equal((await there.call('GET', '/me')).status, 401);
    const signIn = (password: string) =>
      visitor(server).call('POST', '/sign-in', { body: { email, password } });
    assert.equal((await signIn(SEEDED_PASSWORD)).status, 401);
    assert.equal((await signIn(next)).status, 200);
  });

  test('that is new ends links to reset it, and sign-ins with the old one that wait for a code', async () => {
    const email = 'ruth@example.com';
    const [second, third] = ['the second long sentence', 'the third long sentence'];
    const link = await invite(env, { account: ours.id, role: 'viewer' });
    const ruth = await signUp(server, { link, email });
    const begun = await ruth.call('POST', '/me/second-factor', { body: { password: PASSWORD } });
    const { secret, backup_codes: backup } = begun.json;
    const body = { code: totp(secret) };
    assert.equal((await ruth.call('POST', '/me/second-factor/confirm', { body })).status, 200);
    secrets.push(second, third, secret, ...backup);
    const waiting = async (password: string) => {
      const who = visitor(server);
      const { json } = await who.call('POST', '/sign-in', { body: { email, password } });
      assert.equal(json.second_factor, true);
      return () => who.call('POST', '/sign-in/second-factor', { body: { code: backup[0] } });
    };
    const makeLink = async () => {
      const { link } = await cliJson(['members', 'reset-link', '--email', email], env);
      secrets.push(tokenOf(link));
      return (password: string) =>
        visitor(server).call('POST', '/password-reset/finish', {
          body: { token: tokenOf(link), password },
        });
    };

    const [old, older] = [await makeLink(), await waiting(PASSWORD)];
    const change = { current_password: PASSWORD, new_password: second };
    assert.equal((await ruth.call('POST', '/me/password', { body: change })).status, 200);
    assert.equal((await older()).json.error, 'sign_in_again');
    assert.equal((await old(third)).json.error, 'link_invalid');

    const [one, other] = [await makeLink(), await makeLink()];
    const verify = await waiting(second);
    assert.equal((await one(third)).status, 200);
    assert.equal((await verify()).json.error, 'sign_in_again');
    assert.equal((await other(second)).json.error, 'link_invalid');
    assert.equal((await (await waiting(third))()).status, 200, 'the code is still good');
  });

  test('is set anew by a link of the operator, once, which ends every session', async () => {
    const { email } = people.stranger;
    const { link } = await cliJson(['members', 'reset-link', '--email', email], env);
    const token = tokenOf(link);
    secrets.push(token);
    const [row] = await query(
      'SELECT count(*)::int AS n FROM user_verifications v WHERE v::text LIKE $1',
      [`%${token}%`],
    );
    assert.equal(row.n, 0, 'stored as a hash alone');
    const finish = (password: string) =>
      visitor(server).call('POST', '/password-reset/finish', { body: { token, password } });
    assert.equal((await finish(email)).status, 400, 'a weak one does not use up the link');
    const next = 'quite another sentence';
    secrets.push(next);
    const answers = await Promise.all([finish(next), finish(next), finish(next)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 410, 410]);
    assert.equal((await as('stranger').call('GET', '/me')).status, 401);
    const body = { email, password: next };
    assert.equal((await visitor(server).call('POST', '/sign-in', { body })).status, 200);
    const unknown = await cli(['members', 'reset-link', '--email', 'no@example.com'], env);
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [1, 'There is no person with this address.\n'],
    );
  });
});

test('nothing that lets a person in stands in the log', () => {
  assert.ok(secrets.length > 10);
  assertNoneLogged(server, secrets);
});
