import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually, type Reply } from '../../support/index.ts';
import { type Hook, startScene } from './scene.ts';

const scene = await startScene();
const WAITING = 2_000;

/** Lets every event there is wait for a webhook. */
const queueAll = (hook: Hook) =>
  scene.database.query(
    `INSERT INTO deliveries (account_id, webhook_id, event_id, due_at)
     SELECT account_id, $1, id, occurred_at FROM events WHERE type = 'lead.created'`,
    [hook.uuid],
  );

const BAD: [name: string, reply: Reply][] = [
  ['hangs', 'hang'],
  ['drips', 'drip'],
  ['sends without end', 'endless'],
  ['resets', 'reset'],
];

async function badEndpoints() {
  const endpoints = [];
  for (const [name, respond] of BAD) {
    endpoints.push({ name, receiver: await scene.receiver({ respond }) });
  }
  endpoints.push({ name: 'has a bad certificate', receiver: await scene.receiver({ tls: true }) });
  const named = endpoints.map(({ name, receiver }) => ({ name, receiver, url: receiver.url }));
  return [...named, { name: 'has no address', receiver: null, url: 'http://nope.invalid/hook' }];
}

after(() => scene.close());

describe('six bad endpoints with 2,000 deliveries waiting for each', () => {
  it('keep healthy ones of the account from nothing, and get little attention', async () => {
    await scene.leads(WAITING);
    const bad = [];
    for (const endpoint of await badEndpoints()) {
      // They want what never happens here: all that waits for them is there from the start.
      const hook = await scene.webhook(endpoint.url, { events: ['campaign.started'] });
      await queueAll(hook);
      bad.push({ ...endpoint, hook });
    }
    for (const { receiver, hook } of bad) {
      if (receiver && !hook.url.startsWith('https:')) await receiver.waitFor(1);
      else await scene.attempted(hook, 1);
    }
    const healthy = await Promise.all([1, 2, 3].map(() => scene.receiver()));
    const hooks = await Promise.all(healthy.map(({ url }) => scene.webhook(url)));
    const sent: string[] = [];
    // Again and again while the bad ones hold what they hold.
    for (let round = 1; round <= 10; round++) {
      sent.push(...(await scene.leads(50)));
      for (const receiver of healthy) await receiver.waitFor(50 * round, { deadlineMs: 5_000 });
    }
    for (const receiver of healthy) {
      const got = receiver.requests.map(({ json }) => json.data.lead.external_lead_id);
      assert.deepEqual(got.sort(), sent.toSorted());
    }
    for (const hook of hooks) {
      await eventually(async () => assert.equal((await scene.waiting(hook)).length, 0));
    }
    for (const { name, receiver, hook } of bad) {
      const tries = (await scene.attempts(hook)).length;
      const requests = receiver?.requests.length ?? 0;
      assert.ok((receiver?.load.maxInFlight ?? 0) <= 64, `one that ${name} holds too many`);
      // What is read of an endless answer is bounded and counts by its status: that one works.
      if (name === 'sends without end') continue;
      assert.ok(Math.max(tries, requests) <= 60, `one that ${name} got ${tries}, ${requests}`);
    }
    assert.ok(scene.server().alive());
  });
});
