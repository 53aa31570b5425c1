import classes from './chart.module.css';
import { axisLabel, formatShort, labelEvery, niceTicks } from './scale.ts';
import { type Series, stackOf, sumOf } from './series.ts';

export const AXIS_WIDTH = 44;
const AXIS_HEIGHT = 22;
const TOP = 8;
const LABEL_WIDTH = 64;
/** The part of its slot that a bar leaves free. */
const GAP = 0.22;

type Props<Point> = {
  points: readonly Point[];
  series: readonly Series<Point>[];
  stepSeconds: number;
  heightPx: number;
  plotWidth: number;
  chosen: number | null;
};

/** The picture of a chart: axes and stacked bars. */
export function Bars<Point extends { at: string }>(props: Props<Point>) {
  const { points, series, stepSeconds, heightPx, plotWidth, chosen } = props;
  const plotHeight = heightPx - AXIS_HEIGHT - TOP;
  const ticks = niceTicks(Math.max(0, ...points.map((point) => sumOf(point, series))));
  const yOf = (value: number) => TOP + plotHeight * (1 - value / (ticks.at(-1) ?? 1));
  const slot = plotWidth / Math.max(1, points.length);
  return (
    <svg width={AXIS_WIDTH + plotWidth} height={heightPx} aria-hidden>
      <Grid {...{ ticks, yOf, plotWidth }} />
      {points.map((point, index) => (
        <g key={point.at} data-chosen={index === chosen || undefined} className={classes.bar}>
          <rect
            className={classes.slot}
            x={AXIS_WIDTH + index * slot}
            y={TOP}
            width={slot}
            height={plotHeight}
          />
          <Stack {...{ point, series, yOf, slot }} left={AXIS_WIDTH + index * slot} />
        </g>
      ))}
      <TimeAxis {...{ points, plotWidth, slot }} y={heightPx - 6} stepSeconds={stepSeconds} />
    </svg>
  );
}

type GridProps = { ticks: readonly number[]; yOf: (value: number) => number; plotWidth: number };

const Grid = ({ ticks, yOf, plotWidth }: GridProps) =>
  ticks.map((tick) => (
    <g key={tick}>
      <line
        className={classes.grid}
        x1={AXIS_WIDTH}
        x2={AXIS_WIDTH + plotWidth}
        y1={yOf(tick)}
        y2={yOf(tick)}
      />
      <text
        className={classes.tick}
        x={AXIS_WIDTH - 8}
        y={yOf(tick)}
        textAnchor="end"
        dominantBaseline="middle"
      >
        {formatShort(tick)}
      </text>
    </g>
  ));

type StackProps<Point> = {
  point: Point;
  series: readonly Series<Point>[];
  yOf: (value: number) => number;
  left: number;
  slot: number;
};

const Stack = <Point,>({ point, series, yOf, left, slot }: StackProps<Point>) =>
  stackOf(point, series).map(({ key, tone, from, to }) => (
    <rect
      key={key}
      data-series={tone}
      x={left + (GAP / 2) * slot}
      y={yOf(to)}
      width={slot * (1 - GAP)}
      height={Math.max(0, yOf(from) - yOf(to))}
    />
  ));

type TimeAxisProps = {
  points: readonly { at: string }[];
  stepSeconds: number;
  plotWidth: number;
  slot: number;
  y: number;
};

/** As many labels as have room; the last would leave the picture. */
function TimeAxis({ points, stepSeconds, plotWidth, slot, y }: TimeAxisProps) {
  const every = labelEvery(points.length, plotWidth, LABEL_WIDTH);
  return points.map(({ at }, index) => {
    const middle = (index + 0.5) * slot;
    if (index % every !== 0 || middle >= plotWidth - LABEL_WIDTH / 4) return null;
    return (
      <text key={at} className={classes.tick} x={AXIS_WIDTH + middle} y={y} textAnchor="middle">
        {axisLabel(at, stepSeconds * points.length)}
      </text>
    );
  });
}
