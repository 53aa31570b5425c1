import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { createGroup } from './index.ts';

type Item = { key: string; n: number; bad?: boolean };
type Batch = { items: Item[]; finish(): void; fail(error: Error): void };

/** A group whose batches stay in flight until the test ends them. */
function manual(limits: Partial<Parameters<typeof createGroup>[0]> = {}) {
  const batches: Batch[] = [];
  const group = createGroup<Item, number>({
    maxItems: 10,
    maxInFlight: 2,
    maxWaiting: 100,
    keyOf: (item) => item.key,
    ...(limits as object),
    run: (items) =>
      new Promise((resolve, reject) => {
        const finish = () => resolve(items.map((item) => item.n));
        batches.push({ items, finish, fail: reject });
      }),
  });
  return { group, batches, sizes: () => batches.map((batch) => batch.items.length) };
}

const item = (n: number, key = `key ${n}`): Item => ({ key, n });
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('a group', () => {
  test('sends a lone item off in the same turn of the event loop, without waiting for company', async () => {
    const { group, batches } = manual();
    const result = group.add(item(7));
    await turn();
    assert.equal(batches.length, 1);
    batches[0]?.finish();
    assert.equal(await result, 7);
  });

  test('puts what comes in one turn into one batch, and gives each caller its own result', async () => {
    const { group, batches, sizes } = manual();
    const results = range(0, 5).map((n) => group.add(item(n)));
    await turn();
    assert.deepEqual(sizes(), [5]);
    batches[0]?.finish();
    assert.deepEqual(await Promise.all(results), range(0, 5));
  });

  test('has never more than maxInFlight batches of maxItems in flight; the rest leaves as they end', async () => {
    const { group, batches, sizes } = manual({ maxItems: 3, maxInFlight: 2 });
    const results = range(0, 10).map((n) => group.add(item(n)));
    await turn();
    assert.deepEqual(sizes(), [3, 3]);
    batches[1]?.finish();
    await turn();
    await turn();
    assert.deepEqual(sizes(), [3, 3, 3]);
    for (let i = 0; i < 4; i++) {
      batches[i]?.finish();
      await turn();
      await turn();
    }
    assert.deepEqual(sizes(), [3, 3, 3, 1]);
    assert.deepEqual(await Promise.all(results), range(0, 10));
  });

  test('refuses an item when maxWaiting wait, and takes it again when there is room', async () => {
    const { group, batches } = manual({ maxItems: 1, maxInFlight: 1, maxWaiting: 2 });
    const first = group.add(item(0));
    await turn();
    const waiting = [group.add(item(1)), group.add(item(2))];
    await assert.rejects(group.add(item(3)), { status: 503 });
    batches[0]?.finish();
    await first;
    await turn();
    await turn();
    const later = group.add(item(4));
    for (let i = 1; i < 4; i++) {
      batches[i]?.finish();
      await turn();
      await turn();
    }
    assert.deepEqual(await Promise.all([...waiting, later]), [1, 2, 4]);
    assert.deepEqual(
      batches.flatMap((batch) => batch.items.map(({ n }) => n)),
      [0, 1, 2, 4],
    );
  });
});

describe('two items of one key', () => {
  test('are never in flight together; the others do not wait for them', async () => {
    const { group, batches } = manual();
    const results = [item(1, 'a'), item(2, 'a'), item(3, 'b'), item(4, 'a')].map(group.add);
    await turn();
    assert.deepEqual(
      batches.map((batch) => batch.items.map(({ n }) => n)),
      [[1, 3]],
    );
    batches[0]?.finish();
    await turn();
    await turn();
    assert.deepEqual(
      batches[1]?.items.map(({ n }) => n),
      [2],
    );
    batches[1]?.finish();
    await turn();
    await turn();
    batches[2]?.finish();
    assert.deepEqual(await Promise.all(results), [1, 2, 3, 4]);
  });

  test('are free again after a failure', async () => {
    const { group, batches } = manual({ failsWhole: () => true });
    const results = Promise.allSettled([group.add(item(1, 'a')), group.add(item(2, 'a'))]);
    await turn();
    batches[0]?.fail(new Error('gone'));
    await turn();
    await turn();
    batches[1]?.finish();
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
  });
});

describe('a failure', () => {
  const group = (options: { failsWhole?: (error: unknown) => boolean } = {}) => {
    const runs: number[][] = [];
    const created = createGroup<Item, number>({
      ...{ maxItems: 10, maxInFlight: 1, maxWaiting: 100 },
      ...options,
      async run(items) {
        runs.push(items.map(({ n }) => n));
        const bad = items.find((one) => one.bad);
        if (bad) throw new Error(`bad ${bad.n}`);
        return items.map(({ n }) => n);
      },
    });
    return { ...created, runs };
  };
  const outcomes = async (results: Promise<number>[]) =>
    (await Promise.allSettled(results)).map((one) =>
      one.status === 'fulfilled' ? one.value : String(one.reason.message),
    );

  test('of one item fails that item alone: the batch is run again item by item, in order', async () => {
    const { add, runs } = group();
    const results = range(0, 5).map((n) => add({ ...item(n), bad: n === 2 || n === 4 }));
    assert.deepEqual(await outcomes(results), [0, 1, 'bad 2', 3, 'bad 4']);
    assert.deepEqual(runs, [[0, 1, 2, 3, 4], [0], [1], [2], [3], [4]]);
  });

  test('of the store fails the batch as a whole and is not repeated for each item', async () => {
    const { add, runs } = group({ failsWhole: () => true });
    const results = range(0, 3).map((n) => add({ ...item(n), bad: n === 1 }));
    assert.deepEqual(await outcomes(results), ['bad 1', 'bad 1', 'bad 1']);
    assert.equal(runs.length, 1);
  });

  test('that is thrown and not rejected is no different', async () => {
    const { add } = createGroup<Item, number>({
      ...{ maxItems: 10, maxInFlight: 1, maxWaiting: 100 },
      run: ([first]) => {
        if (first?.bad) throw new Error('thrown');
        return Promise.resolve([first?.n as number]);
      },
    });
    assert.deepEqual(await outcomes([add({ ...item(1), bad: true })]), ['thrown']);
    assert.deepEqual(await outcomes([add(item(2))]), [2]);
  });
});

describe('idle()', () => {
  test('resolves at once where nothing was ever added', () => manual().group.idle());

  test('waits for what waits and for what is in flight, failures included', async () => {
    const { group, batches } = manual({ maxItems: 1, maxInFlight: 1, failsWhole: () => true });
    let isIdle = false;
    const results = Promise.allSettled([group.add(item(1)), group.add(item(2))]);
    const idle = group.idle().then(() => {
      isIdle = true;
    });
    await turn();
    batches[0]?.fail(new Error('gone'));
    await turn();
    await turn();
    assert.equal(isIdle, false);
    batches[1]?.finish();
    await idle;
    assert.equal((await results).length, 2);
  });
});

test('whatever comes whenever: limits hold, keys are never together and keep their order, each gets its own result', async () => {
  const arrival = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), bad: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(arrival, { maxLength: 12 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      fc.infiniteStream(fc.nat(3)),
      async (turns, maxItems, maxInFlight, pauses) => {
        const inFlight = new Set<Item>();
        const begun: Item[] = [];
        let running = 0;
        const { add, idle } = createGroup<Item, string>({
          ...{ maxItems, maxInFlight, maxWaiting: 1000, keyOf: (one) => one.key },
          async run(items) {
            assert.ok(++running <= maxInFlight && items.length <= maxItems);
            for (const one of items) {
              assert.ok(![...inFlight].some(({ key }) => key === one.key));
              inFlight.add(one);
            }
            if (items.length === 1 || !items.some(({ bad }) => bad)) begun.push(...items);
            for (let i = pauses.next().value as number; i > 0; i--) await turn();
            for (const one of items) inFlight.delete(one);
            running--;
            if (items.some(({ bad }) => bad)) throw new Error('bad');
            return items.map(({ n }) => `done ${n}`);
          },
        });
        const added: { item: Item; result: Promise<string> }[] = [];
        for (const arrivals of turns) {
          for (const { key, bad } of arrivals) {
            const one = { key, bad, n: added.length };
            added.push({ item: one, result: add(one).catch(() => `failed ${one.n}`) });
          }
          await turn();
        }
        await idle();
        assert.equal(inFlight.size, 0);
        for (const { item: one, result } of added) {
          assert.equal(await result, `${one.bad ? 'failed' : 'done'} ${one.n}`);
        }
        for (const key of ['a', 'b', 'c', 'd']) {
          const order = begun.filter((one) => one.key === key).map(({ n }) => n);
          assert.deepEqual(
            order,
            order.toSorted((a, b) => a - b),
          );
        }
        assert.equal(begun.length, added.length);
      },
    ),
    { numRuns: 300 },
  );
});
