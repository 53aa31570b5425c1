import { unavailable } from '../errors/index.ts';

export { createFairQueue, type FairQueue } from './fair-queue.ts';
export { createShared, type Shared } from './shared.ts';
export { createTurns } from './turns.ts';

export type Group<Item, Result> = {
  /** Adds one item to the next batch; resolves with its own result. */
  add(item: Item): Promise<Result>;
  /** Resolves when nothing waits and nothing runs. */
  idle(): Promise<void>;
};

type Entry<Item, Result> = {
  item: Item;
  key: string | null;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  /** Entries of the same key that share this one's place in a batch. */
  followers: Entry<Item, Result>[];
};

type GroupOptions<Item, Result> = {
  /** Does the work for a batch; answers in the order of the items. */
  run(items: Item[]): Promise<Result[]>;
  maxItems: number;
  maxInFlight: number;
  maxWaiting: number;
  /** Two items of one key never run at the same time; the later one waits for the earlier one. */
  keyOf?: (item: Item) => string;
  /**
   * Answers a later item of a batch from the result of the first one of its key, so that many of one key cost one.
   * Without it the later item waits for the next batch.
   */
  share?: (first: Item, result: Result) => Result;
  /** True where a failure is of the store and not of an item: the batch then fails as a whole. */
  failsWhole?: (error: unknown) => boolean;
};

/**
 * Gathers calls that arrive together into one batch. A lone call never waits for company: a batch leaves at the
 * end of the turn of the event loop in which its first item came, or as soon as one in flight is done. One bad item never
 * fails its neighbours: a failed batch is run again item by item.
 */
export function createGroup<Item, Result>(
  options: GroupOptions<Item, Result>,
): Group<Item, Result> {
  let waiting: Entry<Item, Result>[] = [];
  const keysInFlight = new Set<string>();
  let inFlight = 0;
  let scheduled = false;
  let idleWaiters: (() => void)[] = [];

  function add(item: Item): Promise<Result> {
    if (waiting.length >= options.maxWaiting) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const key = options.keyOf?.(item) ?? null;
      waiting.push({ item, key, resolve, reject, followers: [] });
      schedule();
    });
  }

  function schedule() {
    if (scheduled || inFlight >= options.maxInFlight) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (inFlight < options.maxInFlight && waiting.length > 0) {
        const batch = takeBatch();
        if (batch.length === 0) break;
        void runBatch(batch);
      }
    });
  }

  function takeBatch(): Entry<Item, Result>[] {
    const batch: Entry<Item, Result>[] = [];
    const passedOver: Entry<Item, Result>[] = [];
    const firstOfKey = new Map<string, Entry<Item, Result>>();
    let index = 0;
    for (; index < waiting.length && batch.length < options.maxItems; index++) {
      const entry = waiting[index] as Entry<Item, Result>;
      const first = entry.key === null ? undefined : firstOfKey.get(entry.key);
      if (first && options.share) first.followers.push(entry);
      else if (first || (entry.key !== null && keysInFlight.has(entry.key))) passedOver.push(entry);
      else {
        if (entry.key !== null) firstOfKey.set(entry.key, entry);
        batch.push(entry);
      }
    }
    for (const key of firstOfKey.keys()) keysInFlight.add(key);
    waiting = passedOver.concat(waiting.slice(index));
    return batch;
  }

  async function runBatch(batch: Entry<Item, Result>[]) {
    inFlight++;
    try {
      await settle(batch);
    } finally {
      inFlight--;
      for (const entry of batch) if (entry.key !== null) keysInFlight.delete(entry.key);
      if (waiting.length > 0) schedule();
      else if (inFlight === 0) wakeIdle();
    }
  }

  async function settle(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await options.run(batch.map((entry) => entry.item));
      batch.forEach((entry, i) => {
        succeed(entry, results[i] as Result);
      });
    } catch (error) {
      const isWhole = options.failsWhole?.(error) ?? false;
      if (batch.length === 1 || isWhole) for (const entry of batch) fail(entry, error, isWhole);
      else for (const entry of batch) await settle([entry]);
    }
  }

  function succeed(entry: Entry<Item, Result>, result: Result) {
    entry.resolve(result);
    for (const follower of entry.followers) {
      follower.resolve(options.share?.(entry.item, result) ?? result);
    }
  }

  function fail(entry: Entry<Item, Result>, error: unknown, isWhole: boolean) {
    entry.reject(error);
    // What was wrong with the first item need not be wrong with those that shared its place.
    if (isWhole) for (const follower of entry.followers) follower.reject(error);
    else waiting = entry.followers.concat(waiting);
    entry.followers = [];
  }

  function wakeIdle() {
    const waiters = idleWaiters;
    idleWaiters = [];
    for (const wake of waiters) wake();
  }

  return {
    add,
    idle: () =>
      inFlight === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idleWaiters.push(resolve)),
  };
}
