import { LRUCache } from 'lru-cache';
import type { SecretBox } from '../../platform/crypto/index.ts';
import type { Listener } from '../../platform/database/index.ts';
import { createRound } from '../../platform/rounds/index.ts';
import { openSecrets } from '../webhooks/index.ts';
import { createDispatcher, type DispatcherDeps } from './dispatch/dispatcher.ts';
import { createFeed } from './replay/feed.ts';
import { CHANNEL, readStoreNowMs } from './repository.ts';
import { createUpkeep, type UpkeepDeps } from './upkeep/index.ts';

type WorkerDeps = Omit<DispatcherDeps, 'secretsOf'> & {
  secrets: SecretBox;
  /** How long attempts are logged. */
  retentionDays: number;
  metrics: UpkeepDeps['metrics'];
};

const REMEMBERED_SECRETS = 10_000;
const FEED_EVERY_MS = 250;

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** All that a process with the role of a worker does: sending, replays, upkeep. */
export function createDeliveryWorker({ retentionDays, metrics, secrets, ...deps }: WorkerDeps) {
  const upkeep = createUpkeep({
    ...{ ...deps, retentionDays, metrics },
    storeNowMs: () => readStoreNowMs(deps.database),
  });
  const feedReplays = createFeed(deps);
  const box = remembering(secrets);
  const dispatcher = createDispatcher({
    ...deps,
    secretsOf: ({ webhookId, endpoint }) =>
      openSecrets(box, { webhookId, ...endpoint }, deps.clock.nowMs()),
  });
  const replays = createRound(
    { name: 'replays', everyMs: FEED_EVERY_MS, log: deps.log },
    async () => {
      for (const { accountId, webhookId } of await feedReplays()) {
        dispatcher.onQueued(accountId, webhookId);
      }
    },
  );
  let listener: Listener | undefined;

  return {
    start(): void {
      listener = deps.database.listen(CHANNEL, dispatcher.onNotification);
      dispatcher.start();
      replays.start();
      upkeep.start();
    },
    async stop(): Promise<void> {
      await replays.stop();
      await listener?.close();
      await dispatcher.stop();
      await upkeep.stop();
    },
  };
}

/** A sealed secret is opened once, not for every delivery. */
function remembering(secrets: SecretBox): SecretBox {
  const opened = new LRUCache<string, string>({ max: REMEMBERED_SECRETS });
  return {
    ...secrets,
    open(sealed, context) {
      const known = opened.get(`${context} ${sealed}`);
      if (known !== undefined) return known;
      const secret = secrets.open(sealed, context);
      opened.set(`${context} ${sealed}`, secret);
      return secret;
    },
  };
}
