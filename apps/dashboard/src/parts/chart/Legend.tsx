import classes from './chart.module.css';

export type SeriesTone = 1 | 2 | 3 | 4;

/** What each colour stands for, with its figure where there is one. */
export function Legend({
  items,
}: {
  items: readonly { label: string; tone: SeriesTone; value?: string }[];
}) {
  return (
    <ul className={classes.legend}>
      {items.map(({ label, tone, value }) => (
        <li key={label}>
          <span className={classes.swatch} data-series={tone} aria-hidden />
          {label}
          {value === undefined ? null : <strong>{value}</strong>}
        </li>
      ))}
    </ul>
  );
}
