import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/database/index.ts';
import { someOf } from '../some-of.ts';
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
// What cannot be sent here, for want of an encryption key, is left to others for so long.
const AVOIDED_FOR_MS = 60_000;

export type Lanes = ReturnType<typeof createLanes>;

/** The queues whose lease this process holds. */
export function createLanes({ database, monotonicMs, random, clock }: Deps) {
  const holder = randomUUID();
  const lease = { holder, forMs: LEASE_MS };
  const byWebhook = new Map<string, Lane>();
  const byAccount = new Map<string, Set<Lane>>();
  const releasing = new Set<string>();
  const avoidedUntilMs = new Map<string, number>();
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
    lane.prefetched = 0;
    if (byWebhook.get(lane.webhookId) === lane) byWebhook.delete(lane.webhookId);
    const siblings = byAccount.get(lane.accountId);
    siblings?.delete(lane);
    if (siblings?.size === 0) byAccount.delete(lane.accountId);
  }

  const isFree = (webhookId: string) =>
    !releasing.has(webhookId) && (avoidedUntilMs.get(webhookId) ?? 0) <= monotonicMs();

  async function saveHealth() {
    const changed = [...byWebhook.values()].filter((lane) => lane.healthChanged);
    if (changed.length === 0) return;
    for (const lane of changed) lane.healthChanged = false;
    const rows = changed.flatMap(({ accountId, webhookId, health, revision }) =>
      revision === null ? [] : { ...{ accountId, webhookId, revision }, ...health.stored() },
    );
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
      if (byWebhook.get(lane.webhookId) !== lane) continue;
      if (held.has(lane.webhookId)) lane.leasedUntilMs = sentMs + LEASE_MS - MARGIN_MS;
      else forget(lane);
    }
  }

  async function release(lanes: Lane[]) {
    if (lanes.length === 0) return;
    for (const lane of lanes) {
      forget(lane);
      // Not to be taken again while the release is under way: it would clear that lease too.
      releasing.add(lane.webhookId);
    }
    await releaseLeases(database, lanes, holder).finally(() => {
      for (const { webhookId } of lanes) releasing.delete(webhookId);
    });
  }

  return {
    holder,
    find: (webhookId: string) => byWebhook.get(webhookId),
    has: (lane: Lane) => byWebhook.get(lane.webhookId) === lane,
    all: () => [...byWebhook.values()],
    ofAccount: (accountId: string): Iterable<Lane> => byAccount.get(accountId) ?? [],
    /** Takes the leases of `queues` that nobody holds. */
    async open(queues: QueueKey[]): Promise<Lane[]> {
      const free = queues.filter(({ webhookId }) => isFree(webhookId));
      const wanted = someOf(free, Math.max(0, MAX_LANES - byWebhook.size), random);
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
    /** To be called every second. */
    renew,
    /** To be called every second: stores health, hands back the leases of idle queues. */
    async tidy(): Promise<void> {
      await saveHealth();
      const now = monotonicMs();
      for (const [id, untilMs] of avoidedUntilMs) if (untilMs <= now) avoidedUntilMs.delete(id);
      const idle = [...byWebhook.values()].filter(
        (lane) => isIdle(lane) && now - lane.lastBusyMs > RELEASED_AFTER_MS,
      );
      await release(idle);
    },
    /** Hands a lease back and does not take it again for a minute. */
    async avoid(lane: Lane): Promise<void> {
      avoidedUntilMs.set(lane.webhookId, monotonicMs() + AVOIDED_FOR_MS);
      await release([lane]).catch(() => undefined);
    },
    /** Stores what is known and hands all leases back. */
    async closeAll(): Promise<void> {
      await saveHealth().catch(() => undefined);
      await release([...byWebhook.values()]).catch(() => undefined);
    },
  };
}
