import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually, type Receiver } from '../../support/index.ts';
import { type Hook, startScene } from './scene.ts';
import { createWitness } from './witness.ts';

const scene = await startScene();
const untilLaterEventsArrived = await createWitness(scene);

const MOST_IN_FLIGHT = 64;

const drained = (hook: Hook, deadlineMs: number) =>
  eventually(async () => assert.equal((await scene.waiting(hook)).length, 0), {
    deadlineMs,
    everyMs: 100,
  });

const idsOf = ({ requests }: Receiver) =>
  requests.map(({ json }) => json.data.lead.external_lead_id);

after(() => scene.close());

describe('a webhook', () => {
  it('has a cap on requests in flight, however many wait, and loses none of them', async () => {
    const receiver = await scene.receiver();
    const hook = await scene.webhook(receiver.url);
    const quick = await scene.leads(2000);
    await receiver.waitFor(2000, { deadlineMs: 20_000 });
    const release = Promise.withResolvers<204>();
    receiver.respond(() => release.promise);
    const held = await scene.leads(1000);
    await eventually(() => assert.ok(receiver.load.inFlight > 8, 'it has earned more than a few'));
    await untilLaterEventsArrived(5);
    assert.ok(receiver.load.inFlight < 1000);
    release.resolve(204);
    await drained(hook, 20_000);
    const most = receiver.load.maxInFlight;
    assert.ok(most <= MOST_IN_FLIGHT, `${most} in flight`);
    assert.deepEqual(idsOf(receiver).sort(), [...quick, ...held].sort());
    await scene.remove(hook);
  });

  it('whose endpoint holds its answers keeps few connections, and none when it has what it wanted', async () => {
    const release = Promise.withResolvers<204>();
    const receiver = await scene.receiver({ respond: () => release.promise });
    const hook = await scene.webhook(receiver.url);
    await scene.leads(500);
    await untilLaterEventsArrived(3);
    assert.ok(receiver.load.open <= 8, `${receiver.load.open} connections before one success`);
    release.resolve(204);
    await drained(hook, 20_000);
    await scene.remove(hook);
  });
});
