import { LRUCache } from 'lru-cache';
import type { SecretBox } from '../../platform/crypto/index.ts';
import type { Listener } from '../../platform/database/index.ts';
import { openSecrets } from '../webhooks/index.ts';
import { createDispatcher, type DispatcherDeps } from './dispatch/dispatcher.ts';
import { createReplays } from './replay/index.ts';
import { createUpkeep, type UpkeepDeps } from './upkeep/index.ts';
import { CHANNEL } from './wake.ts';

type WorkerDeps = Omit<DispatcherDeps, 'secretsOf'> & {
  secrets: SecretBox;
  /** How long attempts are logged. */
  retentionDays: number;
  metrics: UpkeepDeps['metrics'];
};

const REMEMBERED_SECRETS = 10_000;
const FEED_EVERY_MS = 250;
const LOOK_FOR_REPLAYS_EVERY_MS = 1_000;

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** All that a process with the role of a worker does: sending, replays, upkeep. */
export function createDeliveryWorker({ retentionDays, metrics, secrets, ...deps }: WorkerDeps) {
  const upkeep = createUpkeep({ ...deps, retentionDays, metrics });
  const feedReplays = createReplays(deps).feed;
  const box = remembering(secrets);
  const dispatcher = createDispatcher({
    ...deps,
    secretsOf: ({ webhookId, endpoint }) =>
      openSecrets(box, { webhookId, ...endpoint }, deps.clock.nowMs()),
  });
  let listener: Listener | undefined;
  let timer: NodeJS.Timeout | undefined;
  let feeding = Promise.resolve();
  let isStopped = false;

  async function feed() {
    const fed = await feedReplays().catch((error) => {
      deps.log.warn({ err: error }, 'replays could not be fed');
      return [];
    });
    for (const { accountId, webhookId } of fed) dispatcher.onQueued(accountId, webhookId);
    if (isStopped) return;
    const pauseMs = fed.length > 0 ? FEED_EVERY_MS : LOOK_FOR_REPLAYS_EVERY_MS;
    timer = setTimeout(() => {
      feeding = feed();
    }, pauseMs);
  }

  return {
    start(): void {
      listener = deps.database.listen(CHANNEL, dispatcher.onNotification);
      dispatcher.start();
      upkeep.start();
      feeding = feed();
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await feeding;
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
