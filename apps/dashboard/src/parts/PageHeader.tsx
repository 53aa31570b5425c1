import { type ReactNode, use, useEffect, useRef } from 'react';
import { focusHeading, MovedContext } from './moved.ts';
import classes from './parts.module.css';

type Props = {
  title: string;
  /** One sentence on what the page is for. */
  description?: ReactNode;
  /** Beside the title: the state of what the page shows. */
  badge?: ReactNode;
  actions?: ReactNode;
  /** A link to the page above: `<BackLink to=… >Leads</BackLink>`. */
  back?: ReactNode;
};

/** The one h1 of a page; names the tab, and takes the focus when the person comes from another page. */
export function PageHeader({ title, description, badge, actions, back }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const moved = use(MovedContext);
  useEffect(() => {
    document.title = `${title} · Leadwire`;
  }, [title]);
  useEffect(() => focusHeading(heading.current, moved), [moved]);
  return (
    <header className={classes.header}>
      {back}
      <div className={classes.headerRow}>
        <div className={classes.headerTitle}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {badge}
        </div>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </div>
      {description ? <p className={classes.description}>{description}</p> : null}
    </header>
  );
}
