import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import {
  cli,
  cliJson,
  invite,
  openDashboard,
  PASSWORD,
  SEEDED_PASSWORD,
  signUp,
  tokenOf,
  type Visitor,
  visitor,
} from '../../support/index.ts';
import { assertNoneLogged } from './secrets.ts';

const { database, server, ours, people, as } = await openDashboard();
const { env, query } = database;
const secrets: string[] = [PASSWORD, SEEDED_PASSWORD];

/** An account whose only member is the owner. */
async function ownAccount(): Promise<string> {
  const id = randomUUID();
  await query(`INSERT INTO accounts (id, name, created_at) VALUES ($1, 'Own', now())`, [id]);
  await query(`INSERT INTO members VALUES ($1, $2, 'owner', now())`, [id, people.owner.id]);
  return id;
}

async function inviteBy(who: Visitor, account: string, body: object): Promise<string> {
  const answer = await who.call('POST', `/accounts/${account}/invitations`, { body });
  assert.equal(answer.status, 200, answer.text);
  secrets.push(tokenOf(answer.json.link));
  return tokenOf(answer.json.link);
}

const accept = (who: Visitor, token: string) =>
  who.call('POST', '/invitation/accept', { body: { token } });
const rolesOf = async (account: string): Promise<Record<string, string>> => {
  const { json } = await as('owner').call('GET', `/accounts/${account}/members`);
  return Object.fromEntries(
    json.members.map((one: { id: string; role: string }) => [one.id, one.role]),
  );
};

/** Sends the head of a PATCH alone, and waits until it was let in. @returns what sends its body; answers the status */
async function beginPatch(path: string, cookie: string) {
  const outgoing = request(`${server.url}/dashboard/api${path}`, {
    method: 'PATCH',
    // The answer 100 comes when the service has taken the head.
    headers: { cookie, expect: '100-continue', 'transfer-encoding': 'chunked' },
  });
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  // Asked later on another connection, and answered by the same steps: the first has been let in by then.
  await as('viewer').call('GET', path);
  return async (body: object): Promise<number> => {
    outgoing.end(JSON.stringify(body));
    const [incoming] = await once(outgoing, 'response');
    incoming.resume();
    return incoming.statusCode;
  };
}

describe('a link to join with', () => {
  test('shows what it is for, makes a new person a member, and is then used up', async () => {
    const token = await inviteBy(as('owner'), ours.id, { role: 'admin' });
    const shown = await visitor(server).call('POST', '/invitation', { body: { token } });
    assert.equal(shown.json.account_name, 'Ours');
    assert.equal(shown.json.role, 'admin');
    assert.equal(shown.json.email, null);
    const ada = await signUp(server, { link: token, email: 'Ada@Example.com' });
    assert.equal(ada.accountId, ours.id);
    const { json: me } = await ada.call('GET', '/me');
    assert.equal(me.email, 'ada@example.com');
    assert.deepEqual(me.accounts, [{ account_id: ours.id, account_name: 'Ours', role: 'admin' }]);
    const again = await visitor(server).call('POST', '/invitation', { body: { token } });
    assert.equal(again.status, 410);
    assert.equal(again.json.error, 'link_invalid');
  });

  test('is stored as a hash alone', async () => {
    const token = await inviteBy(as('owner'), ours.id, { role: 'viewer' });
    const [row] = await query(
      'SELECT count(*)::int AS n FROM invitations i WHERE i::text LIKE $1',
      [`%${token}%`],
    );
    assert.equal(row.n, 0);
  });

  test('lets in one of many who use it at the same moment', async () => {
    const account = await ownAccount();
    const token = await inviteBy(as('owner'), account, { role: 'member' });
    const hopeful = (['admin', 'member', 'viewer', 'stranger'] as const).map(as);
    const answers = await Promise.all(hopeful.map((who) => accept(who, token)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 410, 410, 410]);
    assert.equal(Object.keys(await rolesOf(account)).length, 2);
  });

  test('makes one person of several who sign up with it at the same moment', async () => {
    const account = await ownAccount();
    const token = await inviteBy(as('owner'), account, { role: 'member' });
    const bodies = [1, 2, 3].map((n) => ({
      ...{ token, name: `Racer ${n}`, email: `racer${n}@example.com`, password: PASSWORD },
    }));
    const answers = await Promise.all(
      bodies.map((body) => visitor(server).call('POST', '/invitation/sign-up', { body })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 410, 410]);
    const [row] = await query(`SELECT count(*)::int AS n FROM users WHERE email LIKE 'racer%'`);
    assert.equal(row.n, 1);
  });

  test('for one address is not for another, neither for new nor for known people', async () => {
    const account = await ownAccount();
    const body = { role: 'member', email: 'Adam@example.com' };
    const token = await inviteBy(as('owner'), account, body);
    const other = await accept(as('viewer'), token);
    assert.equal(other.status, 403);
    assert.equal(other.json.error, 'invitation_for_another_address');
    const person = { name: 'Eve', email: 'eve@example.com', password: PASSWORD, token };
    const eve = await visitor(server).call('POST', '/invitation/sign-up', { body: person });
    assert.equal(eve.status, 403);
    assert.equal((await accept(as('admin'), token)).status, 200);
  });

  test('tells a person who is known to sign in first, and can still be used then', async () => {
    const account = await ownAccount();
    const token = await inviteBy(as('owner'), account, { role: 'member' });
    const { email } = people.viewer;
    const body = { token, name: 'Victor', email: email.toUpperCase(), password: PASSWORD };
    const refused = await visitor(server).call('POST', '/invitation/sign-up', { body });
    assert.equal(refused.status, 409);
    assert.equal(refused.json.error, 'sign_in_first');
    assert.equal((await accept(as('viewer'), token)).status, 200);
    const more = await inviteBy(as('owner'), account, { role: 'viewer' });
    assert.equal((await accept(as('viewer'), more)).json.error, 'member_already');
    assert.equal((await accept(as('member'), more)).status, 200, 'it was not used up');
  });

  test('tells of ten addresses that they are known, and of no more', async () => {
    const token = await inviteBy(as('owner'), ours.id, { role: 'viewer' });
    const body = { token, name: 'Nosy', email: people.admin.email, password: PASSWORD };
    const ask = () => visitor(server).call('POST', '/invitation/sign-up', { body });
    const statuses = (await Promise.all(Array.from({ length: 13 }, ask))).map(
      ({ status }) => status,
    );
    assert.equal(statuses.filter((status) => status === 409).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 3);
  });

  test('is one of a hundred that an account makes in an hour', async () => {
    const account = await ownAccount();
    const ask = () =>
      as('owner').call('POST', `/accounts/${account}/invitations`, { body: { role: 'viewer' } });
    const answers = await Promise.all(Array.from({ length: 101 }, ask));
    secrets.push(...answers.flatMap(({ json }) => json.link ?? []).map(tokenOf));
    const refused = answers.filter(({ status }) => status !== 200);
    assert.deepEqual(
      refused.map(({ json }) => json.error),
      ['rate_limited'],
    );
  });

  test('ends after seven days, and when it is withdrawn', async () => {
    const account = await ownAccount();
    const owner = as('owner');
    const [late, gone] = [
      await inviteBy(owner, account, { role: 'member' }),
      await inviteBy(owner, account, { role: 'owner' }),
    ];
    const { json } = await owner.call('GET', `/accounts/${account}/invitations`);
    const [newest, oldest] = json.invitations;
    assert.deepEqual([newest.role, newest.invited_by], ['owner', people.owner.name]);
    assert.ok(!JSON.stringify(json).includes(gone));
    const days = (Date.parse(oldest.expires_at) - Date.parse(oldest.created_at)) / 86_400_000;
    assert.equal(days, 7);
    await query(`UPDATE invitations SET expires_at = created_at WHERE id = $1`, [oldest.id]);
    const path = `/accounts/${account}/invitations/${newest.id}`;
    assert.equal((await owner.call('DELETE', path)).status, 200);
    assert.equal((await owner.call('DELETE', path)).status, 404);
    for (const token of [late, gone, 'lwjoin_nothing', ' ']) {
      assert.equal((await accept(as('admin'), token)).status, 410, token);
    }
  });

  test('is refused with a password that others try first', async () => {
    const token = await inviteBy(as('owner'), ours.id, { role: 'viewer' });
    const named = { token, name: 'Grace Hopper', email: 'grace.hopper@example.com' };
    for (const password of [
      'elevenchars',
      'aaaaaaaaaaaaaaaa',
      'password1234',
      '123456789012345',
      'gracehopper12',
      'grace.hopper@example.com',
    ]) {
      const body = { ...named, password };
      const refused = await visitor(server).call('POST', '/invitation/sign-up', { body });
      assert.equal(refused.status, 400, password);
      assert.equal(refused.json.errors[0].path, 'password');
    }
    await signUp(server, { link: token, ...named });
  });
});

describe('who may change whom', () => {
  test('an account keeps its last owner, however many give up at the same moment', async () => {
    const account = await ownAccount();
    const token = await inviteBy(as('owner'), account, { role: 'owner' });
    assert.equal((await accept(as('admin'), token)).status, 200);
    const path = (who: 'owner' | 'admin') => `/accounts/${account}/members/${people[who].id}`;
    const demote = (who: 'owner' | 'admin', by: 'owner' | 'admin') =>
      as(by).call('PATCH', path(who), { body: { role: 'admin' } });
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        demote('owner', 'admin'),
        demote('admin', 'owner'),
        demote('owner', 'owner'),
        as('admin').call('POST', `/accounts/${account}/leave`),
      ]);
      const [row] = await query(
        `SELECT count(*)::int AS n FROM members WHERE account_id = $1 AND role = 'owner'`,
        [account],
      );
      assert.equal(row.n, 1);
      await query(`DELETE FROM members WHERE account_id = $1`, [account]);
      await query(`INSERT INTO members VALUES ($1, $2, 'owner', now()), ($1, $3, 'owner', now())`, [
        ...[account, people.owner.id, people.admin.id],
      ]);
    }
    assert.equal((await as('owner').call('POST', `/accounts/${account}/leave`)).status, 200);
    const last = await as('admin').call('POST', `/accounts/${account}/leave`);
    assert.equal(last.status, 409);
    assert.equal(last.json.error, 'last_owner');
  });

  test('an admin makes, changes and removes no owner, themselves included', async () => {
    const account = await ownAccount();
    const asked = await inviteBy(as('owner'), account, { role: 'admin' });
    assert.equal((await accept(as('admin'), asked)).status, 200);
    const admin = as('admin');
    const member = (id: string) => `/accounts/${account}/members/${id}`;
    const refusals = [
      await admin.call('PATCH', member(people.admin.id), { body: { role: 'owner' } }),
      await admin.call('PATCH', member(people.owner.id), { body: { role: 'viewer' } }),
      await admin.call('DELETE', member(people.owner.id)),
      await admin.call('POST', `/accounts/${account}/invitations`, { body: { role: 'owner' } }),
    ];
    for (const { status, json } of refusals) {
      assert.deepEqual([status, json.error], [403, 'permission_required:owners.change']);
    }
    const roles = { [people.owner.id]: 'owner', [people.admin.id]: 'admin' };
    assert.deepEqual(await rolesOf(account), roles);
    for (const id of [people.stranger.id, randomUUID(), 'x']) {
      assert.equal((await admin.call('DELETE', member(id))).status, 404);
    }
  });

  test('a member who is removed, or has another role, is so at once', async () => {
    const account = await ownAccount();
    const token = await inviteBy(as('owner'), account, { role: 'admin' });
    assert.equal((await accept(as('viewer'), token)).status, 200);
    const path = `/accounts/${account}/members/${people.viewer.id}`;
    const rename = { body: { name: 'Renamed' } };
    assert.equal((await as('viewer').call('PATCH', `/accounts/${account}`, rename)).status, 200);
    const demoted = await as('owner').call('PATCH', path, { body: { role: 'member' } });
    assert.equal(demoted.json.role, 'member');
    const refused = await as('viewer').call('PATCH', `/accounts/${account}`, rename);
    assert.equal(refused.json.error, 'permission_required:settings.change');
    assert.equal((await as('owner').call('DELETE', path)).status, 200);
    assert.equal((await as('viewer').call('GET', `/accounts/${account}`)).status, 404);
    assert.equal((await as('viewer').call('GET', '/me')).status, 200, 'still a person');
  });

  test('the links of who may not invite any more let nobody in, themselves included', async () => {
    const account = await ownAccount();
    const path = `/accounts/${account}/members/${people.viewer.id}`;
    const asked = await inviteBy(as('owner'), account, { role: 'admin' });
    assert.equal((await accept(as('viewer'), asked)).status, 200);
    const token = await inviteBy(as('viewer'), account, { role: 'admin' });
    const show = () => visitor(server).call('POST', '/invitation', { body: { token } });
    assert.equal((await show()).status, 200);
    for (const role of ['member', 'admin']) {
      assert.equal((await as('owner').call('PATCH', path, { body: { role } })).status, 200);
      assert.equal((await show()).status, role === 'admin' ? 200 : 410, role);
    }
    assert.equal((await as('owner').call('DELETE', path)).status, 200);
    assert.equal((await show()).status, 410);
    assert.equal((await accept(as('viewer'), token)).json.error, 'link_invalid');
    const open = await as('owner').call('GET', `/accounts/${account}/invitations`);
    assert.deepEqual(open.json.invitations, []);
  });

  test('a request whose body arrives after its sender was removed changes nothing', async () => {
    const account = await ownAccount();
    const asked = await inviteBy(as('owner'), account, { role: 'admin' });
    assert.equal((await accept(as('viewer'), asked)).status, 200);
    const late = await beginPatch(`/accounts/${account}`, people.viewer.cookie);
    const path = `/accounts/${account}/members/${people.viewer.id}`;
    assert.equal((await as('owner').call('DELETE', path)).status, 200);
    assert.equal(await late({ name: 'Too late' }), 404);
    const { json } = await as('owner').call('GET', `/accounts/${account}`);
    assert.equal(json.name, 'Own');
  });

  test('an account whose id is written in capitals is the same, and answers with its own id', async () => {
    const account = await ownAccount();
    const { status, json } = await as('owner').call('GET', `/accounts/${account.toUpperCase()}`);
    assert.deepEqual([status, json.id], [200, account]);
  });

  test('an account has a name and features that its admins change', async () => {
    const account = await ownAccount();
    const body = { name: 'New name', features: { webhooks: false } };
    const changed = await as('owner').call('PATCH', `/accounts/${account}`, { body });
    assert.equal(changed.json.name, 'New name');
    const { features, retention } = changed.json;
    const off = features.filter((one: { on: boolean }) => !one.on);
    assert.deepEqual(off, [{ feature: 'webhooks', on: false, off_everywhere: false }]);
    assert.deepEqual(retention, { attempt_days: 30, refused_requests: 100 });
  });
});

describe('a session', () => {
  test('that is ended, or of a cookie that was changed, is none', async () => {
    const token = await inviteBy(as('owner'), ours.id, { role: 'viewer' });
    const here = await signUp(server, { link: token, name: 'Ben', email: 'ben@example.com' });
    const there = visitor(server);
    const body = { email: 'ben@example.com', password: PASSWORD };
    assert.equal((await there.call('POST', '/sign-in', { body })).status, 200);
    const { json } = await here.call('GET', '/me/sessions');
    const other = json.sessions.find((one: { current: boolean }) => !one.current);
    assert.equal(json.sessions.length, 2);
    const foreign = await as('owner').call('DELETE', `/me/sessions/${other.id}`);
    assert.equal(foreign.status, 404);
    assert.equal((await here.call('DELETE', `/me/sessions/${other.id}`)).status, 200);
    assert.equal((await there.call('GET', '/me')).json.error, 'session_required');

    const cookie = here.cookie().split('; ')[0] as string;
    secrets.push(decodeURIComponent(cookie).split('=')[1] as string);
    const [value = '', signature = ''] = cookie.split('.').slice(-2);
    for (const forged of [
      cookie.replace(value, `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`),
      cookie.replace(signature, ''),
      cookie.replace(`.${signature}`, ''),
      `${cookie}%`,
      'leadwire.session_token=%',
      'leadwire.session_token=',
    ]) {
      assert.equal((await visitor(server, forged).call('GET', '/me')).status, 401, forged);
    }
    assert.equal((await visitor(server, cookie).call('GET', '/me')).status, 200);
    const before = here.cookie();
    assert.equal((await here.call('POST', '/sign-out')).status, 200);
    assert.equal((await visitor(server, before).call('GET', '/me')).status, 401, 'kept cookie');
  });

  test('is prolonged once a day while it is used, and ends after thirty days', async () => {
    const token = await inviteBy(as('owner'), ours.id, { role: 'viewer' });
    const who = await signUp(server, { link: token, name: 'Cleo', email: 'cleo@example.com' });
    const quiet = await who.call('GET', '/me');
    assert.equal(quiet.headers['set-cookie'], undefined);
    const move = (by: string) =>
      query(
        `UPDATE user_sessions s SET expires_at = expires_at - $1::interval
         FROM users u WHERE u.id = s.user_id AND u.email = 'cleo@example.com'`,
        [by],
      );
    await move('2 days');
    const prolonged = await who.call('GET', '/me');
    assert.match(String(prolonged.headers['set-cookie']), /session_token=.*Max-Age=2592000/);
    await move('31 days');
    assert.equal((await who.call('GET', '/me')).status, 401);
  });
});

describe('within a session', () => {
  test('nothing is changed under a name that the page does not show', async () => {
    const change = (shown: string) =>
      as('member').call('PATCH', '/me', {
        body: { name: people.member.name },
        headers: { 'x-leadwire-person': shown },
      });
    const [refused, done] = [await change(people.admin.id), await change(people.member.id)];
    assert.deepEqual([refused.status, refused.json.error], [409, 'another_person']);
    assert.equal(done.status, 200);
  });
});

test('the command line invites and lists members; making an account shows a link for its owner', async () => {
  const made = await cli(['accounts', 'create', '--name', 'By hand'], env);
  const [link = ''] = /http:\S+\/join#lwjoin_\w+/.exec(made.stdout) ?? [];
  const gus = await signUp(server, { link, name: 'Gus', email: 'gus@example.com' });
  const more = await invite(env, {
    account: gus.accountId,
    role: 'viewer',
    email: 'h@example.com',
  });
  const shown = await visitor(server).call('POST', '/invitation', {
    body: { token: tokenOf(more) },
  });
  assert.deepEqual([shown.json.role, shown.json.email], ['viewer', 'h@example.com']);
  const { data } = await cliJson(['members', 'list', '--account', gus.accountId], env);
  assert.equal(data.length, 1);
  const [{ name, email, role }] = data;
  assert.deepEqual([name, email, role], ['Gus', 'gus@example.com', 'owner']);
});

test('nothing that lets a person in stands in the log', () => {
  assert.ok(secrets.length > 10);
  assertNoneLogged(server, secrets);
});
