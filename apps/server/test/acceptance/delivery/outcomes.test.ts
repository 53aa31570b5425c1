import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually, type Reply } from '../../support/index.ts';
import { startScene } from './scene.ts';

const scene = await startScene();

/** One lead for a webhook of its own. @returns what became of the first attempt */
async function firstAttempt(reply: Reply, tls = false) {
  const receiver = await scene.receiver({ respond: reply, tls });
  const hook = await scene.webhook(receiver.url);
  await scene.lead();
  const [attempt] = await scene.attempted(hook, 1);
  assert.ok(attempt);
  const result = { receiver, hook, attempt, waiting: await scene.waiting(hook) };
  await scene.remove(hook);
  return result;
}

after(() => scene.close());

describe('an attempt', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    it(`answered ${status} is a success, and the delivery is done`, async () => {
      const { attempt, waiting, receiver } = await firstAttempt(status);
      assert.equal(attempt.outcome, 'succeeded');
      assert.equal(attempt.status, status);
      assert.deepEqual(waiting, []);
      assert.equal(receiver.requests.length, 1);
    });
  }

  for (const status of [400, 401, 404, 408, 409, 422, 429, 500, 502, 503, 504]) {
    it(`answered ${status} is a failure that is retried`, async () => {
      const { attempt, waiting } = await firstAttempt(status);
      assert.deepEqual([attempt.outcome, attempt.error], ['failed', 'status']);
      assert.equal(attempt.status, status);
      assert.deepEqual(
        waiting.map(({ attempts }) => attempts),
        [1],
      );
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`answered ${status} is a failure, and the redirect is not followed`, async () => {
      const target = await scene.receiver();
      const { attempt, waiting, receiver } = await firstAttempt({
        status,
        headers: { location: target.url },
      });
      assert.deepEqual([attempt.outcome, attempt.error], ['failed', 'redirect']);
      assert.equal(attempt.status, status);
      assert.equal(waiting.length, 1);
      assert.equal(receiver.requests.length, 1);
      assert.equal(target.load.connections, 0);
    });
  }

  for (const [reply, error] of [
    ['reset', 'connection_lost'],
    ['garbage', 'bad_answer'],
  ] as const) {
    it(`answered by ${reply} is a failure that is retried`, async () => {
      const { attempt, waiting } = await firstAttempt(reply);
      assert.deepEqual([attempt.outcome, attempt.error, attempt.status], ['failed', error, null]);
      assert.equal(waiting.length, 1);
    });
  }

  it('at an endpoint whose certificate nobody signed is a failure, and sends it nothing', async () => {
    const { attempt, waiting, receiver } = await firstAttempt(204, true);
    assert.deepEqual([attempt.outcome, attempt.error], ['failed', 'tls_failed']);
    assert.equal(waiting.length, 1);
    assert.equal(receiver.requests.length, 0);
  });

  it('at an address where nobody listens, or at a name that is none, is a failure that is retried', async () => {
    const gone = await scene.receiver();
    await gone.close();
    for (const [url, error] of [
      [gone.url, 'connection_failed'],
      ['http://nope.invalid/hook', 'name_not_resolved'],
    ] as const) {
      const hook = await scene.webhook(url);
      await scene.lead();
      const [attempt] = await scene.attempted(hook, 1, 20_000);
      assert.deepEqual([attempt?.outcome, attempt?.error], ['failed', error]);
      assert.equal((await scene.waiting(hook)).length, 1);
      await scene.remove(hook);
    }
  });

  it('keeps the first 4 KiB of an answer, whatever its bytes', async () => {
    const body = Buffer.alloc(40_000, 'äx\0\xff', 'latin1');
    const { attempt } = await firstAttempt({ status: 500, body });
    assert.deepEqual(attempt.answer, body.subarray(0, 4096));
    const small = await firstAttempt({ status: 200, body: 'thank you' });
    assert.equal(small.attempt.answer?.toString(), 'thank you');
  });

  it('reads at most 64 KiB of an answer without end, which counts by its status', async () => {
    const { attempt, receiver, waiting } = await firstAttempt('endless');
    assert.deepEqual([attempt.outcome, attempt.status], ['succeeded', 200]);
    assert.deepEqual(waiting, []);
    assert.equal(attempt.answer?.length, 4096);
    await eventually(() => assert.equal(receiver.load.open, 0));
  });
});
