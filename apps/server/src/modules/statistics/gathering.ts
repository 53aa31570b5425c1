import type { Clock } from '../../platform/clock/index.ts';
import { SOURCE_CHARACTERS } from './ctes.ts';
import { isoOf } from './ranges.ts';
import { MAX_SOURCES, OTHER_SOURCES, type Tally, type WaitingTally } from './tally.ts';

type Deps = {
  clock: Pick<Clock, 'nowMs'>;
  /** Stores them. Repeated later where it rejects. */
  write: (tallies: WaitingTally[]) => Promise<void>;
  log: { warn(details: object, message: string): void };
};

const MINUTE_MS = 60_000;
// What is left out of the figures where the store is away for long: memory must not grow with the time that takes.
const MAX_WAITING = 50_000;
const OUTCOME = /^[a-z][a-z0-9_:.]{0,63}$/;

/**
 * Sums up in memory what writes nothing to the store itself. A process that is killed loses what it has not written yet: at
 * most what the caller lets gather between two calls of `flush`.
 */
export function createGathering({ clock, write, log }: Deps) {
  let waiting = new Map<string, WaitingTally>();
  let sources = new Map<string, Set<string>>();
  let dropped = 0;
  let flushing: Promise<void> | null = null;

  function add(tally: WaitingTally) {
    const { accountId, at, metric, subject, outcome, detail } = tally;
    const key = `${accountId} ${at} ${metric} ${subject} ${outcome} ${detail}`;
    const known = waiting.get(key);
    if (known) known.n += tally.n;
    else if (waiting.size < MAX_WAITING) waiting.set(key, tally);
    else dropped += tally.n;
  }

  /** A sender of ever new sources takes up no more room than one of a few. */
  function detailOf({ accountId, metric, detail }: Tally): string {
    if (metric !== 'leads' || typeof detail !== 'string') return detail ?? '';
    const source = `=${[...detail].slice(0, SOURCE_CHARACTERS).join('')}`;
    const known = sources.get(accountId) ?? new Set();
    if (!known.has(source) && known.size >= MAX_SOURCES) return OTHER_SOURCES;
    sources.set(accountId, known.add(source));
    return source;
  }

  async function flushOnce(): Promise<void> {
    if (dropped > 0) log.warn({ dropped }, 'figures are incomplete: the store was away for long');
    dropped = 0;
    if (waiting.size === 0) return;
    const written = [...waiting.values()];
    waiting = new Map();
    sources = new Map();
    try {
      await write(written);
    } catch (error) {
      log.warn({ err: error }, 'figures could not be written yet');
      for (const tally of written) add(tally);
    }
  }

  // On the path of every request: the text of a minute is made once.
  let minute = { startMs: Number.NaN, text: '' };
  function minuteOf(nowMs: number): string {
    const startMs = nowMs - (nowMs % MINUTE_MS);
    if (startMs !== minute.startMs) minute = { startMs, text: isoOf(startMs) };
    return minute.text;
  }

  return {
    /** Never throws and never waits. */
    tally(tally: Tally): void {
      const { accountId, metric, subject, n = 1 } = tally;
      const outcome = OUTCOME.test(tally.outcome) ? tally.outcome : 'other';
      const detail = detailOf(tally);
      add({ accountId, metric, subject, outcome, n, detail, at: minuteOf(clock.nowMs()) });
    },
    /** One at a time: whoever asks meanwhile gets the one that runs. */
    flush(): Promise<void> {
      flushing ??= flushOnce().finally(() => {
        flushing = null;
      });
      return flushing;
    },
  };
}
