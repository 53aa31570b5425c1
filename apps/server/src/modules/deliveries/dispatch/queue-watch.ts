import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../../platform/database/index.ts';
import { type Lane, noteChange } from './lane.ts';
import type { Lanes } from './lanes.ts';
import { findDueQueues, findDueQueuesOf, type QueueKey } from './repository/leases.ts';

// The first is looked up at once; under load most queues are ours already.
const CHECK_EVERY_MS = 50;

type Deps = {
  database: Database;
  log: { warn(details: object, message: string): void };
  lanes: Lanes;
  /** There may be something to send in these lanes. */
  onReady: (lanes: Iterable<Lane>) => void;
};

/** Learns which queues have something due, from notifications and by polling, and takes the leases that are free. */
export function createQueueWatch({ database, log, lanes, onReady }: Deps) {
  const accountsToCheck = new Set<string>();
  let checking: Promise<void> | null = null;
  let isStopped = false;

  async function take(queues: QueueKey[]) {
    const ours = queues.flatMap(({ webhookId }) => lanes.find(webhookId) ?? []);
    wake(ours);
    const others = queues.filter(({ webhookId }) => !lanes.find(webhookId));
    onReady(await lanes.open(others));
  }

  function wake(ours: Iterable<Lane>) {
    const woken = [...ours];
    for (const lane of woken) lane.isHungry = true;
    onReady(woken);
  }

  /** Looks for queues of the account that nobody serves. */
  function check(accountId: string) {
    if (isStopped) return;
    accountsToCheck.add(accountId);
    checking ??= checkAll().finally(() => {
      checking = null;
    });
  }

  async function checkAll() {
    while (accountsToCheck.size > 0 && !isStopped) {
      const accounts = [...accountsToCheck];
      accountsToCheck.clear();
      await findDueQueuesOf(database, accounts)
        .then(take)
        .catch((error) => log.warn({ err: error }, 'due webhooks could not be looked up'));
      await wait(CHECK_EVERY_MS);
    }
  }

  return {
    /** `<account>` after a commit with events; `<account>/<webhook>` after a change of a webhook. */
    onNotification(payload: string): void {
      const [accountId = '', webhookId] = payload.split('/');
      const changed = webhookId && lanes.find(webhookId);
      if (changed) noteChange(changed);
      wake(lanes.ofAccount(accountId));
      check(accountId);
    },
    /** This process queued something for the webhook. */
    onQueued(accountId: string, webhookId: string): void {
      const lane = lanes.find(webhookId);
      if (lane) wake([lane]);
      else check(accountId);
    },
    /** To be called every second. */
    async poll(): Promise<void> {
      await take(await findDueQueues(database));
    },
    async stop(): Promise<void> {
      isStopped = true;
      await checking;
    },
  };
}
