import type { SeriesTone } from './Legend.tsx';
import { formatCount, pointLabel } from './scale.ts';

export type Series<Point> = { key: keyof Point & string; label: string; tone: SeriesTone };

export const numberOf = <Point>(point: Point, key: keyof Point): number => Number(point[key]) || 0;

export const sumOf = <Point>(point: Point, series: readonly Series<Point>[]): number =>
  series.reduce((sum, { key }) => sum + numberOf(point, key), 0);

export const totalOf = <Point>(points: readonly Point[], key: keyof Point): number =>
  points.reduce((sum, point) => sum + numberOf(point, key), 0);

/** Where each series of a point begins and ends, one on the other. */
export function stackOf<Point>(point: Point, series: readonly Series<Point>[]) {
  let top = 0;
  return series.map(({ key, tone }) => {
    const from = top;
    top += numberOf(point, key);
    return { key, tone, from, to: top };
  });
}

/** One bar in words. */
export function spoken<Point extends { at: string }>(
  point: Point | undefined,
  series: readonly Series<Point>[],
  stepSeconds: number,
): string {
  if (!point) return 'Nothing yet';
  const figures = series.map(({ key, label }) => `${formatCount(numberOf(point, key))} ${label}`);
  return `${pointLabel(point.at, stepSeconds)}: ${figures.join(', ')}`;
}
