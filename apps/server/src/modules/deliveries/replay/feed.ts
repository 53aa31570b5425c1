import type { Clock } from '../../../platform/clock/index.ts';
import { formatMicros } from '../../../platform/clock/index.ts';
import { type Database, timestampToIso } from '../../../platform/database/index.ts';
import { firstUuidAt } from '../../../platform/ids/index.ts';
import { FIRST_UUID, ID_SLACK_MS } from '../log/ids.ts';
import { someOf } from '../some-of.ts';
import { listRunning, type RunningReplay, stepReplay } from './repository/feed.ts';
import { markCanceled } from './repository/replays.ts';

/** So few of a webhook's replayed deliveries wait at a time that live ones never stand behind many. */
const MAX_WAITING = 100;
/** How many events one statement looks at. */
const LOOK = 2_000;
/** For a replay of rare events: statements one after the other before it is the turn of others. */
const MAX_STEPS = 10;
const REPLAYS_AT_A_TIME = 200;
// Of one account in one call, so that the others' turn comes soon.
const REPLAYS_OF_ACCOUNT = 5;
/**
 * An event is stamped before its statement begins, and that may be tried for 3 s and then run for 15 s: younger ones may
 * still be missing, so that the end of a range that is almost now is looked at so much later.
 */
const SETTLED_AFTER_MS = 20_000;

const START = { accountId: FIRST_UUID, webhookId: FIRST_UUID, id: FIRST_UUID };

/** `random` gives 0 up to 1. */
type FeedDeps = { database: Database; clock: Clock; random: () => number };

type Fed = { accountId: string; webhookId: string };

/**
 * Makes the function that queues the next deliveries of running replays, in bounded portions; call it again and again, on as many
 * nodes as there are. @returns the webhooks that got some
 */
export function createFeed({ database, clock, random }: FeedDeps) {
  // Where there are more replays than one call takes, the next call goes on behind them.
  let after = START;

  async function feedOne({ toAt, isDeleted, ...replay }: RunningReplay): Promise<number> {
    const nowMicros = clock.nowMicros();
    const at = formatMicros(nowMicros);
    if (isDeleted) {
      await markCanceled(database, replay, at);
      return 0;
    }
    const toMs = Date.parse(timestampToIso(toAt));
    const settledMs = Math.floor(nowMicros / 1000) - SETTLED_AFTER_MS;
    const isLast = settledMs >= toMs;
    const below = firstUuidAt(isLast ? toMs + ID_SLACK_MS : settledMs);
    const step = { ...replay, at, below, isLast, maxWaiting: MAX_WAITING, look: LOOK };
    let queued = 0;
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const done = await stepReplay(database, step);
      queued += done.queued;
      if (!done.hasMore) break;
    }
    return queued;
  }

  return async function feed(): Promise<Fed[]> {
    const running = await listRunning(database, after, REPLAYS_AT_A_TIME);
    after = running.length < REPLAYS_AT_A_TIME ? START : (running.at(-1) as RunningReplay);
    const fed = new Map<string, Fed>();
    const failures: unknown[] = [];
    for (const replay of inTurns(running, random)) {
      const { accountId, webhookId } = replay;
      const queued = await feedOne(replay).catch((error) => {
        // The others must not wait for it.
        failures.push(error);
        return 0;
      });
      if (queued > 0) fed.set(webhookId, { accountId, webhookId });
    }
    if (failures.length > 0) throw failures[0];
    return [...fed.values()];
  };
}

/** A few of each account, another few in each call. */
function inTurns(running: RunningReplay[], random: () => number): RunningReplay[] {
  const byAccount = Map.groupBy(running, ({ accountId }) => accountId);
  return [...byAccount.values()].flatMap((own) => someOf(own, REPLAYS_OF_ACCOUNT, random));
}
