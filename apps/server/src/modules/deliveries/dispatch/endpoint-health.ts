/** What is known of an endpoint: how many requests it gets at once, how fast, and whether it is only probed. */
export type EndpointHealth = ReturnType<typeof createEndpointHealth>;

export type StoredHealth = { failures: number; failingSinceMs: number | null };

type Options = StoredHealth & {
  /** The time of day; for how long it fails. */
  wallMs: () => number;
  /** For the pace; never jumps. */
  nowMs: () => number;
  /** 0 up to 1. */
  random: () => number;
};

const FIRST_WINDOW = 8;
/** The most requests in flight to one webhook. */
export const MAX_WINDOW = 32;
const QUICK_MS = 1_000;
const SLOW_MS = 5_000;
const PROBED_AFTER_FAILURES = 5;
const PROBE_EVERY_MS = 15_000;
const PROBE_JITTER = 0.2;
// The pace after a recovery: 20 a second, doubled every five seconds, free once it is above 1,000 a second.
const FIRST_INTERVAL_MS = 50;
const INTERVAL_HALVES_AFTER_MS = 5_000;
const FREE_BELOW_MS = 1;
const GIVEN_UP_AFTER_MS = 5 * 24 * 3_600_000;

/**
 * The window grows with quick successes and shrinks with slow ones and failures, so that a slow endpoint holds few connections. After five failures in a
 * row an endpoint is probed: one request about every 15 seconds. One that is back starts with a small window and a pace.
 */
export function createEndpointHealth({ nowMs, wallMs, random, ...stored }: Options) {
  let { failures, failingSinceMs } = stored;
  let window = failures > 0 ? 1 : FIRST_WINDOW;
  let nextStartMs = 0;
  let beforeStartMs = 0;
  let recoveredMs: number | null = null;

  const isProbed = () => failures >= PROBED_AFTER_FAILURES;

  function intervalMs(): number {
    if (recoveredMs === null) return 0;
    const interval = FIRST_INTERVAL_MS / 2 ** ((nowMs() - recoveredMs) / INTERVAL_HALVES_AFTER_MS);
    if (interval < FREE_BELOW_MS) recoveredMs = null;
    return recoveredMs === null ? 0 : interval;
  }

  return {
    isProbed,
    /** How many may be in flight. */
    window: () => (isProbed() ? 1 : Math.floor(window)),
    /** When the next request may start; in the past where it may now. */
    nextStartMs: () => nextStartMs,
    stored: (): StoredHealth => ({ failures, failingSinceMs }),
    /** True where it has failed for so long that it is to be set inactive. */
    isGivenUp: () => failingSinceMs !== null && wallMs() - failingSinceMs >= GIVEN_UP_AFTER_MS,
    started(): void {
      const interval = intervalMs();
      beforeStartMs = nextStartMs;
      // Until its answer is here the next probe is not due.
      if (isProbed()) nextStartMs = Number.POSITIVE_INFINITY;
      else if (interval > 0) nextStartMs = nowMs() + interval;
    },
    /** What was started was not sent after all. */
    abandoned(): void {
      nextStartMs = beforeStartMs;
    },
    /** Nothing more is started, until a reset. */
    pause(): void {
      nextStartMs = Number.POSITIVE_INFINITY;
    },
    succeeded(durationMs: number): void {
      if (isProbed()) recoveredMs = nowMs();
      if (failures > 0) nextStartMs = nowMs() + intervalMs();
      failures = 0;
      failingSinceMs = null;
      if (durationMs < QUICK_MS) window = Math.min(MAX_WINDOW, window + 0.5);
      else if (durationMs >= SLOW_MS) window = Math.max(1, window - 0.5);
    },
    failed(): void {
      failures++;
      failingSinceMs ??= wallMs();
      window = Math.max(1, window / 2);
      recoveredMs = null;
      const jitter = 1 + PROBE_JITTER * (2 * random() - 1);
      if (isProbed()) nextStartMs = nowMs() + PROBE_EVERY_MS * jitter;
    },
    /** After somebody changed the webhook: what is stored holds, and the next request need not wait. */
    reset(health: StoredHealth): void {
      ({ failures, failingSinceMs } = health);
      nextStartMs = 0;
    },
  };
}
