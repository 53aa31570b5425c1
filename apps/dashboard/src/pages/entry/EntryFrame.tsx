import type { ReactNode } from 'react';
import { PageHeader } from '../../parts/index.ts';
import { Brand } from '../../shell/Brand.tsx';
import classes from './entry.module.css';

type Props = { title: string; description?: ReactNode; children: ReactNode };

/** Around the pages of those who are not signed in. */
export function EntryFrame({ title, description, children }: Props) {
  return (
    <div className={classes.frame}>
      <header className={classes.brand}>
        <Brand />
      </header>
      <main className={classes.box}>
        <PageHeader {...{ title, description }} />
        {children}
      </main>
    </div>
  );
}
