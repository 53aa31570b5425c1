import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, test } from 'node:test';
import { DeadlineError, NetworkError, ServerError } from './index.ts';
import { DEDUPED, LEAD, openScene } from './testing/scene.ts';
import { failure, type Step } from './testing/scripted-server.ts';

const { server, client, arrived } = await openScene();
const unavailable = failure(503, 'unavailable');

describe('the deadline of a call', () => {
  test('ends it before a wait that would pass it, with the failure before as cause', async () => {
    server.play(...Array(9).fill(unavailable));
    const { leads, clock } = client();
    await assert.rejects(leads.insert(LEAD, { deadlineMs: 7000 }), (error) => {
      assert.ok(error instanceof DeadlineError);
      assert.deepEqual([error.code, error.status, error.attempts], ['deadline_exceeded', 503, 3]);
      assert.equal(error.requestId, 'req-from-script');
      assert.ok(error.cause instanceof ServerError);
      return true;
    });
    assert.deepEqual(clock.waits, [1000, 2000]);
  });

  test('of the client holds where the call has none', async () => {
    server.play(...Array(9).fill(unavailable));
    await assert.rejects(client({ deadlineMs: 1000 }).leads.insert(LEAD), DeadlineError);
    assert.equal(server.seen.length, 1);
  });

  test('ends a try that would pass it', async () => {
    server.play('hang');
    const { leads, clock } = client();
    const begin = clock.nowMs();
    const call = assert.rejects(leads.insert(LEAD, { deadlineMs: 500 }), DeadlineError);
    await arrived();
    clock.ring();
    await call;
    assert.equal(clock.nowMs() - begin, 500);
    assert.equal(server.seen.length, 1);
  });

  test('ends a try that must not be made again with the same error', async () => {
    server.play('hang');
    const { webhooks, clock } = client({ deadlineMs: 500 });
    const call = assert.rejects(webhooks.test('wh_1'), DeadlineError);
    await arrived();
    clock.ring();
    await call;
  });
});

describe('the time of one try', () => {
  for (const step of ['hang', 'hang-in-body'] as const) {
    test(`ends it (${step}), and the next one follows`, async () => {
      server.play(step, DEDUPED);
      const { leads, clock } = client();
      const call = leads.insert(LEAD);
      await arrived();
      clock.ring();
      assert.equal((await call).status, 'deduped');
      assert.deepEqual(clock.waits, [1000]);
    });
  }

  test('passed five times is a NetworkError', async () => {
    server.play(...Array(5).fill('hang'));
    const { leads, clock } = client();
    const call = assert.rejects(leads.insert(LEAD), (error) => {
      assert.ok(error instanceof NetworkError);
      assert.deepEqual([error.code, error.attempts], ['timeout', 5]);
      return true;
    });
    for (const tries of [1, 2, 3, 4, 5]) {
      await arrived(tries);
      clock.ring();
    }
    await call;
    assert.equal(clock.running, 0);
  });
});

describe('a signal', () => {
  const reason = new Error('enough');

  test('that is aborted already sends nothing', async () => {
    server.play(DEDUPED);
    const signal = AbortSignal.abort(reason);
    await assert.rejects(client().leads.insert(LEAD, { signal }), reason);
    assert.equal(server.seen.length, 0);
  });

  for (const step of ['hang', 'hang-in-body'] as const) {
    test(`ends a request that is under way at once (${step})`, async () => {
      server.play(step);
      const { leads, clock } = client();
      const controller = new AbortController();
      const call = assert.rejects(leads.insert(LEAD, { signal: controller.signal }), reason);
      await arrived();
      controller.abort(reason);
      await call;
      assert.equal(clock.running, 0);
      assert.deepEqual(clock.waits, []);
    });
  }

  test('ends a wait at once', async () => {
    server.play(unavailable, DEDUPED);
    const { leads, clock } = client();
    const controller = new AbortController();
    clock.signal = controller.signal;
    clock.onWait = () => controller.abort(reason);
    await assert.rejects(leads.insert(LEAD, { signal: controller.signal }), reason);
    assert.equal(server.seen.length, 1);
  });

  test('that lives on keeps nothing of the calls that are over', async () => {
    const { signal } = new AbortController();
    for (const steps of [[DEDUPED], [unavailable, DEDUPED], [failure(404, 'x')]] as Step[][]) {
      server.play(...steps);
      const { leads, clock } = client();
      clock.signal = signal;
      await leads.insert(LEAD, { signal }).catch(() => undefined);
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    }
  });
});
