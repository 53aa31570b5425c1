export type Metric = 'leads' | 'requests' | 'deliveries';

/** Something that happened. What writes leads counts them by itself, in its statement (ctes.ts). */
export type Tally = {
  accountId: string;
  metric: Metric;
  /** Of leads the id of the campaign, of requests that of the key, of deliveries that of the webhook (UUIDs). */
  subject: string;
  /**
   * leads: deduped. requests: `accepted`, or why one was refused: a stable code, never what was sent. deliveries: succeeded,
   * failed (will be tried again), given_up.
   */
  outcome: string;
  /** Of a lead its source, of a delivery that succeeded its latency as `latencyBucket` gives it. */
  detail?: string | null;
  n?: number;
};

/** One that waits to be written: of a minute, with its detail as it is stored. */
export type WaitingTally = Required<Omit<Tally, 'detail'>> & { at: string; detail: string };

/** Stands for the sources of an hour that are not among the 50 that are told apart. */
export const OTHER_SOURCES = '*';
export const MAX_SOURCES = 50;

const LATENCY_BOUNDS_MS = [
  ...[1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 15_000],
];

/** The least bound in milliseconds that a latency is not above; the largest for what is above all of them. */
export const latencyBucket = (ms: number): string =>
  String(LATENCY_BOUNDS_MS.find((bound) => ms <= bound) ?? LATENCY_BOUNDS_MS.at(-1));
