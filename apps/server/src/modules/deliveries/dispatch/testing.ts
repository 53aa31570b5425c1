import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { seed, type TestDatabase } from '../../../../test/support/index.ts';
import { createClock } from '../../../platform/clock/index.ts';
import { createDatabase } from '../../../platform/database/index.ts';
import { createIds } from '../../../platform/ids/index.ts';
import type { AttemptResult } from '../sending/index.ts';
import { createDispatcher, type DispatcherDeps } from './dispatcher.ts';

export const SUCCESS: AttemptResult = {
  succeeded: true,
  error: null,
  status: 204,
  detail: null,
  durationMs: 1,
  answer: null,
  retryAfterMs: null,
  isGone: false,
};
export const FAILURE: AttemptResult = {
  ...SUCCESS,
  succeeded: false,
  error: 'status',
  status: 500,
};

export type Sent = { url: string; eventId: string };

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const newId = createIds();

/** A worker of its own, with its own connections; `answer` is what its endpoints say. */
export function startWorker(
  t: TestContext,
  store: TestDatabase,
  answer: (sent: Sent) => Promise<AttemptResult> | AttemptResult,
  changes: Partial<DispatcherDeps> = {},
) {
  const migrations = new URL('../../../../migrations/', import.meta.url);
  const options = { url: store.url, migrations, poolSize: 6, retryForMs: 3_000, log: silent };
  const database = createDatabase(options);
  const sent: Sent[] = [];
  const dispatcher = createDispatcher({
    ...{ database, newId, log: silent, clock: createClock() },
    random: Math.random,
    monotonicMs: () => performance.now(),
    secretsOf: () => ['whsec_'],
    async attempt(request) {
      sent.push(request);
      return answer(request);
    },
    onAttempt: () => undefined,
    onInFlight: () => undefined,
    ...changes,
  });
  dispatcher.start();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= dispatcher.stop().then(() => database.close());
    return stopped;
  };
  t.after(stop);
  return {
    sent,
    stop,
    notify: dispatcher.onNotification,
    idsSent: () => sent.map(({ eventId }) => eventId),
  };
}

export async function addWebhook({ query }: TestDatabase, url: string, account = seed().ours.id) {
  const id = randomUUID();
  await query(
    `INSERT INTO webhooks (account_id, id, url, events, active, secret_encrypted, created_at, updated_at, subscribed_at)
     VALUES ($1, $2, $3, '{campaign.started}', true, 'sealed', now(), now(), now())`,
    [account, id, url],
  );
  await query('INSERT INTO webhook_queues (account_id, webhook_id) VALUES ($1, $2)', [account, id]);
  return { account, id };
}

/** Events that wait for a webhook. @returns their ids as they are sent */
export async function addWaiting(
  { query }: TestDatabase,
  webhook: { account: string; id: string },
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  await query(
    `WITH event AS (
       INSERT INTO events (account_id, id, type, occurred_at, campaign)
       SELECT $1, id, 'campaign.started', now(), '{"id":1}' FROM unnest($3::uuid[]) id RETURNING id
     ) INSERT INTO deliveries (account_id, webhook_id, event_id, due_at)
       SELECT $1, $2, id, now() - interval '1 second' FROM event`,
    [webhook.account, webhook.id, ids],
  );
  return ids.map((id) => `evt_${id.replaceAll('-', '')}`).toSorted();
}

export const waiting = async ({ query }: TestDatabase): Promise<number> =>
  Number((await query('SELECT count(*) FROM deliveries'))[0].count);
