import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { AXIS_WIDTH, Bars } from './Bars.tsx';
import classes from './chart.module.css';
import { Legend } from './Legend.tsx';
import { formatCount, pointLabel } from './scale.ts';
import { numberOf, type Series, spoken, totalOf } from './series.ts';

type Props<Point extends { at: string }> = {
  /** Names what is counted: "Leads over time". */
  label: string;
  /** In order of time; `at` is when the step begins. Each series is a number of the point. */
  points: readonly Point[];
  /** From the bottom up. */
  series: readonly Series<Point>[];
  stepSeconds: number;
  heightPx?: number;
};

/** Counts over time as stacked bars, with the total of each series. */
export function TimeBars<Point extends { at: string }>(props: Props<Point>) {
  const { points, series } = props;
  const totals = series.map((one) => ({ ...one, value: formatCount(totalOf(points, one.key)) }));
  return (
    <figure className={classes.figure}>
      <Legend items={totals} />
      <Plot {...props} />
    </figure>
  );
}

/** The pointer or the arrow keys read one bar; a screen reader hears it as the value of a slider. */
function Plot<Point extends { at: string }>(props: Props<Point>) {
  const { label, points, series, stepSeconds, heightPx = 220 } = props;
  const { ref, width } = useElementSize();
  const [chosen, setChosen] = useState<number | null>(null);
  const plotWidth = Math.max(0, width - AXIS_WIDTH);
  const last = Math.max(0, points.length - 1);
  const pick = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - AXIS_WIDTH;
    setChosen(within(Math.floor((x / plotWidth) * points.length), points.length));
  };
  return (
    <div
      ref={ref}
      className={classes.plot}
      role="slider"
      tabIndex={0}
      aria-label={`${label}: one bar at a time`}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={chosen ?? last}
      aria-valuetext={spoken(points[chosen ?? last], series, stepSeconds)}
      onPointerMove={pick}
      onPointerDown={pick}
      onPointerLeave={() => setChosen(null)}
      onBlur={() => setChosen(null)}
      onKeyDown={(event) => moveBy(event, points.length, chosen, setChosen)}
    >
      <Bars {...{ points, series, stepSeconds, heightPx, plotWidth, chosen }} />
      {chosen === null ? null : <Reading {...{ points, series, stepSeconds, plotWidth, chosen }} />}
    </div>
  );
}

type ReadingProps<Point> = {
  points: readonly Point[];
  series: readonly Series<Point>[];
  stepSeconds: number;
  plotWidth: number;
  chosen: number;
};

function Reading<Point extends { at: string }>(props: ReadingProps<Point>) {
  const { points, series, stepSeconds, plotWidth, chosen } = props;
  const point = points[chosen];
  // Fewer points came than there were.
  if (!point) return null;
  const left = AXIS_WIDTH + ((chosen + 0.5) / points.length) * plotWidth;
  const figures = series.map((one) => ({ ...one, value: formatCount(numberOf(point, one.key)) }));
  const isRight = chosen > points.length / 2;
  return (
    <div className={classes.reading} data-right={isRight || undefined} style={{ left }} aria-hidden>
      <p>{pointLabel(point.at, stepSeconds)}</p>
      <Legend items={figures.toReversed()} />
    </div>
  );
}

function moveBy(
  event: KeyboardEvent,
  length: number,
  chosen: number | null,
  choose: (index: number | null) => void,
): void {
  const from = chosen ?? length;
  const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: length - 1 }[event.key];
  if (event.key === 'Escape') choose(null);
  if (to === undefined) return;
  event.preventDefault();
  choose(within(to, length));
}

const within = (index: number, length: number): number | null =>
  length === 0 ? null : Math.min(length - 1, Math.max(0, index));
