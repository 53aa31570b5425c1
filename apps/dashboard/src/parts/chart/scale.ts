/** Round steps of 1, 2 or 5 from 0 to at least `highest`: at most `most` of them. Counts are whole: so are steps. */
export function niceTicks(highest: number, most = 4): number[] {
  const rough = Math.max(highest, 1) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough) ?? 10;
  const step = Math.max(1, factor * power);
  const count = Math.ceil(Math.max(highest, 1) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

const DAY_SECONDS = 86_400;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
});

/** Below the axis: the hour within a day, else the day. In the reader's zone. */
export const axisLabel = (at: string, spanSeconds: number): string =>
  (spanSeconds > 2 * DAY_SECONDS ? day : clock).format(new Date(at));

/** Of one bar: when its step begins. */
export const pointLabel = (at: string, stepSeconds: number): string =>
  (stepSeconds >= DAY_SECONDS ? day : dayAndClock).format(new Date(at));

export const formatCount = new Intl.NumberFormat('en').format;

/** 12,300 as 12.3K where room is scarce. */
export const formatShort = new Intl.NumberFormat('en', {
  ...{ notation: 'compact', maximumFractionDigits: 1 },
}).format;

/** Every how manyth point has a label, so that `labelWidth` pixels are free for each. */
export const labelEvery = (points: number, width: number, labelWidth: number): number =>
  Math.max(1, Math.ceil(points / Math.max(1, Math.floor(width / labelWidth))));
