/** Thrown to a caller when more items wait than the group may hold; nothing was done with the item. */
export class GroupFullError extends Error {}

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
};

type GroupOptions<Item, Result> = {
  /** Does the work for a batch; answers in the order of the items. */
  run(items: Item[]): Promise<Result[]>;
  maxItems: number;
  maxInFlight: number;
  maxWaiting: number;
  /** Two items of one key never run at the same time; the later one waits for the earlier one. */
  keyOf?: (item: Item) => string;
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
    if (waiting.length >= options.maxWaiting) return Promise.reject(new GroupFullError());
    return new Promise((resolve, reject) => {
      waiting.push({ item, key: options.keyOf?.(item) ?? null, resolve, reject });
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
    const blockedKeys = new Set<string>();
    let index = 0;
    for (; index < waiting.length && batch.length < options.maxItems; index++) {
      const entry = waiting[index] as Entry<Item, Result>;
      if (entry.key === null) {
        batch.push(entry);
      } else if (keysInFlight.has(entry.key) || blockedKeys.has(entry.key)) {
        blockedKeys.add(entry.key);
        passedOver.push(entry);
      } else {
        keysInFlight.add(entry.key);
        batch.push(entry);
      }
    }
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
        entry.resolve(results[i] as Result);
      });
    } catch (error) {
      if (batch.length === 1 || options.failsWhole?.(error)) {
        for (const entry of batch) entry.reject(error);
        return;
      }
      for (const entry of batch) await settle([entry]);
    }
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
