import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually, type Json } from '../../support/index.ts';
import { type Hook, startScene } from './scene.ts';
import { createWitness } from './witness.ts';

const scene = await startScene();
const untilLaterEventsArrived = await createWitness(scene);

const readInactive = (hook: Hook): Promise<Json> =>
  eventually(async () => {
    const shown = await scene.read(hook);
    assert.equal(shown.active, false);
    return shown;
  });

after(() => scene.close());

describe('an endpoint that answers 410', () => {
  it('sets its webhook inactive, with the reason gone, and gets nothing more', async () => {
    const receiver = await scene.receiver({ respond: 410 });
    const hook = await scene.webhook(receiver.url);
    await scene.lead();
    assert.equal((await readInactive(hook)).inactive_reason, 'gone');
    await scene.makeDue(hook);
    await untilLaterEventsArrived();
    assert.equal(receiver.requests.length, 1);
  });

  it('gets what waits and what comes when it was set active again', async () => {
    const receiver = await scene.receiver({ respond: 410 });
    const hook = await scene.webhook(receiver.url);
    await scene.lead();
    await readInactive(hook);
    receiver.respond(204);
    const shown = await scene.change(hook, { active: true });
    assert.deepEqual([shown.active, shown.inactive_reason], [true, null]);
    await scene.makeDue(hook);
    const later = await scene.lead();
    await receiver.waitFor(({ json }) => json.data.lead.id === later.id);
    await eventually(async () => assert.deepEqual(await scene.waiting(hook), []));
  });
});

describe('an endpoint that has failed for five days', () => {
  it('sets its webhook inactive, with the reason failing', async () => {
    const receiver = await scene.receiver({ respond: 500 });
    const hook = await scene.webhook(receiver.url);
    await scene.withoutServer(async () => void (await scene.failSince(hook, 5.01)));
    await scene.lead();
    assert.equal((await readInactive(hook)).inactive_reason, 'failing');
    await scene.makeDue(hook);
    await untilLaterEventsArrived();
    assert.equal(receiver.requests.length, 1);
  });

  it('keeps it where a success came in between', async () => {
    const receiver = await scene.receiver({ respond: [204, 500] });
    const hook = await scene.webhook(receiver.url);
    await scene.withoutServer(async () => void (await scene.failSince(hook, 5.01)));
    await scene.lead();
    await scene.attempted(hook, 1);
    await scene.lead();
    await scene.attempted(hook, 2);
    assert.equal((await scene.read(hook)).active, true);
    await eventually(async () => {
      const { failing_since } = await scene.read(hook);
      assert.ok(Date.now() - Date.parse(failing_since) < 60_000, `${failing_since}`);
    });
    await scene.remove(hook);
  });

  it('keeps it before the five days are over', async () => {
    const receiver = await scene.receiver({ respond: 500 });
    const hook = await scene.webhook(receiver.url);
    await scene.withoutServer(async () => void (await scene.failSince(hook, 4.9)));
    await scene.lead();
    await scene.attempted(hook, 1);
    await untilLaterEventsArrived();
    assert.equal((await scene.read(hook)).active, true);
    await scene.remove(hook);
  });
});

describe('an inactive webhook', () => {
  it('gets nothing, and what happens meanwhile is not queued for it', async () => {
    const receiver = await scene.receiver();
    const hook = await scene.webhook(receiver.url);
    await scene.change(hook, { active: false });
    await scene.leads(20);
    assert.deepEqual(await scene.waiting(hook), []);
    await scene.change(hook, { active: true });
    const later = await scene.lead();
    await receiver.waitFor(1);
    await eventually(async () => assert.deepEqual(await scene.waiting(hook), []));
    assert.deepEqual(
      receiver.requests.map(({ json }) => json.data.lead.id),
      [later.id],
    );
    await scene.remove(hook);
  });

  it('keeps what waited for it, and sends that when it is active again', async () => {
    const receiver = await scene.receiver({ respond: 500 });
    const hook = await scene.webhook(receiver.url);
    const { id } = await scene.lead();
    await scene.attempted(hook, 1);
    await scene.change(hook, { active: false });
    await scene.makeDue(hook);
    await untilLaterEventsArrived();
    assert.equal(receiver.requests.length, 1);
    assert.equal((await scene.waiting(hook)).length, 1);
    receiver.respond(204);
    await scene.change(hook, { active: true });
    const [, again] = await receiver.waitFor(2);
    assert.equal(again?.json.data.lead.id, id);
    await eventually(async () => assert.deepEqual(await scene.waiting(hook), []));
    await scene.remove(hook);
  });
});

describe('a deleted webhook', () => {
  it('gets nothing more, and what waited for it goes', async () => {
    const receiver = await scene.receiver({ respond: 500 });
    const hook = await scene.webhook(receiver.url);
    await scene.leads(3);
    await scene.attempted(hook, 3);
    assert.equal((await scene.waiting(hook)).length, 3);
    const before = receiver.requests.length;
    await scene.remove(hook);
    await scene.makeDue(hook);
    await scene.lead();
    await untilLaterEventsArrived();
    assert.equal(receiver.requests.length, before);
  });

  it('loses what waited for it in the background', async () => {
    const hook = await scene.webhook('http://127.0.0.1:9/nobody');
    await scene.leads(3);
    await scene.remove(hook);
    await eventually(async () => assert.deepEqual(await scene.waiting(hook), []), {
      deadlineMs: 15_000,
    });
  });
});

describe('a changed webhook', () => {
  it('is sent to its new address from the next attempt on', async () => {
    const [before, now] = await Promise.all([
      scene.receiver({ respond: 500 }),
      scene.receiver({ respond: 204 }),
    ]);
    const hook = await scene.webhook(before.url);
    const { id } = await scene.lead();
    await scene.attempted(hook, 1);
    await scene.change(hook, { url: now.url });
    await scene.makeDue(hook);
    const [request] = await now.waitFor(1);
    assert.equal(request?.json.data.lead.id, id);
    const attempts = await scene.attempted(hook, 2);
    assert.deepEqual(
      attempts.map(({ url }) => url),
      [before.url, now.url],
    );
    assert.equal(before.requests.length, 1);
    await scene.remove(hook);
  });

  it('is tried at once at its new address although the old one was only probed', async () => {
    const [before, now] = await Promise.all([scene.receiver({ respond: 500 }), scene.receiver()]);
    const hook = await scene.webhook(before.url);
    await scene.leads(8);
    await scene.attempted(hook, 5);
    await scene.change(hook, { url: now.url });
    await scene.makeDue(hook);
    await now.waitFor(8, { deadlineMs: 5_000 });
    await scene.remove(hook);
  });

  it('gets the events of its new types from the next event on', async () => {
    const receiver = await scene.receiver();
    const hook = await scene.webhook(receiver.url, { events: ['lead.updated'] });
    await scene.lead();
    await scene.change(hook, { events: ['lead.created'] });
    const later = await scene.lead();
    await receiver.waitFor(1);
    await eventually(async () => assert.deepEqual(await scene.waiting(hook), []));
    assert.deepEqual(
      receiver.requests.map(({ json }) => json.data.lead.id),
      [later.id],
    );
    await scene.remove(hook);
  });
});
