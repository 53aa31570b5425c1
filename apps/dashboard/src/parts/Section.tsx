import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './parts.module.css';

type Props = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A part of a page below its own h2. */
export function Section({ title, description, actions, children }: Props) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.headerRow}>
        <h2 id={id}>{title}</h2>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </div>
      {description ? <p className={classes.description}>{description}</p> : null}
      {children}
    </section>
  );
}

/** What is known of one thing: names and values, side by side where there is room. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
