import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../platform/database/index.ts';
import { notifyAccounts, notifyWebhook } from './repository.ts';

// The first is told at once; under load the others wait for each other: each telling costs the store more than the next lead.
const TELL_EVERY_MS = 10;
const WITHOUT_WEBHOOKS_FOR_MS = 1_000;
const MAX_REMEMBERED = 10_000;

export type Wake = ReturnType<typeof createWake>;

/**
 * Tells the workers, on whatever node, that there may be something to send. It only makes it soon: what is not told is found by
 * polling. One statement at a time, for all accounts that wrote meanwhile; accounts without webhooks cost one look a second.
 */
export function createWake({
  database,
  monotonicMs,
}: {
  database: Database;
  monotonicMs: () => number;
}) {
  const waiting = new Set<string>();
  const quietUntilMs = new Map<string, number>();
  let running: Promise<void> | null = null;

  async function run() {
    while (waiting.size > 0) {
      const accounts = [...waiting];
      waiting.clear();
      const told = await notifyAccounts(database, accounts).catch(() => accounts);
      if (quietUntilMs.size > MAX_REMEMBERED) quietUntilMs.clear();
      const quiet = new Set(accounts).difference(new Set(told));
      for (const account of quiet) {
        quietUntilMs.set(account, monotonicMs() + WITHOUT_WEBHOOKS_FOR_MS);
      }
      await wait(TELL_EVERY_MS);
    }
    running = null;
  }

  return {
    /** After a commit that wrote events of the account. */
    changed(accountId: string): void {
      if ((quietUntilMs.get(accountId) ?? 0) > monotonicMs()) return;
      waiting.add(accountId);
      running ??= run();
    },
    /** After a commit that changed a webhook, or queued something for it. */
    async webhook(accountId: string, webhookId: string): Promise<void> {
      quietUntilMs.delete(accountId);
      await notifyWebhook(database, accountId, webhookId).catch(() => undefined);
    },
    /** Resolves when nothing is left to tell. */
    idle: () => running ?? Promise.resolve(),
  };
}
