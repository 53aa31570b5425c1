import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/database/index.ts';
import { isIdle, type Lane, openLane } from './lane.ts';
import {
  type QueueKey,
  releaseLeases,
  renewLeases,
  storeHealth,
  takeLeases,
} from './repository/leases.ts';

type Deps = {
  database: Database;
  monotonicMs: () => number;
  random: () => number;
  clock: { nowMs(): number };
};

const LEASE_MS = 10_000;
// What the lease is shorter by for its holder, so that it ends here before it ends for others.
const MARGIN_MS = 1_000;
const RENEW_EVERY_MS = 3_000;
const RELEASED_AFTER_MS = 5_000;
const MAX_LANES = 20_000;

export type Lanes = ReturnType<typeof createLanes>;

/** The queues whose lease this process holds. */
export function createLanes({ database, monotonicMs, random, clock }: Deps) {
  const holder = randomUUID();
  const lease = { holder, forMs: LEASE_MS };
  const byWebhook = new Map<string, Lane>();
  const byAccount = new Map<string, Set<Lane>>();
  let renewedMs = monotonicMs();

  function add(lane: Lane): Lane {
    byWebhook.set(lane.webhookId, lane);
    const siblings = byAccount.get(lane.accountId) ?? new Set();
    byAccount.set(lane.accountId, siblings.add(lane));
    return lane;
  }

  function forget(lane: Lane) {
    // What is still in flight ends, and is stored; nothing more is started.
    lane.leasedUntilMs = 0;
    lane.buffer = [];
    if (byWebhook.get(lane.webhookId) === lane) byWebhook.delete(lane.webhookId);
    const siblings = byAccount.get(lane.accountId);
    siblings?.delete(lane);
    if (siblings?.size === 0) byAccount.delete(lane.accountId);
  }

  async function saveHealth() {
    const changed = [...byWebhook.values()].filter((lane) => lane.healthChanged);
    if (changed.length === 0) return;
    for (const lane of changed) lane.healthChanged = false;
    const rows = changed.map(({ accountId, webhookId, health }) => ({
      ...{ accountId, webhookId },
      ...health.stored(),
    }));
    await storeHealth(database, rows, holder).catch((error) => {
      for (const lane of changed) lane.healthChanged = true;
      throw error;
    });
  }

  async function renew() {
    const sentMs = monotonicMs();
    if (byWebhook.size === 0 || sentMs - renewedMs < RENEW_EVERY_MS) return;
    const asked = [...byWebhook.values()];
    const held = new Set((await renewLeases(database, asked, lease)).map((one) => one.webhookId));
    renewedMs = sentMs;
    for (const lane of asked) {
      if (held.has(lane.webhookId)) lane.leasedUntilMs = sentMs + LEASE_MS - MARGIN_MS;
      else forget(lane);
    }
  }

  async function release(lanes: Lane[]) {
    if (lanes.length === 0) return;
    for (const lane of lanes) forget(lane);
    await releaseLeases(database, lanes, holder);
  }

  return {
    holder,
    find: (webhookId: string) => byWebhook.get(webhookId),
    has: (lane: Lane) => byWebhook.get(lane.webhookId) === lane,
    all: () => [...byWebhook.values()],
    ofAccount: (accountId: string): Iterable<Lane> => byAccount.get(accountId) ?? [],
    /** Takes the leases of `queues` that nobody holds. */
    async open(queues: QueueKey[]): Promise<Lane[]> {
      const wanted = queues.slice(0, Math.max(0, MAX_LANES - byWebhook.size));
      if (wanted.length === 0) return [];
      const sentMs = monotonicMs();
      const leasedUntilMs = sentMs + LEASE_MS - MARGIN_MS;
      const taken = await takeLeases(database, wanted, lease);
      return taken
        .filter(({ webhookId }) => !byWebhook.has(webhookId))
        .map((queue) =>
          add(openLane(queue, { nowMs: monotonicMs, wallMs: clock.nowMs, random, leasedUntilMs })),
        );
    },
    /** To be called every second: renews leases, stores health, hands back the leases of idle queues. */
    async keep(): Promise<void> {
      await renew();
      await saveHealth();
      const now = monotonicMs();
      const idle = [...byWebhook.values()].filter(
        (lane) => isIdle(lane) && now - lane.lastBusyMs > RELEASED_AFTER_MS,
      );
      await release(idle);
    },
    async close(lane: Lane): Promise<void> {
      await release([lane]).catch(() => undefined);
    },
    /** Stores what is known and hands all leases back. */
    async closeAll(): Promise<void> {
      await saveHealth().catch(() => undefined);
      await release([...byWebhook.values()]).catch(() => undefined);
    },
  };
}
