import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { newLead } from '../../support/new-lead.ts';
import { type Hook, LEADS, startScene } from './scene.ts';

const WEBHOOKS = 60;
const LARGE_LEADS = 60;

// Held once for each webhook, these leads alone would be more than this heap.
const scene = await startScene({ env: { NODE_OPTIONS: '--max-old-space-size=192' } });
after(() => scene.close());

describe('a batch of the largest leads for many webhooks', () => {
  it('is delivered whole by a process with little memory', async () => {
    const receiver = await scene.receiver();
    const hooks: Hook[] = [];
    for (let n = 0; n < WEBHOOKS; n++) hooks.push(await scene.webhook(`${receiver.url}/${n}`));
    // A character beyond Latin-1: such a string takes two bytes for each.
    const custom_fields = { note: `€${'x'.repeat(63 * 1024)}` };
    const leads = Array.from({ length: LARGE_LEADS }, () => newLead({ custom_fields }));
    const { counts } = await scene.expect(200, 'POST', `${LEADS}/batch`, { leads });
    assert.equal(counts.inserted, LARGE_LEADS);
    await receiver.waitFor(WEBHOOKS * LARGE_LEADS, { deadlineMs: 60_000 });
    assert.ok(scene.server().alive(), scene.server().logs());
    for (const hook of hooks) await scene.remove(hook);
  });
});
