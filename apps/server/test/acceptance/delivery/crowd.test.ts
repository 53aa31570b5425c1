import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../../support/index.ts';
import { type Hook, startScene } from './scene.ts';

const scene = await startScene();
const HANGING = 60;
const WAITING = 100;

after(() => scene.close());

describe('sixty webhooks of one account whose endpoints hang', () => {
  it('take no place from a healthy one of that account', async () => {
    await scene.leads(WAITING);
    const hanging = await scene.receiver({ respond: 'hang' });
    const hooks: Hook[] = [];
    for (let n = 0; n < HANGING; n++) {
      hooks.push(await scene.webhook(`${hanging.url}/${n}`, { events: ['campaign.started'] }));
    }
    await scene.database.query(
      `INSERT INTO deliveries (account_id, webhook_id, event_id, due_at)
       SELECT account_id, webhook_id, id, occurred_at FROM events CROSS JOIN unnest($1::uuid[]) AS webhook_id
       WHERE type = 'lead.created'`,
      [hooks.map(({ uuid }) => uuid)],
    );
    const pathsTried = () => new Set(hanging.requests.map(({ path }) => path)).size;
    await eventually(() => assert.equal(pathsTried(), HANGING));
    const receiver = await scene.receiver();
    await scene.webhook(receiver.url);
    for (let round = 1; round <= 10; round++) {
      await scene.leads(20);
      // Far less than the 15 s after which those that hang let go.
      await receiver.waitFor(20 * round, { deadlineMs: 5_000 });
    }
    assert.ok(hanging.load.inFlight > 0, 'they still hang');
  });
});
