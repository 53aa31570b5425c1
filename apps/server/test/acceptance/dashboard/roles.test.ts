import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { DASHBOARD_API, may, ROLES, streamRoutes } from '@leadwire/contract/dashboard';
import { assertFailure } from '../../support/failure.ts';
import { openDashboard } from '../../support/index.ts';
import {
  ALL,
  BODIES,
  bodyOf,
  OF_ACCOUNTS,
  OF_PERSONS,
  paramsOf,
  permissionOf,
  type Route,
  takesBody,
  title,
} from './every-route.ts';
import { makeRecords, type Records, snapshot } from './records.ts';

type Answer = Awaited<ReturnType<typeof send>>;

const { server, ours, theirs, people } = await openDashboard({
  env: { LEADWIRE_ALLOW_PRIVATE_WEBHOOKS: 'on' },
});
const owner = people.owner.cookie;
const stranger = people.stranger.cookie;
const records = {
  ours: await makeRecords(server, { key: ours.full, cookie: owner }),
  theirs: await makeRecords(server, { key: theirs.full, cookie: stranger }),
};

type Sending = {
  cookie?: string | undefined;
  ids?: Partial<Records>;
  body?: unknown;
  headers?: Record<string, string>;
};

function send(route: Route, { cookie, ids = {}, body, headers = {} }: Sending) {
  const all = { ...records.ours, ...ids } as Record<string, string>;
  const path = route.path.replace(/:(\w+)/g, (_, param) => all[param] as string);
  return server.call(route.method, `${DASHBOARD_API}${path}`, {
    headers: { cookie, ...headers },
    body: body ?? bodyOf(route),
  });
}

/** What an answer says, without what is another one each time. */
const said = ({ status, json }: Answer) => ({ status, ...json, request_id: '' });

function assertNotKept({ headers }: Answer, what: string): void {
  assert.equal(headers['cache-control'], 'no-store', what);
  assert.equal(headers['x-content-type-options'], 'nosniff', what);
}

/** A stream never ends by itself: only whether it begins is looked at. */
async function beginsToStream(route: Route, cookie: string): Promise<number> {
  const leaving = new AbortController();
  const path = route.path.replace(':account', records.ours.account);
  const { status, headers } = await fetch(`${server.url}${DASHBOARD_API}${path}`, {
    headers: { cookie },
    signal: leaving.signal,
  });
  leaving.abort();
  if (status === 200) assert.equal(headers.get('content-type'), 'text/event-stream');
  return status;
}

const missing = (route: Route): Partial<Records> =>
  Object.fromEntries(paramsOf(route).map((param) => [param, randomUUID()]));

/**
 * Asks in a way that changes nothing for who is let in: what reads is answered, a wrong body is refused as such, and what takes none
 * is asked of records that there are not.
 */
async function assertLetIn(route: Route, cookie: string): Promise<void> {
  if (route.name in streamRoutes) {
    assert.equal(await beginsToStream(route, cookie), 200);
    return;
  }
  if (route.method === 'GET') {
    const answer = await send(route, { cookie });
    assert.equal(answer.status, 200, answer.text);
    assertNotKept(answer, title(route));
  } else if (takesBody(route)) {
    const answer = await send(route, { cookie, body: { no_such_field: true } });
    assert.equal(answer.status, 400, answer.text);
  } else {
    const ids = { ...missing(route), account: records.ours.account };
    assertFailure(await send(route, { cookie, ids }), 404, 'not_found');
  }
}

describe('who may use which route of the dashboard', () => {
  it('every route of an account asks for a permission, and every one of a person for a session', () => {
    for (const route of OF_ACCOUNTS)
      assert.ok(!['anyone', 'person'].includes(route.may), title(route));
    const open = ALL.filter((route) => route.may === 'anyone').map(({ name }) => name);
    assert.deepEqual(open, [
      ...['signIn', 'verifySecondFactor', 'askPasswordReset', 'finishPasswordReset'],
      ...['showInvitation', 'joinAsNewPerson'],
    ]);
  });

  it('every route that takes a body is asked here with one that it would take', () => {
    const others = ALL.filter((route) => route.may !== 'anyone').filter(takesBody);
    assert.deepEqual(
      others.filter(({ name }) => !(name in BODIES)).map(({ name }) => name),
      [],
    );
  });

  it('without a session all but the open ones answer 401, whatever the account and the body', async () => {
    for (const route of ALL) {
      if (route.may === 'anyone') continue;
      for (const sending of [{}, { ids: missing(route) }, { body: '{' }, { cookie: 'a=b' }]) {
        const answer = await send(route, sending);
        assertFailure(answer, 401, 'session_required', title(route));
        assertNotKept(answer, title(route));
      }
    }
  });

  it('the open ones look at the body of whoever asks, and are kept by no cache either', async () => {
    for (const route of ALL.filter((one) => one.may === 'anyone')) {
      const answer = await send(route, { body: { no_such_field: true } });
      assert.equal(answer.status, 400, `${title(route)} ${answer.text}`);
      assertNotKept(answer, title(route));
    }
  });

  for (const role of ROLES) {
    it(`${role}: what the table allows, and 403 for the rest with nothing changed`, async () => {
      const { cookie } = people[role];
      const before = await snapshot(server, records.ours, owner);
      for (const route of OF_ACCOUNTS) {
        if (route.name === 'leaveAccount') continue;
        const permission = permissionOf(route);
        if (may(role, permission)) await assertLetIn(route, cookie);
        else {
          const answer = await send(route, { cookie });
          assertFailure(answer, 403, `permission_required:${permission}`, title(route));
          assertNotKept(answer, title(route));
        }
      }
      assert.deepEqual(await snapshot(server, records.ours, owner), before);
    });
  }

  it('a role that may do nothing with a route is not told whether the record exists', async () => {
    for (const route of OF_ACCOUNTS.filter((one) => !may('viewer', permissionOf(one)))) {
      const { cookie } = people.viewer;
      const ids = { ...missing(route), account: records.ours.account };
      assert.deepEqual(
        said(await send(route, { cookie, ids })),
        said(await send(route, { cookie })),
        title(route),
      );
    }
  });
});

describe('the dashboard of another account', () => {
  it('is not there for a person who is no member, as one that does not exist', async () => {
    const before = await snapshot(server, records.ours, owner);
    for (const route of OF_ACCOUNTS) {
      const answer = await send(route, { cookie: stranger });
      assertFailure(answer, 404, 'not_found', title(route));
      assertNotKept(answer, title(route));
      const none = await send(route, { cookie: stranger, ids: { account: randomUUID() } });
      assert.deepEqual(said(answer), said(none), title(route));
    }
    assert.deepEqual(await snapshot(server, records.ours, owner), before);
  });

  it('is not there under an id of no form at all either', async () => {
    for (const account of ['x', '%00', '0', "'", 'default', 'a'.repeat(300)]) {
      for (const route of OF_ACCOUNTS) {
        const answer = await send(route, { cookie: owner, ids: { account } });
        assertFailure(answer, 404, 'not_found', `${title(route)} ${account}`);
      }
    }
  });

  it('has no record that can be reached through the own account', async () => {
    const before = await snapshot(server, records.theirs, stranger);
    const nested = OF_ACCOUNTS.filter((route) => paramsOf(route).length > 1);
    assert.ok(nested.length > 15);
    for (const route of nested) {
      const absent = said(
        await send(route, {
          cookie: owner,
          ids: { ...missing(route), account: records.ours.account, ...numbered(route, '999999') },
        }),
      );
      assert.equal(absent.status, 404, title(route));
      for (const ids of foreignIds(route)) {
        const answer = await send(route, { cookie: owner, ids });
        assert.deepEqual(said(answer), absent, `${title(route)} ${JSON.stringify(ids)}`);
      }
    }
    assert.deepEqual(await snapshot(server, records.theirs, stranger), before);
  });

  it('has no session that another person can end', async () => {
    const route = ALL.find(({ name }) => name === 'endSession') as Route;
    const ids = { session: records.theirs.session };
    assertFailure(await send(route, { cookie: owner, ids }), 404, 'not_found');
    const me = await server.call('GET', `${DASHBOARD_API}/me`, { headers: { cookie: stranger } });
    assert.equal(me.status, 200);
  });
});

/** Campaigns are numbered by account: both have the first one. */
const numbered = (route: Route, campaign: string): Partial<Records> =>
  paramsOf(route).includes('campaign') ? { campaign } : {};

/** Their ids in the place of each parameter alone, and of all but the account. Parts of a file are numbered: no record by themselves. */
function foreignIds(route: Route): Partial<Records>[] {
  const params = paramsOf(route).filter((param) => param !== 'account' && param !== 'campaign');
  const theirsOf = (names: string[]) =>
    Object.fromEntries(names.map((name) => [name, records.theirs[name as keyof Records]]));
  if (params.length === 0) return [];
  return [
    theirsOf(params),
    ...params.filter((param) => param !== 'part').map((param) => theirsOf([param])),
  ];
}

describe('another site', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: server.url, 'sec-fetch-site': 'cross-site' },
    { origin: server.url.replace('127.0.0.1', '127.0.0.1.evil.example') },
  ];

  it('can change nothing, in whoever’s name it asks', async () => {
    const before = await snapshot(server, records.ours, owner);
    for (const route of ALL.filter(({ method }) => method !== 'GET')) {
      for (const headers of foreign) {
        for (const cookie of [undefined, owner]) {
          const answer = await send(route, { cookie, headers, body: bodyOf(route) ?? {} });
          assertFailure(answer, 403, 'cross_site_refused', `${title(route)} ${headers.origin}`);
          assertNotKept(answer, title(route));
        }
      }
    }
    assert.deepEqual(await snapshot(server, records.ours, owner), before);
    const me = await server.call('GET', `${DASHBOARD_API}/me`, { headers: { cookie: owner } });
    assert.equal(me.status, 200, 'the session goes on');
  });

  it('can read nothing: no answer allows other origins', async () => {
    for (const route of [...OF_ACCOUNTS, ...OF_PERSONS].filter(({ method }) => method === 'GET')) {
      if (route.name in streamRoutes) continue;
      const headers = { origin: 'https://evil.example' };
      const answer = await send(route, { cookie: owner, headers });
      assert.equal(answer.headers['access-control-allow-origin'], undefined, title(route));
    }
  });
});

describe('bad input', () => {
  const IDS = [
    'x',
    '%00',
    '%ff',
    '..%2f',
    "'",
    '0',
    '-1',
    '1e400',
    'a'.repeat(300),
    '%F0%9F%92%A9',
  ];

  it('ids of no form are records that do not exist: 404, never a failure of ours', async () => {
    for (const route of OF_ACCOUNTS.filter((one) => paramsOf(one).length > 1)) {
      for (const id of IDS) {
        const params = paramsOf(route).filter((param) => param !== 'account');
        const ids = Object.fromEntries(params.map((param) => [param, id]));
        const answer = await send(route, { cookie: owner, ids });
        assert.ok([400, 404].includes(answer.status), `${title(route)} ${id}: ${answer.text}`);
      }
    }
  });

  it('bodies of another shape are refused with the field named, and bodies that are no JSON as such', async () => {
    for (const route of [...OF_ACCOUNTS, ...OF_PERSONS].filter(takesBody)) {
      for (const body of ['[]', '"x"', 'null', '{"__proto__":{}}', '{"a":1,"a":2}', '{', '\0']) {
        const answer = await send(route, { cookie: owner, body });
        assert.equal(answer.status, 400, `${title(route)} ${body}: ${answer.text}`);
      }
    }
  });
});

it('every role may leave an account, but not its last owner', async () => {
  const leave = ALL.find(({ name }) => name === 'leaveAccount') as Route;
  for (const role of ['viewer', 'member', 'admin'] as const) {
    const { cookie } = people[role];
    assert.equal((await send(leave, { cookie })).status, 200, role);
    const account = OF_ACCOUNTS.find(({ name }) => name === 'getAccount') as Route;
    assertFailure(await send(account, { cookie }), 404, 'not_found', role);
  }
  assert.equal((await send(leave, { cookie: owner })).status, 409);
});
