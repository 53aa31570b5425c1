import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertFailure } from '../../support/failure.ts';
import {
  cliJson,
  createTestDatabase,
  eventually,
  seed,
  startServer,
  type TestServer,
} from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';
const LEGACY = '/api/v1/leads';

const database = await createTestDatabase();
const [server, withoutInsertion, withoutLegacy] = await Promise.all([
  startServer({ database }),
  startServer({ database, env: { LEADWIRE_FEATURES_OFF: 'insertion, webhooks' } }),
  startServer({ database, env: { LEADWIRE_FEATURES_OFF: 'legacy_leads' } }),
]);

async function insertionAnswers(node: TestServer, key = seed().ours.full) {
  const body = newLead();
  return Promise.all([
    node.call('POST', LEADS, { key, body }),
    node.call('POST', LEADS, { hmac: key, body }),
    node.call('POST', `${LEADS}/batch`, { key, body: { leads: [body] } }),
    node.call('POST', `${LEADS}/reconcile`, { key, body: { leads: [] } }),
    node.call('GET', LEADS, { key }),
    node.call('GET', `${LEADS}/x`, { key }),
    node.call('GET', `${LEADS}/x/history`, { key }),
    node.call('PATCH', `${LEADS}/x`, { key, body: { first_name: 'A' } }),
  ]);
}

const leadCount = async () => {
  const [row] = await database.query('SELECT count(*)::int AS count FROM leads');
  return row.count;
};

describe('a feature that is switched off', () => {
  after(() => Promise.all([server, withoutInsertion, withoutLegacy].map((node) => node.stop())));

  it('for a deployment answers 404 on each of its routes and writes nothing', async () => {
    for (const answer of await insertionAnswers(withoutInsertion)) {
      assertFailure(answer, 404, 'not_found');
    }
    assert.equal(await leadCount(), 0);
    const key = seed().ours.full;
    assertFailure(await withoutLegacy.call('GET', LEGACY, { key }), 404, 'not_found');
  });

  it('leaves the other features on', async () => {
    const key = seed().ours.full;
    assert.equal((await withoutInsertion.call('GET', LEGACY, { key })).status, 200);
    assert.equal((await withoutLegacy.call('GET', LEADS, { key })).status, 200);
    assert.equal((await server.call('GET', LEADS, { key })).status, 200);
  });

  it('answers as a missing record does', async () => {
    const key = seed().ours.full;
    const off = assertFailure(
      await withoutInsertion.call('GET', `${LEADS}/x`, { key }),
      404,
      'not_found',
    );
    const missing = assertFailure(
      await server.call('GET', `${LEADS}/x`, { key }),
      404,
      'not_found',
    );
    const ids = { request_id: '' };
    assert.deepEqual({ ...off, ...ids }, { ...missing, ...ids });
  });

  it('still asks who it is first', async () => {
    assertFailure(await withoutInsertion.call('GET', LEADS), 401, 'missing_auth');
  });

  it('for one account is off for that account alone, on a running node, and comes back', async () => {
    const { ours, theirs } = seed();
    const set = (flag: string) =>
      cliJson(['features', 'set', '--account', ours.id, flag], database.env);
    // Together: neither may undo the other.
    await Promise.all([set('insertion=off'), set('legacy_leads=off')]);
    await eventually(async () => {
      assertFailure(await server.call('GET', LEADS, { key: ours.full }), 404, 'not_found');
      assertFailure(await server.call('GET', LEADS, { hmac: ours.full }), 404, 'not_found');
      assertFailure(await server.call('GET', LEGACY, { key: ours.full }), 404, 'not_found');
    });
    for (const answer of await insertionAnswers(server)) assertFailure(answer, 404, 'not_found');
    assert.equal((await server.call('GET', LEADS, { key: theirs.full })).status, 200);
    assert.equal((await server.call('GET', LEGACY, { key: theirs.full })).status, 200);
    await Promise.all([set('insertion=on'), set('legacy_leads=on')]);
    await eventually(async () => {
      assert.equal((await server.call('GET', LEADS, { key: ours.full })).status, 200);
      assert.equal((await server.call('GET', LEGACY, { key: ours.full })).status, 200);
    });
  });
});

describe('the Content-Type of a body', () => {
  it('does not matter: it is read as JSON', async () => {
    const other = await startServer({ database });
    try {
      const types = [
        undefined,
        '',
        'application/json',
        'application/json; charset=latin1',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        'application/octet-stream',
        'nonsense',
        ';;;',
        `x/${'y'.repeat(2000)}`,
      ];
      for (const type of types) {
        const headers = { 'content-type': type };
        const body = newLead({ first_name: 'Zoë' });
        const answer = await other.call('POST', LEADS, { key: seed().ours.full, body, headers });
        assert.equal(answer.status, 201, `${type}: ${answer.text}`);
        assert.equal(answer.json.lead.first_name, 'Zoë');
        const path = `${LEADS}/${body.external_lead_id}`;
        const patch = { key: seed().ours.full, body: { first_name: 'A' }, headers };
        assert.equal((await other.call('PATCH', path, patch)).status, 200, `PATCH ${type}`);
      }
    } finally {
      await other.stop();
    }
  });
});
