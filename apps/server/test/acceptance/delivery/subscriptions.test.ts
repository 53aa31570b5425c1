import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { cliJson, eventually, type Received, seed } from '../../support/index.ts';
import { newLead } from '../../support/new-lead.ts';
import { eventIdOf, LEADS, startScene, uuidOf } from './scene.ts';

const scene = await startScene();
const ours = seed().ours;
const theirs = seed().theirs;

const typesOf = (requests: Received[]) => requests.map(({ type }) => type).sort();

after(() => scene.close());

describe('a webhook', () => {
  it('gets the events of its types and no other', async () => {
    const [created, converted, campaigns, all] = await Promise.all(
      [0, 1, 2, 3].map(() => scene.receiver()),
    );
    assert.ok(created && converted && campaigns && all);
    const everything = [
      'lead.created',
      'lead.updated',
      'lead.converted',
      'campaign.started',
      'campaign.paused',
    ];
    const hooks = [
      await scene.webhook(created.url, { events: ['lead.created'] }),
      await scene.webhook(converted.url, { events: ['lead.converted'] }),
      await scene.webhook(campaigns.url, { events: ['campaign.paused', 'campaign.started'] }),
      await scene.webhook(all.url, { events: everything }),
    ];
    const { id } = await scene.lead();
    const lead = `${LEADS}/${id}`;
    await scene.expect(200, 'PATCH', lead, { first_name: 'A' });
    await scene.expect(200, 'PATCH', lead, { status: 'converted' });
    for (const change of ['start', 'pause']) {
      await cliJson(['campaigns', change, '--account', ours.id, '2'], scene.database.env);
    }
    await all.waitFor(6);
    await eventually(async () => {
      for (const hook of hooks) assert.deepEqual(await scene.waiting(hook), []);
    });
    assert.deepEqual(typesOf(created.requests), ['lead.created']);
    assert.deepEqual(typesOf(converted.requests), ['lead.converted']);
    assert.deepEqual(typesOf(campaigns.requests), ['campaign.paused', 'campaign.started']);
    assert.deepEqual(typesOf(all.requests), [...everything, 'lead.updated'].sort());
    for (const hook of hooks) await scene.remove(hook);
  });

  it('gets exactly the event that the store and the feed hold', async () => {
    const receiver = await scene.receiver();
    const hook = await scene.webhook(receiver.url);
    const lead = await scene.lead({
      first_name: 'Ämilie',
      custom_fields: { n: 1.5, big: 2 ** 60 },
    });
    const [request] = await receiver.waitFor(1);
    assert.ok(request);
    const [event] = await scene.database.query('SELECT * FROM events WHERE id = $1', [
      uuidOf(request.id),
    ]);
    const { id, type, account_id, timestamp, data, ...rest } = request.json;
    assert.deepEqual(rest, {});
    assert.deepEqual([id, type, account_id], [eventIdOf(event.id), event.type, ours.id]);
    assert.equal(new Date(timestamp).getTime(), event.occurred_at.getTime());
    assert.deepEqual(data.lead, lead);
    // The feed is behind the events that may still be written at this moment.
    const listed = await eventually(async () => {
      const { data } = await scene.expect(200, 'GET', '/api/v1/events?limit=100');
      const found = data.find((one: { id: string }) => one.id === id);
      assert.ok(found, `${id} is not in the feed`);
      return found;
    });
    assert.equal(JSON.stringify(listed), request.body);
    await scene.remove(hook);
  });

  it('gets the lead as it was at the event, however it was changed since', async () => {
    const receiver = await scene.receiver({ respond: [500, 204] });
    const hook = await scene.webhook(receiver.url);
    const { id } = await scene.lead({ first_name: 'Before' });
    await scene.attempted(hook, 1);
    await scene.expect(200, 'PATCH', `${LEADS}/${id}`, { first_name: 'After' });
    await scene.makeDue(hook);
    const requests = await receiver.waitFor(2);
    assert.deepEqual(
      requests.map(({ json }) => json.data.lead.first_name),
      ['Before', 'Before'],
    );
    await scene.remove(hook);
  });

  it('gets a lead with 64 KiB of custom fields whole', async () => {
    const receiver = await scene.receiver();
    const hook = await scene.webhook(receiver.url);
    const custom_fields = { text: 'ü'.repeat(31_000), list: Array(100).fill({ 'a"b\\': null }) };
    const size = Buffer.byteLength(JSON.stringify(custom_fields));
    const fill = { ...custom_fields, pad: 'x'.repeat(65_536 - size - ',"pad":""'.length) };
    assert.equal(Buffer.byteLength(JSON.stringify(fill)), 65_536);
    await scene.lead({ custom_fields: fill });
    const [request] = await receiver.waitFor(1);
    assert.deepEqual(request?.json.data.lead.custom_fields, fill);
    await scene.remove(hook);
  });

  it('gets nothing of another account', async () => {
    const receiver = await scene.receiver();
    const hook = await scene.webhook(receiver.url);
    const foreign = await scene.server().call('POST', LEADS, { key: theirs.full, body: newLead() });
    assert.equal(foreign.status, 201);
    const mine = await scene.lead();
    await receiver.waitFor(1);
    await eventually(async () => assert.deepEqual(await scene.waiting(hook), []));
    assert.deepEqual(
      receiver.requests.map(({ json }) => [json.account_id, json.data.lead.id]),
      [[ours.id, mine.id]],
    );
    await scene.remove(hook);
  });

  it('of which an account has several gets each event once for each', async () => {
    const receivers = await Promise.all([1, 2, 3].map(() => scene.receiver()));
    const hooks = await Promise.all(receivers.map(({ url }) => scene.webhook(url)));
    const before = new Set(await scene.eventIds());
    await scene.leads(300);
    const wanted = (await scene.eventIds()).filter((id) => !before.has(id)).sort();
    for (const receiver of receivers) {
      await receiver.waitFor(300, { deadlineMs: 15_000 });
      assert.deepEqual(receiver.requests.map(({ id }) => id).sort(), wanted);
    }
    for (const hook of hooks) await scene.remove(hook);
  });
});
