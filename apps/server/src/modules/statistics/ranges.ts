import type { Range } from '@leadwire/contract/dashboard';

/** How finely counts are kept. */
export type Resolution = 'minute' | 'hour' | 'day';

/** What a range is made of; its last step is the one that has not ended. */
const RANGES: Record<Range, { resolution: Resolution; stepSeconds: number; steps: number }> = {
  hour: { resolution: 'minute', stepSeconds: 60, steps: 60 },
  day: { resolution: 'hour', stepSeconds: 3_600, steps: 24 },
  week: { resolution: 'hour', stepSeconds: 21_600, steps: 28 },
  month: { resolution: 'day', stepSeconds: 86_400, steps: 30 },
};

export type Steps = {
  resolution: Resolution;
  stepSeconds: number;
  /** When each step begins, ISO 8601 UTC with six decimals, the first first. */
  starts: string[];
  from: string;
  to: string;
  /** When the range of the same length before this one begins. */
  beforeFrom: string;
};

/** The steps of a range that ends now; `nowMs` in milliseconds since the Unix epoch. Days are days of UTC. */
export function stepsOf(range: Range, nowMs: number): Steps {
  const { resolution, stepSeconds, steps } = RANGES[range];
  const stepMs = stepSeconds * 1_000;
  const last = Math.floor(nowMs / stepMs) * stepMs;
  const first = last - (steps - 1) * stepMs;
  const starts = Array.from({ length: steps }, (_, step) => isoOf(first + step * stepMs));
  return {
    ...{ resolution, stepSeconds, starts },
    from: isoOf(first),
    to: isoOf(nowMs),
    beforeFrom: isoOf(first - steps * stepMs),
  };
}

export const isoOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000Z`;
