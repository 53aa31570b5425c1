import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, type Json, openDashboard, startReceiver } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';

const LEADS = '/api/v1/insertion/leads';

const { database, server, ours, theirs, as } = await openDashboard();
const [admin, viewer, stranger] = [as('admin'), as('viewer'), as('stranger')];
const campaigns = `/accounts/${ours.id}/campaigns`;

const create = (name: unknown) => admin.call('POST', campaigns, { body: { name } });
const change = (id: number | string, body: object) =>
  admin.call('PATCH', `${campaigns}/${id}`, { body });
const events = (id: number): Promise<Json[]> =>
  database.query(
    `SELECT type, campaign FROM events WHERE account_id = $1 AND campaign->>'id' = $2 ORDER BY id`,
    [ours.id, String(id)],
  );

describe('a campaign', () => {
  test('is created as a draft with the next number, and takes leads at once', async () => {
    const { json: first } = await create(' Autumn ');
    const { json: next } = await create('Winter');
    assert.deepEqual([first.name, first.state, first.leads], ['Autumn', 'draft', 0]);
    assert.equal(next.id, first.id + 1);
    const key = ours.full;
    const body = newLead({ campaign_id: next.id });
    assert.equal((await server.call('POST', LEADS, { key, body })).status, 201);
    const { json } = await viewer.call('GET', campaigns);
    assert.deepEqual(
      json.campaigns.slice(0, 2).map(({ id }: Json) => id),
      [next.id, first.id],
    );
  });

  test('counts its leads, those of the last day apart, and no repeated ones', async () => {
    const { json: campaign } = await create('Counted');
    const key = ours.full;
    const leads = [1, 2, 3].map(() => newLead({ campaign_id: campaign.id }));
    for (const body of [...leads, leads[0]]) await server.call('POST', LEADS, { key, body });
    await eventually(async () => {
      const { json } = await viewer.call('GET', campaigns);
      const found = json.campaigns.find(({ id }: Json) => id === campaign.id);
      assert.deepEqual([found.leads, found.leads_last_day], [3, 3]);
    });
  });

  test('is started, renamed and paused; partners hear of each other state once, and of a name never', async () => {
    const { json: campaign } = await create('Before');
    const { id } = campaign;
    assert.equal((await change(id, { state: 'active' })).json.state, 'active');
    assert.equal((await change(id, { state: 'active' })).json.state, 'active');
    const renamed = await change(id, { name: 'After' });
    assert.deepEqual([renamed.json.name, renamed.json.state], ['After', 'active']);
    assert.ok(renamed.json.updated_at > campaign.updated_at);
    await change(id, { name: 'Both', state: 'paused' });
    const told = await events(id);
    assert.deepEqual(
      told.map(({ type, campaign: { name } }) => `${type} ${name}`),
      ['campaign.started Before', 'campaign.paused Both'],
    );
  });

  test('that is started wakes its delivery: the event arrives', async () => {
    const receiver = await startReceiver();
    const { json: campaign } = await create('Heard');
    const key = ours.full;
    const body = { url: receiver.url, events: ['campaign.started'] };
    assert.equal((await server.call('POST', '/api/v1/webhooks', { key, body })).status, 201);
    await change(campaign.id, { state: 'active' });
    await eventually(() => assert.equal(receiver.requests.length, 1));
    await receiver.close();
  });

  test('changed by two at once keeps both changes', async () => {
    const { json: campaign } = await create('Two');
    await Promise.all([
      change(campaign.id, { name: 'Renamed' }),
      change(campaign.id, { state: 'active' }),
    ]);
    const { json } = await viewer.call('GET', campaigns);
    const found = json.campaigns.find(({ id }: Json) => id === campaign.id);
    assert.deepEqual([found.name, found.state], ['Renamed', 'active']);
  });

  const bad: [what: string, body: object][] = [
    ['an empty name', { name: '' }],
    ['a blank name', { name: '  ' }],
    ['half a character', { name: '\udc00' }],
    ['a control character', { name: 'a\tb' }],
    ['a name that is too long', { name: 'a'.repeat(101) }],
    ['a number for a name', { name: 1 }],
    ['the state draft', { state: 'draft' }],
    ['a field that there is not', { id: 5 }],
  ];
  test('takes no bad name or state', async () => {
    for (const [what, body] of bad) assert.equal((await change(1, body)).status, 400, what);
    for (const name of ['', '  ', 'a\u0000', undefined]) {
      assert.equal((await create(name)).status, 400);
    }
  });

  test('that the account does not have is not there, and a viewer changes none', async () => {
    for (const id of ['999', '0', '-1', '1.5', 'x', '99999999999', '1e0', '01']) {
      assert.equal((await change(id, { name: 'x' })).status, 404, id);
    }
    const foreign = await stranger.call('PATCH', `/accounts/${theirs.id}/campaigns/3`, {
      body: { name: 'Mine' },
    });
    assert.equal(foreign.status, 404);
    const body = { name: 'x' };
    assert.equal((await viewer.call('POST', campaigns, { body })).status, 403);
    assert.equal((await viewer.call('PATCH', `${campaigns}/1`, { body })).status, 403);
  });
});
