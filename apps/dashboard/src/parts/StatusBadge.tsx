import type { ReactNode } from 'react';
import classes from './parts.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'calm' | 'info';

/** A state in a word; the colour only repeats it. */
export const StatusBadge = ({ tone = 'calm', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={classes.badge} data-tone={tone}>
    {children}
  </span>
);

/** An id or another value for machines: monospace, breaks anywhere. `cut`: on one line, whole in its title. */
export const Mono = ({ children, cut }: { children: string; cut?: boolean }) => (
  <code className={cut ? classes.monoCut : classes.mono} title={cut ? children : undefined}>
    {children}
  </code>
);

/** What is not there. */
export const None = ({ children = 'None' }: { children?: string }) => (
  <span className={classes.none}>{children}</span>
);
