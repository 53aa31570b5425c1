import { randomUUID } from 'node:crypto';
import { LEADS, type Scene } from './scene.ts';

/**
 * A function that waits until another webhook, made for this, got so many later events of a type that no other is to want, so
 * that what was to be sent before them has been.
 */
export async function createWitness(scene: Scene): Promise<(events?: number) => Promise<void>> {
  const { id } = await scene.lead();
  return async (events = 1) => {
    const receiver = await scene.receiver();
    const hook = await scene.webhook(receiver.url, { events: ['lead.updated'] });
    for (let n = 1; n <= events; n++) {
      await scene.expect(200, 'PATCH', `${LEADS}/${id}`, { source: randomUUID() });
      await receiver.waitFor(n);
    }
    await scene.remove(hook);
  };
}
