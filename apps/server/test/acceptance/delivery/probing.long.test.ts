import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../../support/index.ts';
import { type Hook, startScene } from './scene.ts';
import { createWitness } from './witness.ts';

const scene = await startScene();
const untilLaterEventsArrived = await createWitness(scene);

const drained = (hook: Hook, deadlineMs: number) =>
  eventually(async () => assert.equal((await scene.waiting(hook)).length, 0), {
    deadlineMs,
    everyMs: 100,
  });

after(() => scene.close());

describe('a webhook whose endpoint is down', () => {
  it('is probed, not hammered, even by a service that starts anew, and gets everything at a bounded pace when it is back', async () => {
    const receiver = await scene.receiver({ respond: 500 });
    const hook = await scene.webhook(receiver.url);
    const sent = await scene.leads(80);
    await scene.attempted(hook, 5);
    await untilLaterEventsArrived(10);
    const first = receiver.requests.length;
    assert.ok(first <= 16, `${first} requests before it was found to be down`);
    await scene.withoutServer(async () => undefined);
    await untilLaterEventsArrived(10);
    const again = receiver.requests.length - first;
    assert.ok(again <= 3, `${again} requests after the start`);
    assert.equal((await scene.waiting(hook)).length, 80);

    receiver.respond(204);
    const down = receiver.requests.length;
    await scene.makeDue(hook);
    await drained(hook, 45_000);
    assert.ok(down <= 24, `${down} requests while it was down`);
    const back = receiver.requests.slice(down);
    assert.deepEqual(back.map(({ json }) => json.data.lead.external_lead_id).sort(), sent.sort());
    // Not all that waits at once: at most 20 a second to begin with.
    const tookMs = (back[40]?.at ?? 0) - (back[0]?.at ?? 0);
    assert.ok(tookMs >= 1000, `40 requests within ${tookMs} ms of its return`);
    await scene.remove(hook);
  });
});
