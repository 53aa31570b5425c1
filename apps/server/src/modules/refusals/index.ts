import type { Refusal } from '@leadwire/contract/dashboard';
import type { FastifyInstance } from 'fastify';
import { type Clock, formatMicros } from '../../platform/clock/index.ts';
import { type Database, timestampToIso } from '../../platform/database/index.ts';
import { parseJson } from '../../platform/json/index.ts';
import { createRound } from '../../platform/rounds/index.ts';
import { createWaiting } from '../../platform/waiting/index.ts';
import { watchRequests } from './hook.ts';
import { redact } from './redact.ts';
import type { Refused } from './refused.ts';
import * as repository from './repository.ts';
import { createRequestCounts, type OnRequest } from './request-counts.ts';

export { noteRefusedRows, type RefusedRow } from './hook.ts';
export { type Failure, redact } from './redact.ts';

/** How many refused requests of each key are kept. */
export const REFUSALS_KEPT = 100;
// Each holds a few hundred bytes, at most some thousand.
const MAX_WAITING = 5_000;
const WRITE_EVERY_MS = 1_000;

export type Refusals = ReturnType<typeof createRefusals>;

type Deps = {
  database: Database;
  /** What is written goes here: it must not stand before the requests themselves. */
  writes: Database;
  clock: Clock;
  newId: () => string;
  onRequest: OnRequest;
  log: { warn(details: object, message: string): void };
};

/**
 * Remembers why requests with a key were refused: the newest hundred of each key, without anything of what they held. They are
 * gathered in memory and written once a second, so that a flood of them costs no more statements than one.
 */
export function createRefusals({ database, writes, clock, newId, onRequest, log }: Deps) {
  const counts = createRequestCounts(onRequest);
  const waiting = createWaiting({
    ...{ perKey: REFUSALS_KEPT, max: MAX_WAITING },
    keyOf: ({ keyId }: Refused) => keyId,
  });

  async function write(): Promise<void> {
    counts.flush();
    const { items, dropped } = waiting.take();
    if (dropped > 0) log.warn({ dropped }, 'more requests were refused than can be remembered');
    if (items.length === 0) return;
    await repository.write(writes, items.map(toStored), REFUSALS_KEPT);
  }

  const toStored = ({ atMs, requestId, failure, ...refused }: Refused) => ({
    ...refused,
    ...redact(failure),
    id: newId(),
    at: formatMicros(atMs * 1000),
    request_id: requestId,
  });

  const round = createRound({ name: 'refused requests', everyMs: WRITE_EVERY_MS, log }, write);
  round.start();

  return {
    /** Watches the requests of every route that is registered afterwards. */
    watch: (app: FastifyInstance): void =>
      watchRequests(app, { nowMs: clock.nowMs, counts, onRefused: waiting.add }),

    /** Newest first, at most a hundred; what was refused within the last second may be missing. */
    async list(accountId: string, keyId: string): Promise<Refusal[]> {
      const rows = await repository.list(database, { accountId, keyId, limit: REFUSALS_KEPT });
      return rows.map((row) => ({
        ...row,
        at: timestampToIso(row.at),
        fields: parseJson(row.fields) as Refusal['fields'],
      }));
    },

    /** Writes what waits. */
    async close(): Promise<void> {
      await round.stop();
      await write().catch((error) =>
        log.warn({ err: error }, 'the last refused requests were not remembered'),
      );
    },
  };
}
