import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually, type Reply } from '../../support/index.ts';
import { type AttemptRow, type Hook, startScene } from './scene.ts';

const scene = await startScene();

const SECOND = 1;
const MINUTE = 60;
const HOUR = 3600;
const STEPS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
// What may pass between the end of an attempt and the reading of the clock, in seconds.
const SLACK = 1.5;

/** Seconds from the end of an attempt to the next. */
function delayOf({ started_at, duration_ms, next_attempt_at }: AttemptRow): number {
  assert.ok(next_attempt_at);
  return (next_attempt_at.getTime() - started_at.getTime() - duration_ms) / 1000;
}

function assertStep(attempt: AttemptRow, step: number): void {
  const delay = delayOf(attempt);
  const isWithin = delay >= step * 0.8 - SLACK && delay <= step * 1.2 + SLACK;
  assert.ok(isWithin, `${delay} s for a step of ${step} s`);
}

/** Webhooks of which each gets one delivery that has been tried `tried` times. @returns the last attempt of each */
async function attemptsAfter(hooks: [hook: Hook, tried: number][]): Promise<AttemptRow[]> {
  await scene.lead();
  for (const [hook] of hooks) await scene.attempted(hook, 1);
  for (const [hook, tried] of hooks) await scene.makeDue(hook, tried);
  const last: AttemptRow[] = [];
  for (const [hook] of hooks) last.push((await scene.attempted(hook, 2)).at(-1) as AttemptRow);
  for (const [hook] of hooks) await scene.remove(hook);
  return last;
}

/** For each answer the attempt that got it, at a delivery that has been tried `tried` times with it. */
async function afterAnswers(replies: Reply[], tried: number): Promise<AttemptRow[]> {
  const hooks: [hook: Hook, tried: number][] = [];
  for (const reply of replies) {
    const receiver = await scene.receiver({ respond: reply });
    hooks.push([await scene.webhook(receiver.url), tried - 1]);
  }
  return attemptsAfter(hooks);
}

const asking = (status: number, retryAfter: string): Reply => ({
  status,
  headers: { 'retry-after': retryAfter },
});

after(() => scene.close());

describe('retries', () => {
  it('come 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after a failure, each ±20 %', async () => {
    const receiver = await scene.receiver({ respond: 500 });
    const hooks = await Promise.all(STEPS.map(() => scene.webhook(receiver.url)));
    const last = await attemptsAfter(hooks.map((hook, step) => [hook, step]));
    for (const [index, step] of STEPS.entries()) assertStep(last[index] as AttemptRow, step);
  });

  it('are due when the log says', async () => {
    const receiver = await scene.receiver({ respond: 500 });
    const hook = await scene.webhook(receiver.url);
    await scene.lead();
    const [attempt] = await scene.attempted(hook, 1);
    const [row] = await scene.waiting(hook);
    assert.deepEqual(row?.due_at, attempt?.next_attempt_at);
    assert.equal(row?.attempts, 1);
    // The first one is near enough to wait for.
    const requests = await receiver.waitFor(2);
    const apart = ((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)) / 1000;
    assert.ok(apart >= 4, `${apart} s`);
    await scene.remove(hook);
  });

  it('end with the tenth attempt: the delivery is given up', async () => {
    const receiver = await scene.receiver({ respond: 500 });
    const hook = await scene.webhook(receiver.url);
    await scene.lead();
    await scene.attempted(hook, 1);
    await scene.makeDue(hook, 9);
    const [, last] = await scene.attempted(hook, 2);
    assert.deepEqual([last?.outcome, last?.next_attempt_at], ['given_up', null]);
    assert.deepEqual(await scene.waiting(hook), []);
    assert.equal((await scene.read(hook)).active, true, 'one lost delivery ends no subscription');
    await scene.remove(hook);
  });

  it('are spread at random, so that many do not come back at once', async () => {
    const receiver = await scene.receiver({ respond: 500 });
    const hooks = await Promise.all(Array.from({ length: 40 }, () => scene.webhook(receiver.url)));
    await scene.lead();
    const delays: number[] = [];
    for (const hook of hooks) {
      const [attempt] = await scene.attempted(hook, 1);
      assertStep(attempt as AttemptRow, 5);
      delays.push(delayOf(attempt as AttemptRow));
    }
    for (const hook of hooks) await scene.remove(hook);
    // Of 40 between 4 and 6 s: that none is in one of the outer thirds happens once in ten million runs.
    assert.ok(Math.min(...delays) < 4.7 && Math.max(...delays) > 5.3, delays.join(' '));
  });
});

describe('Retry-After', () => {
  for (const status of [429, 503]) {
    it(`on ${status} is honoured where it is longer than the step, in seconds and as a date`, async () => {
      const at = new Date(Date.now() + 2 * HOUR * 1000);
      const replies = [asking(status, '3600'), asking(status, at.toUTCString())];
      const [seconds, date] = (await afterAnswers(replies, 1)) as [AttemptRow, AttemptRow];
      assertStep(seconds, HOUR);
      assert.ok(delayOf(seconds) >= HOUR - SLACK, 'not before it');
      const late = ((date.next_attempt_at?.getTime() ?? 0) - at.getTime()) / 1000;
      assert.ok(late >= -SLACK && late <= 2 * HOUR * 0.2, `${late} s`);
    });

    it(`on ${status} changes nothing where it is shorter than the step, or no time`, async () => {
      const asked = ['1', '0', '-5', 'soon', new Date(0).toUTCString()];
      const attempts = await afterAnswers(
        asked.map((one) => asking(status, one)),
        3,
      );
      for (const attempt of attempts) assertStep(attempt, 30 * MINUTE);
    });
  }

  it('is honoured up to 24 h', async () => {
    const asked = ['86401', '99999999', 'Fri, 31 Dec 9999 23:59:59 GMT'];
    const attempts = await afterAnswers(
      asked.map((one) => asking(503, one)),
      1,
    );
    for (const attempt of attempts) {
      const delay = delayOf(attempt);
      assert.ok(delay >= 24 * HOUR - SLACK && delay <= 24 * HOUR * 1.2 + SLACK, `${delay} s`);
    }
  });

  it('on another status is not looked at', async () => {
    const replies = [500, 502, 404, 301].map((status) => asking(status, '3600'));
    for (const attempt of await afterAnswers(replies, 1)) assertStep(attempt, 5);
  });

  it('of one delivery holds it alone', async () => {
    const receiver = await scene.receiver({ respond: [asking(503, '3600'), 204] });
    const hook = await scene.webhook(receiver.url);
    await scene.lead();
    await scene.attempted(hook, 1);
    await scene.lead();
    await eventually(async () => {
      const outcomes = (await scene.attempts(hook)).map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, ['failed', 'succeeded']);
    });
    await scene.remove(hook);
  });
});
