export type ExtentOf = (accountId: string) => Promise<ReadonlyMap<string, string>>;
export type LiveEvent =
  | { name: 'ready'; data: object }
  | { name: 'changed'; data: { what: string[] } };
type Watcher = (event: LiveEvent) => void;
type Watched = {
  watchers: Set<Watcher>;
  extent: ReadonlyMap<string, string> | null;
  timer: NodeJS.Timeout | undefined;
};

/** Looks at each account that is watched once in `everyMs`, however many watch it. */
export function createPolls({
  extentOf,
  log,
  everyMs,
}: {
  extentOf: ExtentOf;
  log: { warn(details: object, message: string): void };
  everyMs: number;
}) {
  const accounts = new Map<string, Watched>();

  function tell({ watchers }: Watched, event: LiveEvent) {
    for (const watcher of [...watchers]) watcher(event);
  }

  async function poll(accountId: string, watched: Watched) {
    try {
      const extent = await extentOf(accountId);
      const before = watched.extent;
      watched.extent = extent;
      const what = before ? changedBetween(before, extent) : [];
      if (!before) tell(watched, READY);
      else if (what.length > 0) tell(watched, { name: 'changed', data: { what } });
    } catch (error) {
      // What has changed meanwhile shows at the next look.
      log.warn({ err: error, accountId }, 'it could not be looked up whether figures changed');
    }
    if (watched.watchers.size === 0) return;
    watched.timer = setTimeout(() => void poll(accountId, watched), everyMs).unref();
  }

  function begin(accountId: string): Watched {
    const watched: Watched = { watchers: new Set(), extent: null, timer: undefined };
    accounts.set(accountId, watched);
    return watched;
  }

  return {
    /** @returns what ends it */
    join(accountId: string, watcher: Watcher): () => void {
      const known = accounts.get(accountId);
      const watched = known ?? begin(accountId);
      watched.watchers.add(watcher);
      if (!known) void poll(accountId, watched);
      else if (known.extent) watcher(READY);
      return () => {
        watched.watchers.delete(watcher);
        if (watched.watchers.size > 0) return;
        clearTimeout(watched.timer);
        if (accounts.get(accountId) === watched) accounts.delete(accountId);
      };
    },
    close(): void {
      for (const { watchers, timer } of accounts.values()) {
        clearTimeout(timer);
        watchers.clear();
      }
      accounts.clear();
    },
  };
}

const READY: LiveEvent = { name: 'ready', data: {} };

const changedBetween = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] => [...after.keys()].filter((metric) => after.get(metric) !== before.get(metric));
