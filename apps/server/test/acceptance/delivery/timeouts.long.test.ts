import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../../support/index.ts';
import { startScene } from './scene.ts';

const scene = await startScene();

after(() => scene.close());

describe('the 15 s of an attempt', { concurrency: true }, () => {
  for (const reply of ['hang', 'slow-headers', 'drip'] as const) {
    it(`bound the whole exchange with an endpoint that answers by ${reply}`, async () => {
      const receiver = await scene.receiver({ respond: reply });
      const hook = await scene.webhook(receiver.url);
      await scene.lead();
      const [attempt] = await scene.attempted(hook, 1, 25_000);
      assert.deepEqual([attempt?.outcome, attempt?.error], ['failed', 'timeout']);
      // Not less: an endpoint may use its 15 s.
      assert.ok((attempt?.duration_ms ?? 0) >= 14_900, `${attempt?.duration_ms}`);
      const waiting = await scene.waiting(hook);
      assert.ok(waiting.length > 0 && waiting.every(({ attempts }) => attempts <= 1));
      await scene.remove(hook);
      await eventually(() => assert.equal(receiver.load.open, 0), { deadlineMs: 20_000 });
    });
  }
});
