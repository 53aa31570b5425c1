export type Clock = {
  /** Microseconds since the Unix epoch, strictly rising within the process. */
  nowMicros(): number;
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
};

/**
 * The one clock of a process. Every stamp is later than the one before, even when the machine's clock steps
 * back, because two leads of an account must never share a created_at.
 */
export function createClock(wallMicros: () => number = systemMicros): Clock {
  let last = 0;
  return {
    nowMicros() {
      last = Math.max(last + 1, wallMicros());
      return last;
    },
    nowMs: () => Math.floor(wallMicros() / 1000),
  };
}

/** The machine's time, which may be set or jump after a sleep; the finer clock only adds digits within the millisecond. */
function systemMicros(): number {
  return Date.now() * 1000 + Math.floor((performance.now() * 1000) % 1000);
}

export { formatMicros, normalizeTimestamp } from './timestamp.ts';
