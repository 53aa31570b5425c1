import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { systemClock } from './clock.ts';

const reason = new Error('enough');

test('a sleep ends at once with the reason of its signal, and leaves no listener', async () => {
  const controller = new AbortController();
  const sleep = assert.rejects(systemClock.sleep(3_600_000, controller.signal), reason);
  assert.equal(getEventListeners(controller.signal, 'abort').length, 1);
  controller.abort(reason);
  await sleep;
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  await assert.rejects(systemClock.sleep(3_600_000, controller.signal), reason);
});

test('a sleep that is over leaves no listener', async () => {
  const { signal } = new AbortController();
  await systemClock.sleep(1, signal);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a sleep longer than timers take does not end at once', async () => {
  const controller = new AbortController();
  let isOver = false;
  const sleep = systemClock.sleep(2 ** 40, controller.signal).finally(() => {
    isOver = true;
  });
  await systemClock.sleep(5);
  assert.equal(isOver, false);
  controller.abort(reason);
  await assert.rejects(sleep, reason);
});
