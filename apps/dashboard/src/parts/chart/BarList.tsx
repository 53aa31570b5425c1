import type { ReactNode } from 'react';
import classes from './chart.module.css';
import { Legend, type SeriesTone } from './Legend.tsx';
import { formatCount } from './scale.ts';

type Item = {
  key: string;
  label: ReactNode;
  /** One for each series, in their order. */
  values: readonly number[];
};

type Props = {
  label: string;
  items: readonly Item[];
  series: readonly { label: string; tone: SeriesTone }[];
};

/** Counts by something, the largest first as given: a table whose bars repeat its figures. */
export function BarList({ label, items, series }: Props) {
  const highest = Math.max(1, ...items.map(({ values }) => sum(values)));
  return (
    <div>
      {series.length > 1 ? <Legend items={series} /> : null}
      <ul className={classes.list} aria-label={label}>
        {items.map(({ key, label: name, values }) => (
          <li key={key} title={titleOf(values, series)}>
            <span className={classes.listName}>{name}</span>
            <span className={classes.listValue}>{formatCount(sum(values))}</span>
            <span className={classes.listBar} aria-hidden>
              {values.map((value, index) => (
                <span
                  key={series[index]?.label}
                  data-series={series[index]?.tone}
                  style={{ width: `${(100 * value) / highest}%` }}
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

const titleOf = (values: readonly number[], series: Props['series']): string =>
  series.map(({ label }, index) => `${label}: ${formatCount(values[index] ?? 0)}`).join(', ');
