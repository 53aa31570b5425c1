import type { ReactNode } from 'react';

/** What may be wider or longer than its place: it scrolls inside its own box, by keyboard too. `label` names it to those who do not see it. */
export const ScrollBox = ({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <div className={className} tabIndex={0} role="group" aria-label={label}>
    {children}
  </div>
);
