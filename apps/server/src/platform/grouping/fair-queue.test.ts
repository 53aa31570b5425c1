import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFairQueue } from './fair-queue.ts';
import { createShared } from './shared.ts';
import { createTurns } from './turns.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Work that lasts until it is told to end. */
function controlled() {
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name);
      ends.push(() => resolve(name));
    });
  return { started, work, endFirst: () => ends.shift()?.() };
}

describe('a fair queue', () => {
  test('lets an owner that asks for much stand behind itself, not before others', async () => {
    const { started, work, endFirst } = controlled();
    const queue = createFairQueue({ maxInFlight: 3, maxInFlightEach: 2, maxWaitingEach: 100 });
    const all = [1, 2, 3, 4].map((n) => queue('greedy', work(`greedy ${n}`)));
    all.push(queue('modest', work('modest')));
    await turn();
    assert.deepEqual(started, ['greedy 1', 'greedy 2', 'modest']);
    for (let i = 0; i < 5; i++) {
      endFirst();
      await turn();
    }
    assert.equal((await Promise.all(all)).length, 5);
  });

  test('takes turns where places are few', async () => {
    const { started, work, endFirst } = controlled();
    const queue = createFairQueue({ maxInFlight: 1, maxInFlightEach: 1, maxWaitingEach: 100 });
    const all = ['a1', 'a2', 'a3', 'b1'].map((name) => queue(name[0] as string, work(name)));
    for (let i = 0; i < 4; i++) {
      await turn();
      endFirst();
    }
    await Promise.all(all);
    assert.deepEqual(started, ['a1', 'b1', 'a2', 'a3']);
  });

  test('refuses an owner with too much waiting, and no one else', async () => {
    const { work, endFirst } = controlled();
    const queue = createFairQueue({ maxInFlight: 2, maxInFlightEach: 1, maxWaitingEach: 1 });
    const first = queue('a', work('a1'));
    const second = queue('a', work('a2'));
    await assert.rejects(queue('a', work('a3')), { status: 503 });
    const other = queue('b', work('b1'));
    for (let i = 0; i < 3; i++) {
      await turn();
      endFirst();
    }
    await Promise.all([first, second, other]);
  });

  test('goes on after work that failed', async () => {
    const queue = createFairQueue({ maxInFlight: 1, maxInFlightEach: 1, maxWaitingEach: 9 });
    await assert.rejects(
      queue('a', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await queue('a', async () => 'fine'), 'fine');
  });
});

describe('shared work', () => {
  test('serves all who ask while it runs by one run that begins after they asked', async () => {
    const { started, work, endFirst } = controlled();
    const shared = createShared();
    const ask = (key: string, name: string) => shared(key, work(name));
    const first = ask('a', 'a1');
    const crowd = Array.from({ length: 50 }, (_, n) => ask('a', `a${n + 2}`));
    const other = ask('b', 'b1');
    assert.deepEqual(started, ['a1', 'b1']);
    endFirst();
    await turn();
    assert.deepEqual(started, ['a1', 'b1', 'a2']);
    endFirst();
    endFirst();
    assert.deepEqual(await Promise.all([first, other]), ['a1', 'b1']);
    assert.deepEqual(new Set(await Promise.all(crowd)), new Set(['a2']));
  });

  test('begins anew after a run that failed', async () => {
    const shared = createShared();
    const broken = shared('a', () => Promise.reject(new Error('broken')));
    const later = shared('a', async () => 'fine');
    await assert.rejects(broken, /broken/);
    assert.equal(await later, 'fine');
    assert.equal(await shared('a', async () => 'again'), 'again');
  });
});

describe('turns', () => {
  test('of one key come one after the other, in their order, also after a failure', async () => {
    const inTurn = createTurns();
    const order: string[] = [];
    const step = (name: string) => async () => {
      order.push(`${name} begins`);
      await turn();
      order.push(`${name} ends`);
      if (name === 'b') throw new Error('broken');
    };
    const results = ['a', 'b', 'c'].map((name) => inTurn('key', step(name)));
    await Promise.allSettled(results);
    assert.deepEqual(
      order,
      ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });
});
