import type { Clock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { firstUuidAt } from '../../../platform/ids/index.ts';
import {
  findFirstWriter,
  findStillUnaccounted,
  findUnaccounted,
  noteUnaccounted,
  readHorizon,
  type Unaccounted,
} from './repository/unaccounted.ts';

type Deps = {
  database: Database;
  clock: Clock;
  log: { error(details: object, message: string): void; warn(d: object, message: string): void };
  /** How many are unaccounted for now; and, in milliseconds since the Unix epoch, when everything that had committed was looked at. */
  report: (count: number, checkedUntilMs: number | null) => void;
};

const HOUR_MS = 3_600_000;
const MAX_KEPT = 1_000;
const LOGGED = 20;
// A tenth of the time between two rounds: what is left over is looked at in the next ones.
const ROUND_MS = 3_000;
const STATEMENT_MS = { few: 100, many: 400 };
const TRANSACTIONS = { first: 2_000, most: 1_000_000 };

const keyOf = ({ webhookId, eventId }: Unaccounted) => `${webhookId}/${eventId}`;

/**
 * Looks for events that a webhook should get and of which nothing is known: neither waiting, nor delivered, nor given up. There
 * must be none. Each event is looked at in the next round, and for a last time once all that ran beside its transaction has ended; at
 * a start those of the last hour are looked at again. What was found is looked at in each round until it is accounted for or
 * nobody wants it any more; at most 1,000 of those are kept. Not seen: what is lost later than the last look at it, and what was lost more than
 * an hour before the last start.
 */
export function createSelfCheck({ database, clock, log, report }: Deps) {
  let kept: Unaccounted[] = [];
  let position: bigint | null = null;
  let transactions = TRANSACTIONS.first;
  let checkedUntilMs: number | null = null;
  let isBehind = false;

  async function begin(horizon: bigint): Promise<bigint> {
    if (position !== null && !isBehind) return position;
    const found = await findFirstWriter(database, firstUuidAt(clock.nowMs() - HOUR_MS));
    const first = found !== null && found < horizon ? found : horizon;
    if (position === null || first <= position) return position ?? first;
    log.warn({}, 'the self-check is more than an hour behind: it leaves out what is older');
    return first;
  }

  /** The next so many transactions; how many is fitted to how long they took. */
  async function look(from: bigint, end: bigint): Promise<bigint> {
    const wanted = from + BigInt(transactions);
    const to = wanted < end ? wanted : end;
    const leastAttemptId = firstUuidAt(clock.nowMs() - 2 * HOUR_MS);
    const limit = MAX_KEPT - kept.length + 1;
    const startedMs = clock.nowMs();
    try {
      const found = await findUnaccounted(database, { from, to, leastAttemptId, limit });
      // Looked at once more without a bound: after a transaction of hours its attempts lie before it.
      if (found.length > 0) add(await findStillUnaccounted(database, found));
    } catch (error) {
      transactions = Math.max(1, Math.floor(transactions / 8));
      throw error;
    }
    const tookMs = clock.nowMs() - startedMs;
    if (tookMs > STATEMENT_MS.many) transactions = Math.max(1, Math.floor(transactions / 2));
    else if (tookMs < STATEMENT_MS.few && to < end) {
      transactions = Math.min(TRANSACTIONS.most, transactions * 2);
    }
    return to;
  }

  function add(pairs: Unaccounted[]) {
    const known = new Set(kept.map(keyOf));
    const found = pairs.filter((pair) => !known.has(keyOf(pair)));
    if (found.length === 0) return;
    kept = [...kept, ...found].slice(0, MAX_KEPT);
    log.error(
      { found: found.length, events: found.slice(0, LOGGED) },
      'events are unaccounted for: neither waiting, delivered nor given up',
    );
  }

  return {
    /** One round; what it cannot do in its time the next one does. */
    async run(isStopped: () => boolean): Promise<void> {
      const startedMs = clock.nowMs();
      if (kept.length > 0) kept = await findStillUnaccounted(database, kept);
      const { horizon, end } = await readHorizon(database);
      const isLate = () => isStopped() || clock.nowMs() - startedMs > ROUND_MS;
      position = await begin(horizon);
      while (position < horizon && !isLate()) position = await look(position, horizon);
      isBehind = position < horizon;
      // Transactions beside one that still runs: looked at now, and again once that has ended.
      let ahead = position;
      while (!isBehind && ahead < end && !isLate()) ahead = await look(ahead, end);
      if (ahead >= end) checkedUntilMs = startedMs;
      if (kept.length > 0) await noteUnaccounted(database, kept);
      report(kept.length, checkedUntilMs);
    },
  };
}
